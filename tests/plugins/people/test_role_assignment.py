from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from uuid import uuid4

import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.work import begin

CANDIDATE_ROLES = ("screening", "league", "final", "winner")
STAFF_ROLES = ("volunteer", "moderator", "admin", "manager", "superadmin", "sponsor")
BELOW_MANAGER = ("volunteer", "moderator", "admin", "sponsor")


def assign(actor, target, role, **options):
    kind = "candidates" if target.number is not None else "staff"
    return actor.put(f"/{kind}/{target.id}/roles/assign/", {"role": role}, **options)


def moves(service):
    """The audited role assignments."""
    with begin(service.runtime) as work:
        entries = work.db.scalars(
            select(AuditEntry).where(AuditEntry.action.like("%.role")).order_by(AuditEntry.id)
        )
        return [
            (each.action, each.actor_id, each.target_id, each.old, each.new) for each in entries
        ]


@pytest.mark.parametrize("before", CANDIDATE_ROLES)
@pytest.mark.parametrize("after", CANDIDATE_ROLES)
def test_a_candidate_can_be_given_any_candidate_role(app, before, after):
    candidate = app.candidate(before)
    assert assign(app.staff("admin"), candidate, after, status=200).json == {"role": after}
    assert app.user(candidate).role == after


def test_a_new_candidate_role_is_audited_and_updates_the_account(app):
    admin, candidate = app.staff("admin"), app.candidate()
    app.clock.advance(minutes=1)
    assign(admin, candidate, "league")
    assert app.user(candidate).updated_at == app.clock.now
    assert moves(app) == [("candidate.role", admin.id, candidate.id, "screening", "league")]


def test_assigning_the_same_role_changes_nothing(app):
    candidate, volunteer = app.candidate("league"), app.staff("volunteer")
    app.clock.advance(minutes=1)
    assign(app.staff("admin"), candidate, "league", status=200)
    assign(app.staff("manager"), volunteer, "volunteer", status=200)
    assert moves(app) == []
    assert app.user(candidate).updated_at < app.clock.now


def test_the_case_of_a_role_does_not_matter(app):
    reply = assign(app.staff("admin"), app.candidate(), " League ", status=200)
    assert reply.json == {"role": "league"}


@pytest.mark.parametrize(
    "fields",
    [
        {"verification": "not_submitted"},
        {"verification": "pending"},
        {"verification": "rejected"},
        {"is_email_verified": False},
    ],
)
def test_an_unverified_candidate_can_not_be_given_a_role(app, fields):
    candidate = app.candidate(**fields)
    assign(app.staff("admin"), candidate, "league", status=403, code="unverified_candidate")
    assert app.user(candidate).role == "screening"


@pytest.mark.parametrize("body", [{}, {"role": "champion"}, {"role": "admin"}, {"role": None}])
def test_an_unknown_candidate_role_is_invalid(app, body):
    path = f"/candidates/{app.candidate().id}/roles/assign/"
    reply = app.staff("admin").put(path, body, status=400, code="invalid")
    assert list(reply.json["errors"]) == ["role"]


def test_a_user_of_the_other_kind_is_not_found(app):
    manager, volunteer, candidate = app.staff("manager"), app.staff("volunteer"), app.candidate()
    for path in (
        f"/candidates/{volunteer.id}/roles/assign/",
        f"/candidates/{uuid4()}/roles/assign/",
        f"/candidates/{candidate.number}/roles/assign/",
        f"/staff/{candidate.id}/roles/assign/",
        f"/staff/{uuid4()}/roles/assign/",
        "/staff/me/roles/assign/",
    ):
        manager.put(path, {"role": "league"}, status=404, code="not_found")


def test_the_user_and_their_state_are_checked_before_the_body(app):
    admin, manager = app.staff("admin"), app.staff("manager")
    admin.put(f"/candidates/{uuid4()}/roles/assign/", {}, status=404)
    assign(admin, app.candidate(verification="pending"), "x", status=403)
    manager.put(f"/staff/{uuid4()}/roles/assign/", {}, status=404)
    assign(manager, app.staff("superadmin"), "x", status=403, code="permission_denied")


@pytest.mark.parametrize("role", ["volunteer", "moderator", "sponsor"])
def test_staff_below_admin_can_not_assign_candidate_roles(app, role):
    assign(app.staff(role), app.candidate(), "league", status=403, code="permission_denied")


@pytest.mark.parametrize("role", ["volunteer", "moderator", "admin", "sponsor"])
def test_staff_below_manager_can_not_assign_staff_roles(app, role):
    target = app.staff("volunteer")
    assign(app.staff(role), target, "moderator", status=403, code="permission_denied")


def test_a_candidate_can_not_assign_roles(app):
    candidate = app.candidate("winner")
    assign(candidate, app.candidate(), "league", status=403, code="permission_denied")
    assign(candidate, app.staff("volunteer"), "admin", status=403, code="permission_denied")


def test_unverified_staff_can_not_assign_roles(app):
    manager = app.staff("manager", verification="pending")
    assign(manager, app.candidate(), "league", status=403, code="unverified_staff")
    assign(manager, app.staff("volunteer"), "admin", status=403, code="unverified_staff")


@pytest.mark.parametrize("before", BELOW_MANAGER)
@pytest.mark.parametrize("after", BELOW_MANAGER)
def test_a_manager_assigns_roles_below_their_own(app, before, after):
    target = app.staff(before)
    assert assign(app.staff("manager"), target, after, status=200).json == {"role": after}
    assert app.user(target).role == after


@pytest.mark.parametrize("after", ["manager", "superadmin"])
def test_a_manager_makes_nobody_a_manager_or_superadmin(app, after):
    target = app.staff("volunteer")
    assign(app.staff("manager"), target, after, status=403, code="permission_denied")
    assert app.user(target).role == "volunteer"


@pytest.mark.parametrize("before", ["manager", "superadmin"])
def test_a_manager_does_not_change_a_manager_or_superadmin(app, before):
    for after in STAFF_ROLES:
        target = app.staff(before)
        assign(app.staff("manager"), target, after, status=403, code="permission_denied")


@pytest.mark.parametrize("before", [role for role in STAFF_ROLES if role != "superadmin"])
def test_a_superadmin_assigns_every_role_but_their_own(app, before):
    target, superadmin = app.staff(before), app.staff("superadmin")
    assign(superadmin, target, "superadmin", status=403, code="permission_denied")
    for after in STAFF_ROLES:
        if after != "superadmin":
            assign(superadmin, target, after, status=200)
            assert app.user(target).role == after


def test_nobody_changes_the_role_of_a_superadmin(app):
    target = app.staff("superadmin")
    assign(app.staff("superadmin"), target, "volunteer", status=403, code="permission_denied")


@pytest.mark.parametrize("role", ["manager", "superadmin"])
def test_nobody_changes_their_own_role(app, role):
    person = app.staff(role)
    for after in STAFF_ROLES:
        assign(person, person, after, status=403, code="permission_denied")


@pytest.mark.parametrize("body", [{}, {"role": "boss"}, {"role": "league"}])
def test_an_unknown_staff_role_is_invalid(app, body):
    path = f"/staff/{app.staff('volunteer').id}/roles/assign/"
    reply = app.staff("manager").put(path, body, status=400, code="invalid")
    assert list(reply.json["errors"]) == ["role"]


def test_unverified_staff_can_be_given_a_role(app):
    target = app.staff("volunteer", verification="pending", is_email_verified=False)
    assign(app.staff("manager"), target, "moderator", status=200)


def test_a_new_role_takes_effect_immediately(app):
    target = app.staff("volunteer")
    assign(target, app.candidate(), "league", status=403)
    assign(app.staff("manager"), target, "admin")
    assign(target, app.candidate(), "league", status=200)


def test_a_new_staff_role_is_audited(app):
    manager, target = app.staff("manager"), app.staff("volunteer")
    assign(manager, target, "admin")
    assert moves(app) == [("staff.role", manager.id, target.id, "volunteer", "admin")]


def test_a_rejected_role_assignment_is_not_audited(app):
    assign(app.staff("manager"), app.staff("volunteer"), "manager", status=403)
    assert moves(app) == []


def test_simultaneous_role_assignments_are_audited_in_sequence(live):
    admin, candidate = live.staff("admin"), live.candidate()

    def put(role):
        return live.http.put_json(
            f"/v1/candidates/{candidate.id}/roles/assign/",
            {"role": role},
            headers={"X-Api-Key": live.key, "Authorization": f"Bearer {admin.token}"},
        )

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(put, ["league", "final", "league", "winner", "final", "league"]))
    recorded = [(old, new) for *_, old, new in moves(live)]
    assert recorded[0][0] == "screening"
    for (_, new), (old, _) in pairwise(recorded):
        assert old == new
    assert recorded[-1][1] == live.user(candidate).role
