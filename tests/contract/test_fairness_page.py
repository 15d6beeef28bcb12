"""Check that every rule and test named in docs/fairness.md, or on the page on races, exists."""

import re

import pytest

from tests.support.repository import REPOSITORY, names_of_tests

DECISIONS = REPOSITORY / "docs" / "decisions"
FAIRNESS = (REPOSITORY / "docs" / "fairness.md").read_text()
RACES = (DECISIONS / "0028-races-of-results.md").read_text()


def promises():
    """The promise, the rules and the tests in each row of the tables."""
    # The section with a different table is checked in test_every_pair.py.
    sections = FAIRNESS.split("\n## ")
    lines = [
        line
        for section in sections
        if not section.startswith("Effects of a candidate's actions")
        for line in section.splitlines()
    ]
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    return [row for row in rows if row[0] != "we promise" and "---" not in row[0]]


@pytest.mark.parametrize("page", [FAIRNESS, RACES])
def test_every_test_that_the_page_names_exists(page):
    named = set(re.findall(r"`(test_\w+)`", page))
    assert named
    assert named - names_of_tests() == set()
    modules = re.findall(r"`(tests/[\w/.-]+\.test\.js)`", page)
    assert all((REPOSITORY / each).is_file() for each in modules)


def test_each_promise_names_an_existing_rule_and_a_test():
    contract = (DECISIONS / "contract.md").read_text()
    # A row `| G4, G5 | …` has two rules, and a heading `## G. Exams` has one rule.
    first_cells = re.findall(r"^\| ([^|]+) \|", contract, re.MULTILINE)
    rules = {rule for cell in first_cells for rule in cell.split(", ")}
    rules |= set(re.findall(r"^## (\w)\. ", contract, re.MULTILINE))
    rules |= {page.name for page in DECISIONS.glob("*.md")}
    assert promises()
    for promise, cited, proofs in promises():
        assert set(cited.split(", ")) <= rules, promise
        assert "`test" in proofs, promise
