"""Live updates: pushes to the sockets of clients, and the actions that clients send there.

For plugins: `feeds` (rows that are pushed to their users), `sockets` (actions of clients, and
objects that they follow), `notify` (a NOTIFY to the socket processes, sent with the commit).
"""
