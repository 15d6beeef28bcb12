"""Migrations: a history for each package, and how a database is upgraded along all of them.

For the command line: `migrations` (upgrade, check, revise) and `removal` (of a plugin). `history`
describes one history and knows which tables are whose; `readiness` is a health check.
"""
