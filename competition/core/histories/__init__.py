"""Migrations: a history for each package, how a database is brought up to date, and how a plugin's
tables go.

For the command line: `migrations` (upgrade, check, revise) and `removal`. `history` is one line of
migrations and what a database knows of it, `archive` the dump of tables before they go.
"""
