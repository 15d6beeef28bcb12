"""No test pauses for a fixed time: it waits for a condition, or moves its own clock.

A fixed pause is too short on a busy machine, and too long on every other. What polls for a
condition is in `tests/support` and `competition/testing`.
"""

import ast
from collections.abc import Iterator

from tests.support.repository import REPOSITORY

PAUSES = {"sleep", "wait_for_timeout"}
SUPPORT = REPOSITORY / "tests/support"


def pauses(source: str) -> Iterator[int]:
    """The lines of the calls that pause. ``asyncio.sleep(0)`` only lets other tasks run."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", None))
        is_zero = [getattr(each, "value", None) for each in node.args] == [0]
        if name in PAUSES and not is_zero:
            yield node.lineno


def test_no_test_pauses_for_a_fixed_time():
    files = [each for each in REPOSITORY.glob("tests/**/*.py") if SUPPORT not in each.parents]
    assert len(files) > 100
    found = [f"{each}:{line}" for each in files for line in pauses(each.read_text())]
    assert found == []


def test_pauses_are_found_by_their_names():
    assert [*pauses("time.sleep(1)\nsleep(n)\npage.wait_for_timeout(9)")] == [1, 2, 3]
    assert [*pauses("await asyncio.sleep(0)\nwait_until(lambda: done)")] == []
