from dataclasses import replace
from itertools import combinations, product
from uuid import uuid4

import pytest
from pyramid.exceptions import ConfigurationError

from competition.core.auth.access import (
    API_KEY,
    PUBLIC,
    RANKED,
    USER,
    WEBHOOK,
    CandidateRole,
    StaffRole,
    candidate,
    has_rank,
    rank,
    staff,
)
from competition.core.auth.identity import Identity
from competition.core.errors import (
    PermissionDenied,
    SecondFactorRequired,
    UnverifiedCandidate,
    UnverifiedStaff,
)


def person(role, email=True, approved=True, lacks_second_factor=False, permissions=()):
    return Identity(
        user_id=uuid4(),
        kind="candidate" if role in set(CandidateRole) else "staff",
        role=role,
        full_name="Ada Lovelace",
        is_verified=email and approved,
        # Only staff need a second factor.
        lacks_second_factor=lacks_second_factor and role in set(StaffRole),
        permissions=frozenset(permissions),
    )


@pytest.mark.parametrize(("role", "lowest"), list(product(RANKED, RANKED)))
def test_a_role_has_the_access_of_lower_roles(role, lowest):
    refusal = staff(lowest).refusal(person(role))
    assert refusal is (None if RANKED.index(role) >= RANKED.index(lowest) else PermissionDenied)


@pytest.mark.parametrize("access", [USER, *(staff(lowest) for lowest in RANKED)])
def test_a_sponsor_has_no_access(access):
    assert access.refusal(person("sponsor")) is PermissionDenied


@pytest.mark.parametrize("lowest", RANKED)
def test_a_sponsor_and_a_candidate_have_no_rank(lowest):
    assert rank("sponsor") < 0
    assert not has_rank(person("sponsor"), lowest)
    assert not has_rank(person("winner"), lowest)


@pytest.mark.parametrize("role", CandidateRole)
def test_candidates_and_staff_do_not_have_each_others_access(role):
    assert staff(verified=False).refusal(person(role)) is PermissionDenied
    assert candidate(verified=False).refusal(person("superadmin")) is PermissionDenied


def test_access_can_be_limited_to_some_candidate_roles():
    access = candidate(CandidateRole.LEAGUE, CandidateRole.FINAL)
    let_in = {role for role in CandidateRole if access.refusal(person(role)) is None}
    assert let_in == {"league", "final"}


@pytest.mark.parametrize(("email", "approved"), [(True, False), (False, True), (False, False)])
def test_verified_email_and_documents_are_both_needed(email, approved):
    assert candidate().refusal(person("league", email, approved)) is UnverifiedCandidate
    assert staff().refusal(person("admin", email, approved)) is UnverifiedStaff
    assert USER.refusal(person("league", email, approved)) is None
    assert USER.refusal(person("volunteer", email, approved)) is None


def test_the_role_is_checked_before_the_verification():
    admin = staff(StaffRole.ADMIN)
    assert admin.refusal(person("moderator", approved=False)) is PermissionDenied
    assert admin.refusal(person("league", approved=False)) is PermissionDenied


def test_each_kind_of_account_is_checked_by_its_own_rule():
    access = candidate(CandidateRole.WINNER, verified=False) | staff(StaffRole.MANAGER)
    assert access.refusal(person("winner", approved=False)) is None
    assert access.refusal(person("final")) is PermissionDenied
    assert access.refusal(person("manager")) is None
    assert access.refusal(person("manager", approved=False)) is UnverifiedStaff


def test_one_of_several_rules_for_a_kind_is_enough():
    first, second = candidate(CandidateRole.FINAL), candidate(CandidateRole.WINNER, verified=False)
    for access in (first | second, second | first):
        assert access.refusal(person("final")) is None
        assert access.refusal(person("winner", approved=False)) is None
        assert access.refusal(person("final", approved=False)) is UnverifiedCandidate
        assert access.refusal(person("league", approved=False)) is PermissionDenied
    granted = replace(person("volunteer"), permissions=frozenset({"notes.pin"}))
    for permissions in (("notes.pin", "notes.draw"), ("notes.draw", "notes.pin")):
        one, other = (staff(StaffRole.ADMIN, permission=each) for each in permissions)
        assert (one | other).refusal(granted) is None


def test_of_several_errors_the_caller_gets_one_they_can_resolve():
    setting_up = staff(StaffRole.MANAGER, second_factor=False)
    lacking = person("admin", lacks_second_factor=True)
    for access in (staff() | setting_up, setting_up | staff()):
        assert access.refusal(lacking) is SecondFactorRequired
        assert access.refusal(person("volunteer", approved=False)) is UnverifiedStaff


WAYS = [
    candidate(),
    candidate(verified=False),
    candidate(CandidateRole.FINAL),
    candidate(CandidateRole.WINNER, verified=False),
    staff(StaffRole.ADMIN, permission="notes.pin"),
    staff(StaffRole.MANAGER, permission="notes.read"),
    staff(StaffRole.MODERATOR, verified=False),
    staff(StaffRole.SUPERADMIN, second_factor=False),
]
ALL_CALLERS = [
    person(*each, permissions=permissions)
    for each in product([*CandidateRole, *StaffRole], *[[True, False]] * 3)
    for permissions in ((), ("notes.pin",), ("notes.read",))
]


@pytest.mark.parametrize("ways", [*combinations(WAYS, 2), (WAYS[2], WAYS[4], WAYS[3])])
def test_combined_accesses_allow_callers_whom_one_of_them_allows(ways):
    """The order of the alternatives does not matter. A rejected caller gets the error of one of
    them, and the OpenAPI document lists all these errors.
    """
    joined = [ways[0], ways[-1]]
    for left, right in zip(ways[1:], ways[-2::-1], strict=True):
        joined = [joined[0] | left, joined[1] | right]
    for each in ALL_CALLERS:
        alone = {access.refusal(each) for access in ways}
        for access in joined:
            refusal = access.refusal(each)
            assert refusal in alone | {PermissionDenied}
            assert (refusal is None) == (None in alone), (each, access.description)
            assert refusal is None or refusal in access.errors()


@pytest.mark.parametrize("one", [PUBLIC, API_KEY, WEBHOOK])
def test_only_accesses_for_candidates_or_staff_can_be_combined(one):
    for left, right in ((one, candidate()), (candidate(), one)):
        with pytest.raises(ConfigurationError, match="Only accesses for candidates or staff"):
            left | right


@pytest.mark.parametrize("access", [PUBLIC, API_KEY])
def test_without_rules_every_caller_is_allowed_without_a_login(access):
    assert not access.needs_user
    assert access.refusal(person("sponsor")) is None
    assert list(access.errors()) == []


@pytest.mark.parametrize(
    "access",
    [
        USER,
        candidate(),
        candidate(CandidateRole.FINAL),
        staff(StaffRole.MODERATOR),
        candidate(verified=False) | staff(StaffRole.ADMIN),
        candidate() | staff(verified=False),
    ],
)
def test_the_declared_errors_cover_every_rejection(access):
    people = product([*CandidateRole, *StaffRole], *[[True, False]] * 3)
    met = {access.refusal(person(*each)) for each in people} - {None}
    assert met == set(access.errors())


@pytest.mark.parametrize(
    ("access", "text"),
    [
        (PUBLIC, "public"),
        (API_KEY, "API key"),
        (USER, "candidate or staff, volunteer or higher"),
        (staff(StaffRole.ADMIN), "verified staff, admin or higher"),
        (
            candidate(CandidateRole.FINAL, CandidateRole.LEAGUE),
            "verified candidate (league, final)",
        ),
    ],
)
def test_an_access_describes_itself(access, text):
    assert access.description == text
