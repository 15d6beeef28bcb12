"""What fields mean, for the document: the file ``glossary.toml`` of a package.

Core says what is in every list and every account. A plugin says what its fields are, each in a
line; a table has the fields of one shape that mean something else there:

    rank = "The place on the board; equal scores share one."

    [Leaderboard]
    pagination = "Of `remaining_candidates`."
"""

import tomllib
from functools import cache
from importlib import import_module, resources
from typing import Any

FILE = "glossary.toml"


@cache
def of(package: str) -> dict[str, Any]:
    """What a package says; nothing without a file. Raises tomllib.TOMLDecodeError."""
    if not hasattr(import_module(package), "__path__"):
        # A plugin may be a single module.
        return {}
    file = resources.files(package) / FILE
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
