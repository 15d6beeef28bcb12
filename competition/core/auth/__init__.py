"""Authentication of callers, and the ranks that decide what they may do. This package has no
tables.

For plugins: `access` (roles, ranks, and the callers that an endpoint admits), `identity` (the
caller of a `Work`), `passwords` (rules for new passwords) and `hashing`. `tokens` and `keyring`
sign and verify.
"""
