"""Replies about people."""
