"""Rate limits, counted in Redis.

For plugins: `counters` (rates in settings) and `acts` (limits on single actions, such as sending a
code or checking a password). Limits on requests are in `competition.core.web.counting`. `addresses`
determines the client's address.
"""
