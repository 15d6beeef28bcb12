"""Names of schools that are suggested during registration."""

from urllib.parse import quote

import pytest

from competition.core.jobs.aggregates import REFRESHED_EVERY
from competition.core.limits.counters import parse_rates
from competition.core.work import begin
from competition.plugins.accounts.services.schools import NAMES


def pupils(service, school, count=3, **fields):
    for _ in range(count):
        service.candidate(school=school, **fields)


def suggested(service, search, **options):
    """Count the schools again, as the periodic task does, and return the suggestions for a
    search."""
    service.clock.advance(seconds=REFRESHED_EVERY.total_seconds())
    with begin(service.runtime) as work:
        NAMES.refresh(work)
    path = f"/schools/names/?search={search}"
    return service.anonymous.get(path, status=200, **options).json["results"]


def test_names_with_every_word_are_suggested_and_names_that_begin_with_it_come_first(app):
    for school in ("Old Hillside School", "Hillside School", "Riverside School"):
        pupils(app, school)
    assert suggested(app, "HILL") == ["Hillside School", "Old Hillside School"]
    assert suggested(app, "school%20river") == ["Riverside School"]
    assert suggested(app, "moon") == []
    pupils(app, "St. Mary\u2019s")
    assert suggested(app, "mary`s") == suggested(app, "mary%C2%B4s") == ["St. Mary\u2019s"]


def test_a_name_that_fewer_than_three_approved_candidates_have_is_private(app):
    pupils(app, "Hillside School", 2)
    pupils(app, "Hillside School", verification="pending")
    pupils(app, "Hillside School", verification="rejected")
    pupils(app, "Hillside School", is_active=False)
    assert suggested(app, "hill") == []
    pupils(app, "Hillside School", 1)
    assert suggested(app, "hill") == ["Hillside School"]


def test_the_name_is_the_one_that_staff_have_approved(app):
    pupils(app, "My secret", approved_school="Hillside School")
    assert suggested(app, "secret") == []
    assert suggested(app, "hill") == ["Hillside School"]


def test_all_spellings_of_a_school_are_suggested_once_in_the_most_frequent_one(app):
    pupils(app, "École d\u2019Ulm", 2)
    for school in ("ÉCOLE D\u2019ULM", "École  d'Ulm", "Ecole d'Ulm"):
        pupils(app, school, 1)
    assert (
        suggested(app, "ecole d'u")
        == suggested(app, quote("E\u0301COLE D\u2019U"))
        == ["École d\u2019Ulm"]
    )


def test_a_search_in_capital_letters_finds_the_name(app):
    pupils(app, "Ikeja School")
    for search in ("IKEJA", "ikeja", "IKE"):
        assert suggested(app, search) == ["Ikeja School"]


def test_at_most_twenty_names_are_suggested(app):
    for number in range(21):
        pupils(app, f"School {number:02}")
    assert suggested(app, "school") == [f"School {number:02}" for number in range(20)]


@pytest.mark.parametrize("query", ["", "?search=", "?search=h", "?search=%20h%20"])
def test_a_search_has_at_least_two_letters(app, query):
    reply = app.anonymous.get(f"/schools/names/{query}", status=400, code="invalid")
    assert list(reply.json["errors"]) == ["search"]


def test_suggestions_have_a_rate_limit_of_their_own_per_address(app_with, monkeypatch):
    monkeypatch.setattr("competition.plugins.accounts.SCHOOL_NAMES", parse_rates("2/hour"))
    service = app_with(
        {
            "competition.ratelimit.enabled": "true",
            "competition.ratelimit.networks": "203.0.113.0/24=4/minute",
        }
    )
    home, other = ({"environ": {"REMOTE_ADDR": each}} for each in ("198.51.100.7", "198.51.100.8"))
    path = "/schools/names/?search=hill"
    for _ in range(2):
        service.anonymous.get(path, status=200, **home)
    service.anonymous.get(path, status=429, code="throttle_exceeded", **home)
    service.anonymous.get(path, status=200, **other)
    # Suggestions don't count against the limit of the address for other requests.
    service.anonymous.get("/registration/consent/", status=200, **home)
    # The settings give a higher rate to a school's network.
    school = {"environ": {"REMOTE_ADDR": "203.0.113.1"}}
    for _ in range(4):
        service.anonymous.get(path, status=200, **school)
    service.anonymous.get(path, status=429, **school)


def test_the_periodic_task_stores_the_names(app):
    pupils(app, "Hillside School")
    app.run_task("accounts.schools")
    with begin(app.runtime) as work:
        assert NAMES.stored(work) == {"Hillside School": "hillside school"}
