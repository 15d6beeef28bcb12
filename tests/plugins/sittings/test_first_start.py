"""The first start of an exam, whose paper may have been frozen before (decisions G9, G10, G11)."""

from contextlib import nullcontext
from threading import Thread

import pytest

from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.exams.services import papers, planning, rows
from competition.plugins.sittings.events import AttemptStarted
from competition.plugins.sittings.models import Attempt, ExtraTime
from competition.plugins.sittings.services import sealing
from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.races import WAITING, overtaken, together
from competition.testing.waiting import wait_until


def freeze(app, exam_id):
    """Freeze the paper before any candidate starts."""
    with begin(app.runtime) as work:
        papers.freeze(work, rows.locked(work, exam_id))


def first_started_at(app, exam_id):
    with begin(app.runtime) as work:
        return work.db.get_one(Exam, exam_id).first_started_at


def test_the_first_start_is_recorded_once(app, admin):
    exam_id = make_exam(app, admin)
    assert first_started_at(app, exam_id) is None
    started_at = app.clock.now
    take(app.candidate(), exam_id, status=200)
    app.clock.advance(minutes=1)
    take(app.candidate(), exam_id, status=200)
    assert first_started_at(app, exam_id) == started_at


def test_submitting_without_opening_the_paper_is_a_start(app, admin):
    exam_id = make_exam(app, admin)
    submit(app.candidate(), exam_id, answers(app, exam_id, "A"), status=201)
    assert first_started_at(app, exam_id) == app.clock.now


@pytest.mark.parametrize("fields", [{"stage": "league"}, {"questions": []}])
def test_a_rejected_start_is_not_the_first_start(app, admin, fields):
    exam_id = make_exam(app, admin, **fields)
    take(app.candidate(), exam_id, status=403)
    assert first_started_at(app, exam_id) is None


def test_later_starts_neither_change_nor_lock_the_exam(app, admin, statements):
    exam_id = make_exam(app, admin)
    take(app.candidate(), exam_id)
    person = app.candidate()
    with statements() as executed:
        submit(person, exam_id, answers(app, exam_id, "A"), status=201)
    about_exams = [each for each in executed if "exam" in each.split("WHERE")[0].split()]
    assert not [each for each in about_exams if "UPDATE" in each or "FOR " in each]


class TestAPaperFrozenBeforehand:
    @pytest.fixture
    def exam_id(self, app, admin):
        exam_id = make_exam(app, admin)
        freeze(app, exam_id)
        return exam_id

    def test_the_questions_of_a_frozen_paper_can_not_change(self, admin, exam_id):
        path = f"/exams/{exam_id}/"
        reply = admin.patch(path, {"questions": []}, status=400, code="invalid")
        assert list(reply.json["errors"]) == ["questions"]

    @pytest.mark.parametrize(
        "change",
        [
            {"stage": "league"},
            {"countdown_minutes": 1},
            {"scheduled_date": None},
            {"scheduled_date": "2026-02-01T00:00:00Z"},
        ],
    )
    def test_other_fields_of_an_exam_with_a_frozen_paper_can_change(self, admin, exam_id, change):
        changed = admin.patch(f"/exams/{exam_id}/", change, status=200).json
        assert {name: changed[name] for name in change} == change

    def test_an_exam_with_a_frozen_paper_can_be_moved_to_the_past(self, app, admin, exam_id):
        admin.patch(f"/exams/{exam_id}/", {"scheduled_date": "2026-02-01T00:00:00Z"})
        assert admin.get(f"/exams/{exam_id}/").json["concluded_at"] == "2026-02-01T12:00:00Z"

    def test_deleting_an_exam_nobody_started_deletes_its_paper(self, app, admin, exam_id):
        admin.delete(f"/exams/{exam_id}/", status=204)
        with begin(app.runtime) as work:
            assert work.db.get(Exam, exam_id) is None
            assert work.db.get(Paper, exam_id) is None

    def test_deleting_an_exam_with_a_score_hides_it_and_keeps_its_paper(self, app, admin, exam_id):
        body = {"candidate_id": str(app.candidate().id), "score": 50}
        admin.put(f"/exams/{exam_id}/submit-exam-score/", body, status=200)
        admin.delete(f"/exams/{exam_id}/", status=204)
        admin.get(f"/exams/{exam_id}/", status=404)
        with begin(app.runtime) as work:
            assert work.db.get_one(Exam, exam_id).deleted_at == app.clock.now
            assert work.db.get(Paper, exam_id) is not None


class TestRaces:
    """In each race, the candidate's request waits for a change by staff, which is then
    committed.
    """

    @pytest.fixture(params=["the paper is frozen", "there is no paper"])
    def exam_id(self, request, live):
        exam_id = make_exam(live, live.staff("admin"))
        if request.param == "the paper is frozen":
            freeze(live, exam_id)
        return exam_id

    def test_starting_while_the_stage_changes_returns_exam_not_eligible(self, live, exam_id):
        person = live.candidate()
        reply = overtaken(
            live,
            live.staff("admin"),
            lambda work: planning.change(work, rows.locked(work, exam_id), {"stage": "league"}),
            lambda: take(person, exam_id, status="any"),
        )
        assert (reply.status_int, reply.json["code"]) == (403, "exam_not_eligible")
        assert first_started_at(live, exam_id) is None

    def test_starting_while_the_exam_is_being_concluded_returns_exam_not_open(self, live, exam_id):
        body, person = answers(live, exam_id, "A"), live.candidate()
        reply = overtaken(
            live,
            live.staff("admin"),
            lambda work: planning.conclude(work, rows.locked(work, exam_id)),
            lambda: submit(person, exam_id, body, status="any"),
        )
        assert (reply.status_int, reply.json["code"]) == (403, "exam_not_open")

    def test_starting_while_the_exam_is_being_deleted_returns_not_found(self, live, exam_id):
        person = live.candidate()
        reply = overtaken(
            live,
            live.staff("admin"),
            lambda work: planning.remove(work, rows.locked_whole(work, exam_id)),
            lambda: take(person, exam_id, status="any"),
        )
        assert (reply.status_int, reply.json["code"]) == (404, "not_found")

    def test_starting_while_the_exam_is_being_sealed_returns_exam_not_open(self, live, exam_id):
        person = live.candidate()

        def seal(work):
            # The candidate's request began before the end of the exam, and is processed after it.
            work.db.get_one(Exam, exam_id).closes_at = work.now
            work.db.flush()
            assert sealing.seal(work, [exam_id]) == {exam_id}

        reply = overtaken(
            live, live.staff("admin"), seal, lambda: take(person, exam_id, status="any")
        )
        assert (reply.status_int, reply.json["code"]) == (403, "exam_not_open")

    def test_starting_while_the_account_is_being_erased_returns_invalid_token(self, live, exam_id):
        person = live.candidate()
        reply = overtaken(
            live,
            live.staff("superadmin"),
            lambda work: personal_data.erase(work, person.id),
            lambda: take(person, exam_id, status="any"),
        )
        assert (reply.status_int, reply.json["code"]) == (401, "invalid_token")

    def test_the_stage_changes_only_if_no_candidate_has_started(self, live, exam_id):
        admin, person = live.staff("admin"), live.candidate()
        sittings = 5

        def act(index):
            if index == sittings:
                return admin.patch(f"/exams/{exam_id}/", {"stage": "league"}, status="any")
            return take(people[index], exam_id, status="any")

        people = [person, *(live.candidate() for _ in range(sittings - 1))]
        *taken, changed = together(sittings + 1, act)
        started = {reply.status_int for reply in taken}
        assert (started, changed.status_int) in (({200}, 400), ({403}, 200))


def test_a_reply_shows_who_made_the_edit_that_it_waited_for(live):
    first, second = live.staff("admin"), live.staff("admin")
    exam_id = make_exam(live, first)
    first.post(f"/exams/{exam_id}/conclude/", status=200)
    reply = overtaken(
        live,
        second,
        lambda work: planning.change(work, rows.locked(work, exam_id), {"title": "New"}),
        lambda: first.post(f"/exams/{exam_id}/conclude/", status=200),
    )
    assert reply.json["title"] == "New"
    assert reply.json["updated_by"]["user"]["id"] == str(second.id)
    assert reply.json["created_by"]["user"]["id"] == str(first.id)


def test_sealing_and_a_first_start_do_not_deadlock(live):
    exam_id, person = make_exam(live, live.staff("admin")), live.candidate()
    freeze(live, exam_id)
    with begin(live.runtime) as work:
        work.db.get_one(Exam, exam_id).closes_at = work.now
    sealed = []

    def seal():
        with begin(live.runtime) as work:
            sealed.append(sealing.seal(work, [exam_id]))

    sealer = Thread(target=seal)
    with begin(live.runtime) as work:
        rows.mark_started(work, exam_id)
        sealer.start()
        wait_until(lambda: work.db.scalar(WAITING))
        # The attempt has a foreign key to the paper.
        work.db.add(Attempt(exam_id=exam_id, candidate_id=person.id, started_at=work.now))
    sealer.join()
    # The candidate who has just started has the grace period.
    assert sealed == [set()]


@pytest.mark.parametrize("traced", [False, True])
def test_time_given_at_the_start_is_in_the_first_reply(app, admin, traced, statements):
    """A subscriber adds the time without a flush. The reply is the same if tracing listens to the
    statements.
    """

    def give(event):
        event.work.db.add(
            ExtraTime(
                exam_id=event.exam_id,
                candidate_id=event.candidate_id,
                seconds=600,
                created_at=event.work.now,
            )
        )

    app.subscribe(AttemptStarted, give)
    exam_id = make_exam(app, admin)
    with statements() if traced else nullcontext():
        first = take(app.candidate(), exam_id, status=200).json
    assert (first["extra_minutes"], first["seconds_remaining"]) == (10, 70 * 60)
