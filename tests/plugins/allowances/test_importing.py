"""Imports of percentages of extra time (organisers.md, O1)."""

import pytest

from tests.support.imports import apply, bring, check, rows, send

HEADER = "email,percent,reason\n"


def percent_of(person, candidate):
    found = person.get(f"/candidates/{candidate.id}/allowance/").json
    return found["percent"], found["reason"]


def test_percentages_are_set(app, admin):
    ada, bob = app.candidate(), app.candidate()
    content = HEADER + f"{ada.email},25 %,Dyslexia\n{bob.email},0,None any longer\n"
    assert [each["state"] for each in bring(app, admin, "allowances", content)] == ["new", "new"]
    assert percent_of(admin, ada) == (25, "Dyslexia")
    content = HEADER + f"{ada.email},33,Dyslexia\n{bob.email},0,None any longer\n"
    one, two = bring(app, admin, "allowances", content)
    assert (one["state"], one["before"]) == ("changed", {"percent": 25})
    assert two["state"] == "unchanged"
    assert percent_of(admin, ada) == (33, "Dyslexia")


@pytest.mark.parametrize(
    ("cells", "field"),
    [("301,x", "percent"), ("-1,x", "percent"), ("x,x", "percent"), ("25,", "reason")],
)
def test_wrong_cells_are_named(app, admin, cells, field):
    content = HEADER + f"{app.candidate().email},{cells}\n"
    [row] = rows(admin, check(app, admin, "allowances", content))
    assert [*row["errors"]] == [field]
    if cells == "x,x":
        assert row["errors"][field] == ["Write only the number of percent, such as 25."]


def test_a_candidate_twice_names_the_earlier_line(app, admin):
    ada = app.candidate()
    content = HEADER + f"{ada.email},25,x\n{ada.email},50,x\n"
    found = check(app, admin, "allowances", content)
    assert rows(admin, found)[1]["errors"] == {
        "line": ["Line 2 is about the same person. Delete one of the two lines."]
    }
    assert apply(app, admin, found, invalid="skip")["counts"]["applied"] == 1


def test_a_moderator_cannot_give_extra_time(moderator):
    send(moderator, "allowances", HEADER, status=403, code="permission_denied")
