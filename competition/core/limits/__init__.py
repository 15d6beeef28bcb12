"""Rate limits: how often something may be done, counted in Redis.

For plugins: `counters` (rates in settings) and `acts` (limits on what a rule does, such as sending
a code or checking a password). Limits on requests are in `competition.core.web.limits`. `addresses`
finds out who the client is.
"""
