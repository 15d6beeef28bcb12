"""The tests that check every view of the pages leave out no page."""

import json
import re
from pathlib import Path

import pytest

from tests.support.repository import REPOSITORY
from tests.support.views import VIEWS, looked_at


@pytest.mark.parametrize("front_end", VIEWS)
def test_each_page_is_among_the_views(front_end: str) -> None:
    file = REPOSITORY / "competition/plugins" / front_end / "static/routes.json"
    pages = {each["path"] for each in json.loads(file.read_text())}
    assert pages - set(VIEWS[front_end].values()) == set(), (
        "Add these pages to tests/support/views.py."
    )


@pytest.mark.parametrize("front_end", VIEWS)
def test_a_test_looks_at_each_view(front_end: str) -> None:
    names = looked_at(Path(__file__).parent)
    forgotten = [each for each in VIEWS[front_end] if not re.fullmatch(names, each)]
    assert forgotten == [], "No test calls `every_view` with these names."
