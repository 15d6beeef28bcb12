"""Count the SQL statements of requests."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

Act = Callable[[], Any]


def counts(
    statements: Callable[[], AbstractContextManager[list[str]]], acts: Mapping[str, Act]
) -> dict[str, int]:
    """Run the acts one after the other, and count the SQL statements of each.

    The first statement of a request identifies the caller. Statements of the test's own transaction
    are not counted.
    """

    def count() -> Iterator[tuple[str, int]]:
        for name, act in acts.items():
            with statements() as executed:
                act()
            yield name, len([each for each in executed if "SAVEPOINT" not in each])

    return dict(count())


def above(limits: Mapping[str, int], found: Mapping[str, int]) -> dict[str, int]:
    """The counts that are above their limit."""
    return {name: count for name, count in found.items() if count > limits[name]}
