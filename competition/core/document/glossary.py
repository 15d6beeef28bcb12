"""What fields mean, for the document: the file ``glossary.toml`` of a package.

Core says what is in every list and every account. A plugin says what its fields are, each in a
line, and nothing of those of others; a table has the fields of one shape that mean something else
there:

    rank = "The place on the board; equal scores share one."

    [Leaderboard]
    pagination = "Of `remaining_candidates`."
"""

import tomllib
from functools import cache
from importlib import import_module, resources
from typing import Any

from pyramid.exceptions import ConfigurationError

FILE = "glossary.toml"


# Cached, because the document needs each file twice, and tests make many documents.
@cache
def of(package: str) -> dict[str, Any]:
    """What a package says; nothing without a file. Raises ConfigurationError."""
    if not hasattr(import_module(package), "__path__"):
        # A plugin may be a single module.
        return {}
    file = resources.files(package) / FILE
    try:
        return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    except ValueError as error:
        raise ConfigurationError(f"{file} can't be read: {error}.") from None
