"""The socket process: it pushes live updates to clients over WebSockets, and handles the messages
that clients send.

The process stores no data. It loads updates from the database after they are committed, and passes
the messages of clients to functions that plugins register (`competition.core.push.sockets.Action`).
Any number of socket processes can run at the same time, behind any load balancer.
"""
