"""Accounts, and the sessions and keys by which callers are known.

For plugins: `models` (User, Candidate, Staff), `profiles` (the shapes of both), `documents` (links
to identity documents), `accounts` (lock, activate, deactivate and delete an account), `sessions`
(start a session, end all of a user), `personal_data` (what a plugin exports and erases),
`attachments` (files on the account's row), `headcounts`. `credentials` has the tables of sessions,
API keys and tickets.
"""
