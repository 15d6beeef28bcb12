"""The pages of a plugin, as its file `routes.json` declares them.

The document of a front-end has all its routes, so the service and the browser read the same list.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from pyramid.exceptions import ConfigurationError


@dataclass(frozen=True)
class Route:
    """A page: its address below the prefix, in which `:name` is a parameter, its module, relative
    to `routes.json`, and the component that the module exports. A page that is `open` needs no
    session. A page that `stays` is still shown after the session has ended."""

    path: str
    module: str
    page: str
    open: bool = False
    stays: bool = False


def routes_in(file: str, content: bytes) -> tuple[Route, ...]:
    """The routes that this file declares. Raises ConfigurationError if it has another form."""
    try:
        routes = tuple(Route(**each) for each in json.loads(content))
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"{file} is no list of routes: {error}.") from error
    for each in routes:
        if not each.path.startswith("/"):
            raise ConfigurationError(f"{file}: the path {each.path!r} must begin with a slash.")
    return routes


def check_paths(front_end: str, routes: Iterable[Route]) -> None:
    """Raises ConfigurationError if two pages have the same address."""
    known: set[str] = set()
    for each in routes:
        if each.path in known:
            raise ConfigurationError(f"The front-end {front_end} has two pages at {each.path!r}.")
        known.add(each.path)
