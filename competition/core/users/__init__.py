"""Accounts, and the sessions and API keys that identify callers.

For plugins: `models` (User, Candidate, Staff), `profiles` (their shapes in the API), `accounts`
(lock, activate, deactivate and delete an account), `callers` (the identity behind a token or a
session), `sessions` (start a session, end all sessions of a user), `personal_data` (what a plugin
exports and erases), `attachments` (files of an account), `documents` (links to identity documents),
`headcounts` (counts of accounts). `credentials` has the tables of sessions, API keys and tickets.
"""
