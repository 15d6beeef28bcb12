import io
import threading

import pytest
from rich.console import Console

from tools.demo.errors import DemoError
from tools.demo.steps import Steps


def steps() -> Steps:
    return Steps(Console(file=io.StringIO()))


def test_results_are_in_the_order_of_the_items() -> None:
    with steps() as running:
        assert running.each("squares", range(50), lambda number: number**2) == [
            number**2 for number in range(50)
        ]


def test_a_step_without_items_is_done() -> None:
    with steps() as running:
        assert running.each("nothing", [], str) == []


def test_no_further_item_begins_after_a_failure() -> None:
    begun: list[int] = []
    failed = threading.Event()

    def act(number: int) -> None:
        begun.append(number)
        if number == 0:
            failed.set()
            raise DemoError("no")
        failed.wait()
        # If all calls ran, this would take half a minute.
        threading.Event().wait(0.2)

    with steps() as running, pytest.raises(DemoError, match="no"):
        running.each("failing", range(1000), act)
    assert len(begun) < 1000
