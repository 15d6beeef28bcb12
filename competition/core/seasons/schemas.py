"""The query parameter `season`, with which clients choose a season."""

from typing import Any

from competition.core.schemas import LARGEST_ID, Integer, Schema, node


def season_filter() -> Any:
    """The query parameter `season` of a list. Pass its value to `current.wanted`."""
    return node(
        Integer(1, LARGEST_ID),
        missing=None,
        description="The id of a season; without this parameter, the current season.",
    )


class SeasonQuery(Schema):
    season = season_filter()
