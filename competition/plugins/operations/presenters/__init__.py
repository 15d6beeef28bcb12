"""Replies about operations, and about backups."""
