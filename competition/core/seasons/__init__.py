"""Seasons: the years of the league.

A candidate's role is the role in a season, so core has the table of seasons, and every candidate
has the season that they joined last. One season is current. `current` finds it, and `blockers`
declares what keeps the next one from being opened. The plugin `seasons` opens it; without that
plugin there is one season.
"""
