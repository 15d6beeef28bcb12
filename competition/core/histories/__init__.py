"""Database migrations: each package has its own history, and an upgrade runs all of them.

The command line uses `migrations` (upgrade, stamp, check, revise). `history` describes one history,
and assigns tables to packages. `readiness` checks that the database lacks no migration.
"""
