"""Imports of candidates and staff."""
