"""The tests that check every view of the pages leave out no page."""

import re
from pathlib import Path

import pytest

from tests.support.page_modules import Blank
from tests.support.programs import CHROMIUM, needs_program
from tests.support.views import VIEWS, looked_at


@needs_program(CHROMIUM)
@pytest.mark.parametrize("front_end", VIEWS)
def test_each_page_is_among_the_views(blank: Blank, front_end: str) -> None:
    missing = blank.routes(front_end) - set(VIEWS[front_end].values())
    assert missing == set(), "Add these pages to tests/support/views.py."


@pytest.mark.parametrize("front_end", VIEWS)
def test_a_test_looks_at_each_view(front_end: str) -> None:
    names = looked_at(Path(__file__).parent)
    forgotten = [each for each in VIEWS[front_end] if not re.fullmatch(names, each)]
    assert forgotten == [], "No test calls `every_view` with these names."
