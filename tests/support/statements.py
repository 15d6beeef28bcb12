"""How many statements of SQL a request takes."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

Act = Callable[[], Any]


def counts(
    statements: Callable[[], AbstractContextManager[list[str]]], acts: Mapping[str, Act]
) -> dict[str, int]:
    """Of each act, one after the other; the first statement of a request is for who it is. Those of
    the test's own transaction are left out."""

    def count() -> Iterator[tuple[str, int]]:
        for name, act in acts.items():
            with statements() as executed:
                act()
            yield name, len([each for each in executed if "SAVEPOINT" not in each])

    return dict(count())
