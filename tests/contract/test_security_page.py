"""Check that every test named in docs/security.md exists."""

import re

from tests.support.repository import REPOSITORY, names_of_tests

PAGE = (REPOSITORY / "docs" / "security.md").read_text()


def test_every_test_that_the_page_names_exists():
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named
    assert named - names_of_tests() == set()


def test_all_code_that_the_page_names_exists():
    named = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]+?)(?:::(\w+))?`", PAGE))
    assert named
    for path, name in named:
        found = [folder / path for folder in (REPOSITORY / "competition", REPOSITORY)]
        found = [each for each in found if each.exists()]
        assert found, path
        assert not name or re.search(rf"\b{name}\b", found[0].read_text()), f"{path}::{name}"
