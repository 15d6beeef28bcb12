"""Database migrations: each package has its own history, and an upgrade runs all of them.

For the command line: `migrations` (upgrade, check, revise) and `removal` (of a plugin). `history`
describes one history, and assigns tables to packages. `readiness` is a readiness check.
"""
