"""Imports of questions, from tables and from the formats of Moodle."""
