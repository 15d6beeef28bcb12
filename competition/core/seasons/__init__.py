"""Seasons: the years of the league.

A candidate has a role in one season: the season that they joined last. So core has the table of
seasons. Exactly one season is current, and `current` finds it. The plugin `seasons` opens the next
season, and `blockers` declares what prevents that. Without the plugin, no other season is opened.
"""
