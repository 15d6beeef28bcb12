"""Descriptions of fields for the document, from the file ``glossary.toml`` of a package.

Core describes the fields of every list and every account. A plugin describes its own fields, and
only those, each in one line. If a field has another meaning in one shape, a table with the name of
the shape describes it:

    rank = "The place on the board; equal scores share one."

    [Leaderboard]
    pagination = "The page of `remaining_candidates`."
"""

import tomllib
from functools import cache
from importlib import import_module, resources
from typing import Any

from pyramid.exceptions import ConfigurationError

FILE = "glossary.toml"


# Cached, because the document needs each file twice, and tests build many documents.
@cache
def of(package: str) -> dict[str, Any]:
    """The glossary of a package, empty if it has no such file. Raises ConfigurationError if the
    file can't be read."""
    if not hasattr(import_module(package), "__path__"):
        # A plugin may be a single module.
        return {}
    file = resources.files(package) / FILE
    try:
        return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    except ValueError as error:
        raise ConfigurationError(f"{file} can't be read: {error}.") from None
