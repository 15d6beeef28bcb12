from collections import Counter
from contextlib import ExitStack

import pytest

from competition.core.auth import passwords
from tools.demo import cast
from tools.demo.cast import FEWEST_CANDIDATES, Part
from tools.demo.client import Client, connect


@pytest.fixture
def client() -> Client:
    with ExitStack() as stack:
        return stack.enter_context(connect("http://127.0.0.1:1/v1", "key"))


def test_the_smallest_number_of_candidates_has_every_part(client: Client) -> None:
    parts = {candidate.part for candidate in cast.candidates(client, "tag", FEWEST_CANDIDATES)}
    assert parts == set(Part)


def test_most_of_many_candidates_are_ordinary(client: Client) -> None:
    parts = Counter(candidate.part for candidate in cast.candidates(client, "tag", 200))
    assert parts[Part.ORDINARY] > 150
    assert parts[Part.NEVER_VERIFIES] == parts[Part.REJECTED_FIRST] == parts[Part.ON_PAPER] == 1
    assert parts[Part.ABSENT] > 3


def test_a_twin_answers_like_an_ordinary_candidate(client: Client) -> None:
    candidates = cast.candidates(client, "tag", 200)
    twins = [candidate for candidate in candidates if candidate.part is Part.TWIN]
    assert len(twins) == 20
    for twin in twins:
        assert candidates[twin.mind].part is Part.ORDINARY
        assert candidates[twin.mind].mind == twin.mind


def test_email_addresses_differ_between_people_and_runs(client: Client) -> None:
    people = [
        person
        for tag in ("one", "two")
        for person in [*cast.candidates(client, tag, 50), *cast.staff(client, tag)]
    ]
    assert len({person.email for person in people}) == len(people)


def test_no_two_candidates_of_two_hundred_have_the_same_name(client: Client) -> None:
    names = {candidate.full_name for candidate in cast.candidates(client, "tag", 200)}
    assert len(names) == 200


def test_some_names_are_not_ascii(client: Client) -> None:
    names = [candidate.full_name for candidate in cast.candidates(client, "tag", FEWEST_CANDIDATES)]
    assert not all(name.isascii() for name in names)


def test_the_service_accepts_the_passwords(client: Client) -> None:
    for person in [*cast.candidates(client, "tag", 50), *cast.staff(client, "tag")]:
        personal = (person.first_name, person.last_name, person.email)
        assert passwords.problems(person.password, personal) == []


def test_a_password_is_not_shown(client: Client) -> None:
    [person, *_] = cast.candidates(client, "tag", FEWEST_CANDIDATES)
    assert person.password not in repr(person)
