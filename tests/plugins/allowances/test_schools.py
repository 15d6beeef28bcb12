"""Extra time for a school applies to the candidates who belong to the school at that time, even if
they change their school later.
"""

import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.users import personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.exam_day import make_exam, take

LUCKY, OTHER = "Lucky School", "Other School"


def give(admin, exam_id, school=LUCKY, **expected):
    body = {"school": school, "extra_minutes": 45, "reason": "The projector failed."}
    path = f"/exams/{exam_id}/allowances/"
    return admin.post(path, body, **{"status": 201, **expected}).json


def rename(person, school, by=None):
    path = "/account-management/" if by is None else f"/account-management/{person.id}/"
    (by or person).patch(path, {"school": school}, status=200)


def extra(person, exam_id):
    return take(person, exam_id, status=200).json["extra_minutes"]


def test_changing_the_own_school_gives_no_extra_time_of_another_school(app, admin):
    exam_id = make_exam(app, admin, "A")
    before, after, sitting, home = (app.candidate(school=OTHER) for _ in range(4))
    lucky = app.candidate(school=LUCKY)
    rename(before, LUCKY)
    take(sitting, exam_id)
    rename(sitting, LUCKY)
    assert give(admin, exam_id)["affected"] == 0
    rename(after, LUCKY)
    rename(home, LUCKY), rename(home, OTHER)
    assert [extra(each, exam_id) for each in (before, after, sitting, home)] == [0, 0, 0, 0]
    # Candidates who only edit the name of their school still belong to it.
    rename(lucky, OTHER)
    assert extra(lucky, exam_id) == 45
    assert give(admin, exam_id)["affected"] == 1
    assert give(admin, exam_id, OTHER)["affected"] == 4
    rename(lucky, LUCKY)
    assert app.user(lucky).approved_school is None


SPELLINGS = (
    "Lycée d'Ormesson",
    "Lyce\u0301e d'Ormesson",
    "Lycée  d\u2019Ormesson",
    "Lycée\u00a0d'Ormesson",
    "LYCÉE D'ORMESSON",
    " lycée d\u02bcormesson\u2003",
)


@pytest.mark.parametrize("given", SPELLINGS)
def test_all_spellings_of_a_school_are_one_school(app, admin, given):
    exam_id = make_exam(app, admin, "A")
    pupils = [app.candidate(school=each) for each in SPELLINGS[1:]]
    typed = app.candidate(school=OTHER, verification="pending")
    typed.patch("/account-management/", {"school": SPELLINGS[0]}, status=200)
    with begin(app.runtime) as work:
        work.db.get_one(User, typed.id).verification = "approved"
    take(pupils[0], exam_id)
    assert give(admin, exam_id, given)["affected"] == 1
    assert [extra(each, exam_id) for each in (*pupils, typed)] == [45] * len(SPELLINGS)


def test_a_school_without_a_candidate_gets_no_time(app, admin):
    exam_id = make_exam(app, admin, "A")
    app.candidate(school="École Sophie Germain", approved_school=OTHER)
    for school in ("Ecole Sophie Germain", "École Sophie Germain", "Hilside School"):
        body = {"school": school, "extra_minutes": 45, "reason": "The projector failed."}
        for path in ("", "preview/"):
            reply = admin.post(f"/exams/{exam_id}/allowances/{path}", body, status=400)
            assert (reply.json["code"], [*reply.json["errors"]]) == ("invalid", ["school"])
    assert admin.get(f"/exams/{exam_id}/allowances/").json["results"] == []


def test_a_school_changed_by_staff_counts_from_then_on(app, admin):
    exam_id, manager = make_exam(app, admin, "A"), app.staff("manager")
    moved, confirmed = app.candidate(school=OTHER), app.candidate(school=OTHER)
    app.candidate(school=LUCKY)
    give(admin, exam_id)
    app.clock.advance(minutes=1)
    rename(moved, LUCKY, by=manager)
    rename(confirmed, LUCKY)
    rename(confirmed, LUCKY, by=manager)
    # These candidates joined the school after the time was given.
    assert [extra(each, exam_id) for each in (moved, confirmed)] == [0, 0]
    app.clock.advance(minutes=1)
    assert give(admin, exam_id)["affected"] == 2


def test_a_school_change_approved_by_a_manager_counts_from_then_on(app_with):
    app = app_with({"competition.verification.review_changes": "true"})
    admin, manager, person = app.staff("admin"), app.staff("manager"), app.candidate(school=OTHER)
    exam_id = make_exam(app, admin, "A")
    app.candidate(school=LUCKY)
    rename(person, LUCKY)
    give(admin, exam_id)
    app.clock.advance(minutes=1)
    manager.post(f"/user/verification/action/{person.id}/", {"is_approved": True}, status=200)
    assert app.user(person).school == LUCKY
    assert extra(person, exam_id) == 0
    app.clock.advance(minutes=1)
    assert give(admin, exam_id)["affected"] == 1


def test_a_school_changed_before_the_verification_counts_from_then_on(app, admin):
    exam_id = make_exam(app, admin, "A")
    unknown = app.candidate(school=OTHER, verification="pending")
    unchanged = app.candidate(school="LUCKY school", verification="pending")
    give(admin, exam_id)
    app.clock.advance(minutes=1)
    rename(unknown, LUCKY)
    # A different spelling of the name is the same school.
    rename(unchanged, LUCKY)
    with begin(app.runtime) as work:
        for person in (unknown, unchanged):
            work.db.get_one(User, person.id).verification = "approved"
    assert [extra(each, exam_id) for each in (unknown, unchanged)] == [0, 45]


def test_a_candidate_who_registers_later_gets_no_time_that_the_school_was_given_before(app, admin):
    exam_id = make_exam(app, admin, "A")
    app.candidate(school=LUCKY)
    give(admin, exam_id)
    app.clock.advance(minutes=1)
    late = app.candidate(school=LUCKY)
    own_time = late.get(f"/exams/{exam_id}/own-time/", status=200).json["minutes"]
    assert (own_time, extra(late, exam_id)) == (60, 0)
    assert give(admin, exam_id)["affected"] == 1


def test_a_school_that_staff_confirm_is_recorded_and_exported(app, admin):
    manager, person = app.staff("manager"), app.candidate(school=OTHER)
    rename(person, LUCKY)
    with begin(app.runtime) as work:
        account = personal_data.export(work, person.id)["account"]
    assert (account["school"], account["approved_school"]) == (LUCKY, OTHER)
    rename(person, LUCKY, by=manager)
    assert app.user(person).counted_school == LUCKY
    with begin(app.runtime) as work:
        entry = work.db.scalars(
            select(AuditEntry).where(AuditEntry.target_id == person.id).order_by(AuditEntry.id)
        ).all()[-1]
    assert entry.actor_id == manager.id
    assert (entry.old, entry.new) == ({"counted_school": OTHER}, {"counted_school": LUCKY})
