"""The tests that check every view of the pages leave out no page."""

import re
from pathlib import Path

import pytest

from tests.support.views import VIEWS, looked_at, routes


@pytest.mark.parametrize("front_end", VIEWS)
def test_each_page_is_among_the_views(front_end):
    missing = routes(front_end) - set(VIEWS[front_end].values())
    assert missing == set(), "Add these pages to tests/support/views.py."


@pytest.mark.parametrize("front_end", VIEWS)
def test_a_test_looks_at_each_view(front_end):
    names = looked_at(Path(__file__).parent)
    forgotten = [each for each in VIEWS[front_end] if not re.fullmatch(names, each)]
    assert forgotten == [], "No test calls `every_view` with these names."
