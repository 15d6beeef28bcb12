"""Replies about exams."""
