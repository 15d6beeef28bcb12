"""Who is calling: API keys, sessions, tokens, passwords, tickets of sockets, the ranks.

For plugins: `access` (what a view declares: who may call it; the ranks), `identity` (the caller of
a `Work`), `passwords`, `sessions` (to start one, to end all of a user). The rest is core's own.
"""
