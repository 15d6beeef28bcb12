"""The pages of a plugin, as its file `routes.json` declares them.

The document of a front-end has all its routes, so the service and the browser read the same list.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_type_hints

from pyramid.exceptions import ConfigurationError

PARAMETER = re.compile(r":\w+")


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
    """The routes that this file declares. Raises ConfigurationError if the content is not a JSON
    list of routes, or if a path does not begin with a slash."""
    try:
        routes = tuple(_route(each) for each in json.loads(content))
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"{file} is not a list of routes: {error}.") from error
    for each in routes:
        if not each.path.startswith("/"):
            raise ConfigurationError(f"{file}: the path {each.path!r} must begin with a slash.")
    return routes


def _route(declared: Any) -> Route:
    """The Route that an object of the file declares. Raises TypeError if a part is missing, unknown
    or of another type."""
    route = Route(**declared)
    for name, wanted in get_type_hints(Route).items():
        value = getattr(route, name)
        if not isinstance(value, wanted):
            raise TypeError(f"{name!r} can't be {value!r}")
    return route


def check_paths(front_end: str, routes: Iterable[Route]) -> None:
    """Check that no two pages of a front-end have the same addresses.

    The names of parameters and a slash at the end make no difference. Raises ConfigurationError if
    two pages have the same addresses.
    """
    known: set[str] = set()
    for each in routes:
        addresses = PARAMETER.sub(":", each.path).rstrip("/")
        if addresses in known:
            raise ConfigurationError(
                f"The front-end {front_end} has two pages at {each.path!r}. Change one."
            )
        known.add(addresses)
