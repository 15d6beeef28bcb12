"""Seasons: the years of the league.

Core has the table of seasons, because the role of a candidate, which core stores with the account,
applies to one season: the season that they joined last. Exactly one season is current, and
`current` finds it. The plugin `seasons` opens the next season. With `blockers`, other plugins
declare what prevents that. Without the plugin `seasons`, no other season is opened.
"""
