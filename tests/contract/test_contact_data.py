"""Replies name the staff who created something, but give out no contact data of theirs."""

import pytest

from competition.core.users.models import Staff
from competition.core.work import begin
from tests.support.every_operation import OPERATIONS, World

PHONE, EMAIL = "+499118675309", "author@nowhere.example"
READS = [
    each
    for each in OPERATIONS
    if each.method == "GET" and "application/json" in str(each.description["responses"]["200"])
]


@pytest.fixture
def world(app):
    """Data of every kind, all created by one superadmin."""
    world = World(app)
    with begin(app.runtime) as work:
        boss = work.db.get_one(Staff, world.boss.id)
        boss.phone, boss.email = PHONE, EMAIL
    exam_id = world.values["exam_id"]
    world.boss.patch(f"/exams/{exam_id}/", {"description": "Changed"}, status=200)
    world.boss.patch(
        f"/questions/{world.values['question_id']}/", {"difficulty": "hard"}, status=200
    )
    reason = {"reason": "The bus was late."}
    everyone = {"everyone": True, "extra_minutes": 5, **reason}
    world.boss.post(f"/exams/{exam_id}/allowances/", everyone, status=201)
    world.boss.put(
        f"/candidates/{world.candidate.id}/allowance/", {"percent": 25, **reason}, status=200
    )
    world.values["plan_id"] = world.with_a_plan(None)
    regrade = world.with_a_regrade()
    world.boss.post("/exams/{exam_id}/regrades/{regrade_id}/apply/".format(**regrade), status=200)
    world.regraded = regrade
    return world


@pytest.mark.parametrize("role", ["candidate", "volunteer", "moderator", "admin", "manager"])
def test_only_managers_read_the_contact_data_of_staff(world, role):
    app = world.service
    reader = world.candidate if role == "candidate" else app.staff(role)
    with_names, with_contacts = set(), set()
    for operation in READS:
        for values in (world.values, {**world.values, **world.regraded}):
            try:
                url = operation.path.format_map(values)
            except KeyError:
                continue
            text = reader.get(url, status="any").text
            if str(world.boss.id) in text:
                with_names.add(operation.path)
            if PHONE in text or (EMAIL in text and operation.path != "/staff/"):
                with_contacts.add(operation.path)
    # The paths that show who created what they list.
    shown = {
        "moderator": {"/questions/", "/exams/{exam_id}/allowances/", "/advancement/", "/staff/"},
        "admin": {"/exams/{exam_id}/", "/exams/{exam_id}/regrades/{regrade_id}/"},
    }
    assert shown.get(role, set()) <= with_names
    assert role not in ("candidate", "volunteer") or with_names == set()
    if role == "manager":
        assert {"/questions/", "/staff/"} <= with_contacts
    else:
        assert with_contacts == set()


def test_the_author_sees_the_own_profile_whole(app, moderator):
    other = app.staff("moderator")
    shown = moderator.get("/staff/me/", status=200).json["user"]
    body = {"text": "1 + 1", "correct_answer": "A", "difficulty": "easy"}
    body |= {f"option_{letter}": letter for letter in "abcd"}
    created = moderator.post("/questions/", body, status=201).json
    assert created["created_by"]["user"] == shown
    seen = other.get(f"/questions/{created['id']}/", status=200).json["created_by"]
    assert seen["user"] == {**shown, "email": "", "phone": "", "profile_picture": None}
    assert (seen["role"], seen["occupation"]) == ("moderator", "Teacher")
