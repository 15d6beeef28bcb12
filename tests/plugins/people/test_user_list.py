"""Accounts of both kinds in one list, with what managers and others see (decisions F14, F20)."""

import pytest

from competition.core.users.headcounts import ACCOUNTS
from competition.core.work import begin
from competition.testing.service import each_page

LIST = "/user/list/"


def emails(person, query=""):
    return {each.get("user", each)["email"] for each in each_page(person.client, LIST + query)}


# Access by role


@pytest.mark.parametrize("role", ["moderator", "admin"])
def test_staff_below_manager_can_list_only_candidates(app, role):
    person = app.staff(role)
    candidate = app.candidate()
    assert emails(person, "?profile=candidate") == {candidate.email}
    for query in ("", "?profile=staff", "?search=ada"):
        person.get(LIST + query, status=403, code="permission_denied")


@pytest.mark.parametrize("role", ["manager", "superadmin"])
def test_a_manager_lists_either_kind_or_both(app, role):
    person, candidate = app.staff(role), app.candidate()
    assert emails(person) == {person.email, candidate.email}
    assert emails(person, "?profile=staff") == {person.email}
    assert emails(person, "?profile=candidate") == {candidate.email}


def test_an_unknown_kind_of_profile_is_invalid(manager):
    reply = manager.get(f"{LIST}?profile=sponsor", status=400, code="invalid")
    assert "candidate, staff" in reply.json["errors"]["profile"][0]


# The fields of an item


def test_without_a_profile_an_item_has_one_of_two_profiles(app, manager):
    app.clock.advance(minutes=1)
    candidate = app.candidate("league", first_name="Grace", last_name="Hopper", is_active=False)
    first, second = manager.get(LIST, status=200).json["results"]
    assert first == {
        "id": str(candidate.id),
        "email": candidate.email,
        "first_name": "Grace",
        "last_name": "Hopper",
        "is_active": False,
        "date_joined": "2026-03-01T09:01:00Z",
        "staff_profile": None,
        "candidate_profile": {
            "school": "Hillside School",
            "role": "league",
            "status": "deactivated",
            "is_active": False,
            "is_user_verified": True,
            "external_id": None,
            "group": "",
            "has_email": True,
            "season": 1,
            "year": None,
        },
    }
    assert second["candidate_profile"] is None
    assert second["staff_profile"] == {
        "occupation": "Teacher",
        "role": "manager",
        "status": "active",
        "is_active": True,
        "is_user_verified": True,
    }


@pytest.mark.parametrize(("kind", "path"), [("candidate", "/candidates/"), ("staff", "/staff/")])
def test_with_a_profile_filter_the_items_equal_those_of_that_kinds_list(app, manager, kind, path):
    app.candidate()
    found = manager.get(f"{LIST}?profile={kind}").json
    expected = manager.get(path).json
    assert found["results"] == expected["results"]
    assert found["pagination"]["count"] == expected["pagination"]["count"] == 1


def test_accounts_are_filtered_by_whether_they_are_active(app, manager):
    off = app.candidate(is_active=False)
    assert emails(manager, "?is_active=false") == {off.email}
    assert emails(manager, "?is_active=1") == {manager.email}
    manager.get(f"{LIST}?is_active=perhaps", status=400, code="invalid")


def test_accounts_are_found_by_name_email_and_school(app, manager):
    ada = app.candidate(first_name="Augusta", last_name="Byron", school="Valley")
    app.staff("admin", first_name="Augusta", last_name="Gregory")
    assert emails(manager, "?search=augusta%20val") == {ada.email}
    assert len(emails(manager, "?search=AUGUSTA")) == 2
    assert emails(manager, "?search=augusta&profile=candidate") == {ada.email}


def test_pages_of_both_kinds_do_not_overlap(app, manager):
    everybody = {manager.email}
    for _ in range(3):
        everybody |= {app.candidate().email, app.staff("admin").email}
    found = [each["email"] for each in each_page(manager.client, f"{LIST}?limit=2")]
    assert len(found) == len(everybody)
    assert set(found) == everybody


# The overview


@pytest.fixture
def accounts(app, manager):
    """Three candidates and three members of staff. One of each kind is deactivated."""
    for make in (app.candidate, lambda **fields: app.staff("moderator", **fields)):
        make(verification="pending")
        make(is_active=False)
    return app.candidate()


def test_a_managers_overview_counts_all_users(manager, accounts):
    for query in ("", "?profile=staff", "?profile=candidate", "?search=nobody"):
        assert manager.get(LIST + query).json["stats_overview"] == {
            "total_users": 6,
            "active_users": 4,
            "staff_count": 3,
            "candidate_count": 3,
        }


@pytest.mark.parametrize("role", ["moderator", "admin"])
def test_the_overview_of_staff_below_manager_counts_only_candidates(app, accounts, role):
    reply = app.staff(role).get(f"{LIST}?profile=candidate").json
    assert reply["stats_overview"] == {
        "total_users": 3,
        "active_users": 2,
        "candidate_count": 3,
    }


def test_a_message_replaces_the_overview_while_another_request_counts(live):
    """The other request counts the accounts, but has not committed yet. No count of the last minute
    is stored.
    """
    manager = live.staff("manager")
    with begin(live.runtime) as work:
        ACCOUNTS.refresh(work)
        reply = manager.get(LIST, status=200).json
        assert set(reply["stats_overview"]) == {"message"}
        assert reply["pagination"]["count"] == 1
    assert manager.get(LIST, status=200).json["stats_overview"]["total_users"] == 1
    live.clock.advance(seconds=59)
    with begin(live.runtime) as work:
        ACCOUNTS.refresh(work)
        assert manager.get(LIST).json["stats_overview"]["total_users"] == 1


def test_the_overview_is_at_most_a_minute_old(app, manager):
    def count():
        return manager.get(LIST).json["stats_overview"]["candidate_count"]

    assert count() == 0
    app.candidate()
    app.clock.advance(seconds=61)
    assert count() == 1
