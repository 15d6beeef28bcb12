"""Database migrations: each package has its own history, and an upgrade runs all of them.

For the command line: `migrations` (upgrade, stamp, check, revise). `history` describes one history,
and assigns tables to packages. `readiness` is a readiness check.
"""
