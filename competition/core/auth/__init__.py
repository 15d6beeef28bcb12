"""How callers prove who they are, and what a rank may do. This package has no tables.

For plugins: `access` (what an endpoint declares: who may call it; the ranks), `identity` (the
caller of a `Work`) and `passwords`. `tokens` and `keyring` sign and verify.
"""
