"""Live pushes: what a committed transaction tells the socket processes, and what clients ask there.

For plugins: `feeds` (rows that are pushed to their users), `sockets` (what clients may ask for),
`notify` (telling the socket processes, with the commit).
"""
