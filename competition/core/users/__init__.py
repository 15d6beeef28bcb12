"""Accounts: the table of candidates and staff, how they are shown, counted, switched off.

For plugins: `models` (User, Candidate, Staff), `profiles` (the shapes of both), `documents` (links
to identity documents), `accounts` (an account, locked; switching it off and on; deleting it),
`attachments` (files on its row), `headcounts`.
"""
