"""The query parameters of lists (decisions B1, B3, B6)."""

import pytest

from competition.core.errors import NotFound
from competition.core.lists import page_bounds, page_size
from competition.core.web.paging import ListQuery, ordered_by
from competition.core.web.validation import deserialize


class Listed(ListQuery):
    ordering = ordered_by(["title"])


def query(**texts):
    return deserialize(Listed, texts)


@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ({}, 20),
        ({"limit": "7"}, 7),
        ({"page_size": "7"}, 7),
        ({"limit": "7", "page_size": "9"}, 7),
        ({"limit": "100"}, 100),
        ({"limit": "101"}, 100),
        ({"limit": "9" * 50}, 100),
        ({"limit": "0"}, 20),
        ({"limit": "-5"}, 20),
        ({"limit": "many"}, 20),
        ({"limit": "1.5"}, 20),
        ({"limit": "٣"}, 20),
        ({"limit": ""}, 20),
        ({"limit": "many", "page_size": "9"}, 9),
    ],
)
def test_the_page_size_is_the_requested_one_within_bounds(asked, size):
    assert page_size(query(**asked)) == size


def test_a_list_can_have_another_default_size():
    assert page_size(query(), 10) == 10


@pytest.mark.parametrize("page", ["0", "-1", "one", "1.5", "", "9" * 30, "٣", "+1", "1e1"])
def test_a_malformed_page_number_is_not_found(page):
    with pytest.raises(NotFound):
        query(page=page)


@pytest.mark.parametrize(
    ("page", "count", "there"),
    [("1", 0, True), ("2", 0, False), ("2", 20, False), ("2", 21, True), ("3", 40, False)],
)
def test_a_page_beyond_the_last_does_not_exist(page, count, there):
    if there:
        assert page_bounds(query(page=page), count) == (int(page), 20)
    else:
        with pytest.raises(NotFound):
            page_bounds(query(page=page), count)
