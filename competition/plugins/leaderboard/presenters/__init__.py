"""Replies about leaderboards and their publication."""
