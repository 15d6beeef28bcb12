"""The socket process: live pushes to clients, and what they send back.

It keeps nothing of its own. What it pushes is loaded from the database once it is committed, and
what clients send goes to the functions that the plugins registered
(`competition.core.push.sockets.Action`). Any number of these processes run beside each other,
behind any load balancer.
"""
