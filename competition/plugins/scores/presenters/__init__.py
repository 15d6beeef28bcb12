"""Replies about scores, and about the records of exams."""
