"""Imports of scores, and of answers from paper."""
