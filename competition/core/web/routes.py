"""Finds the route of a path among those that begin as it does.

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
NOT_LITERAL = ("{", "*", ":")


@implementer(IRoutesMapper)
class Routes(RoutesMapper):  # type: ignore[misc]  # Pyramid has no types
    def __init__(self) -> None:
        super().__init__()
        self._by_head: dict[str, RoutesMapper] = {}

    def connect(self, *args: Any, **declared: Any) -> Any:
        self._by_head = {}
        return super().connect(*args, **declared)

    def __call__(self, request: Any) -> dict[str, Any]:
        if not self._by_head:
            self._by_head = self._divided()
        mapper = self._by_head.get(_head(request.path_info), self._by_head[""])
        found: dict[str, Any] = mapper(request)
        return found

    def _divided(self) -> dict[str, RoutesMapper]:
        """By their heads, in their order; with each go those that may begin in any way, which have
        none."""
        heads = {route: _literal_head(route.pattern) for route in self.routelist}
        divided = {}
        for head in {"", *heads.values()}:
            divided[head] = RoutesMapper()
            divided[head].routelist = [
                route for route in self.routelist if heads[route] in ("", head)
            ]
        return divided


def _head(path: str) -> str:
    return "/".join(path.split("/", HEAD + 1)[1 : HEAD + 1])


def _literal_head(pattern: str) -> str:
    head = _head("/" + pattern.lstrip("/"))
    is_whole = head.count("/") == HEAD - 1 and not head.endswith("/")
    return head if is_whole and not any(mark in head for mark in NOT_LITERAL) else ""


def includeme(config: Configurator) -> None:
    config.registry.registerUtility(Routes(), IRoutesMapper)
