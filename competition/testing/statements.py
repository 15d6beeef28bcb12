"""Collect the SQL statements of the service."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

# Statements that are not collected. They begin and end the transactions of `app`, which are
# savepoints.
AROUND = ("SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK TO", "set local transaction_read_only")


@contextmanager
def executed(engines: Iterable[Engine]) -> Iterator[list[str]]:
    """Context manager: collect the text of each statement that these engines execute, without
    BEGIN, COMMIT and savepoints."""
    found: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if not statement.startswith(AROUND):
            found.append(statement)

    listened = {*engines}
    for engine in listened:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        for engine in listened:
            event.remove(engine, "before_cursor_execute", note)
