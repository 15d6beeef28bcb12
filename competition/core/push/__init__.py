"""Live pushes: what a committed transaction tells the socket processes, and what clients send
there.

For plugins: `feeds` (rows that are pushed to their users), `sockets` (actions: what clients may
send), `notify` (telling the socket processes, with the commit).
"""
