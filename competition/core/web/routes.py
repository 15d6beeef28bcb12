"""Finds the route of a path among those that begin and end as it does.

Pyramid tries the pattern of one route after another, which for the last of a hundred takes as long
as a statement.
"""

from typing import Any

from pyramid.config import Configurator
from pyramid.interfaces import IRoutesMapper
from pyramid.urldispatch import RoutesMapper
from zope.interface import implementer

# Segments, such as ``v1`` and ``exams``.
HEAD = 2
NOT_LITERAL = ("{", "}", "*", ":")

# The literal head and tail of a pattern; empty are those that may begin or end in any way.
Ends = tuple[str, str]


@implementer(IRoutesMapper)
class Routes(RoutesMapper):  # type: ignore[misc]  # Pyramid has no types
    def __init__(self) -> None:
        super().__init__()
        self._ends: dict[Any, Ends] = {}
        self._heads: set[str] = set()
        self._tails: set[str] = set()
        self._by_ends: dict[Ends, RoutesMapper] = {}

    def connect(self, *args: Any, **declared: Any) -> Any:
        self._ends, self._by_ends = {}, {}
        return super().connect(*args, **declared)

    def __call__(self, request: Any) -> dict[str, Any]:
        if not self._ends:
            ends = {route: _literal_ends(route.pattern) for route in self.routelist}
            self._heads = {head for head, _ in ends.values()}
            self._tails = {tail for _, tail in ends.values()}
            # The last: by it other threads see that it is all there.
            self._ends = ends
        path = request.path_info
        head, tail = _head(path), _tail(path)
        # Only what there is: paths are made up by clients.
        fitting = head if head in self._heads else "", tail if tail in self._tails else ""
        mapper = self._by_ends.get(fitting)
        if mapper is None:
            mapper = self._by_ends[fitting] = self._mapper_of(*fitting)
        found: dict[str, Any] = mapper(request)
        return found

    def _mapper_of(self, head: str, tail: str) -> RoutesMapper:
        """Of those that fit, in their order."""
        mapper = RoutesMapper()
        mapper.routelist = [
            route
            for route in self.routelist
            if self._ends[route][0] in ("", head) and self._ends[route][1] in ("", tail)
        ]
        return mapper


def _head(path: str) -> str:
    return "/".join(path.split("/", HEAD + 1)[1 : HEAD + 1])


def _tail(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _literal_ends(pattern: str) -> Ends:
    head = _head("/" + pattern.lstrip("/"))
    is_whole = head.count("/") == HEAD - 1 and not head.endswith("/")
    return (_literal(head) if is_whole else ""), _literal(_tail(pattern))


def _literal(part: str) -> str:
    return "" if any(mark in part for mark in NOT_LITERAL) else part


def includeme(config: Configurator) -> None:
    config.registry.registerUtility(Routes(), IRoutesMapper)
