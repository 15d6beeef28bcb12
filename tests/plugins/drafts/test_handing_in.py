"""When the time is over, the service submits the draft automatically."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from competition.core.work import begin
from competition.plugins.drafts.models import Draft
from competition.plugins.drafts.services import handing_in, saving
from competition.plugins.exams.models import Paper
from competition.plugins.sittings.models import ExtraTime, Submission
from competition.plugins.sittings.services import reopening, sealing, submitting
from competition.testing.exam_day import answers, make_exam, publish, submit, take
from competition.testing.races import overtaken

HOUR, GRACE, SECOND = timedelta(hours=1), timedelta(minutes=5), timedelta(seconds=1)


def save(app, person, exam_id, sequence, letters, **expected):
    body = {"sequence": sequence, **answers(app, exam_id, letters)}
    return person.put(f"/exams/{exam_id}/draft/", body, **expected)


def sitting(app, exam_id, letters=None):
    """A candidate who has started the exam and, if `letters` are given, saved these answers."""
    person = app.candidate()
    take(person, exam_id, status=200)
    if letters is not None:
        save(app, person, exam_id, 1, letters, status=200)
    return person


def run(app):
    app.run_task("drafts.hand_in")


def handed_in(app, exam_id, person):
    """The answers of the submission, its time, and who submitted it. None if there is no
    submission.
    """
    with begin(app.runtime) as work:
        row = work.db.get(Submission, (exam_id, person.id), populate_existing=True)
        return row and (row.answers, row.submitted_at, row.handed_in_by)


def test_a_draft_is_submitted_after_the_grace_period(app, admin):
    exam_id = make_exam(app, admin, "ABCD")
    person, again = sitting(app, exam_id, "AB"), sitting(app, exam_id, "A")
    # Two drafts without answers, and a candidate who has already submitted.
    silent, cleared, done = (sitting(app, exam_id, letters) for letters in (None, "  ", "D"))
    submit(done, exam_id, answers(app, exam_id, "C"), status=201)
    deadline = app.clock.now + HOUR
    app.clock.advance(minutes=65)
    # Save in the last second.
    save(app, person, exam_id, 2, "ABC", status=200)
    run(app)
    assert handed_in(app, exam_id, person) is None
    app.clock.advance(seconds=1)
    for _ in range(2):
        run(app)
    assert handed_in(app, exam_id, person) == ("ABC-", deadline, "service")
    assert handed_in(app, exam_id, again) == ("A---", deadline, "service")
    assert handed_in(app, exam_id, done) == ("C---", deadline - HOUR, "candidate")
    assert handed_in(app, exam_id, silent) is handed_in(app, exam_id, cleared) is None
    app.run_jobs()
    take(person, exam_id, status=400, code="exam_already_submitted")
    assert person.get(f"/exams/{exam_id}/time/").json["submitted"] is True
    subjects = [each["subject"] for each in person.get("/notifications/").json["results"]]
    assert subjects == ["Your answers have been submitted"]
    assert done.get("/notifications/").json["results"] == []
    results = admin.get(f"/exams/{exam_id}/results/").json
    by_candidate = {row.pop("candidate_id"): row for row in results}
    assert {
        person_id: (row["score"], row["handed_in_by"], datetime.fromisoformat(row["submitted_at"]))
        for person_id, row in by_candidate.items()
    } == {
        str(person.id): (75.0, "service", deadline),
        str(again.id): (25.0, "service", deadline),
        str(done.id): (0.0, "candidate", deadline - HOUR),
    }
    records = admin.get(f"/candidates/{person.id}/").json["records"]["performance"]
    [record] = records["exams_taken"]
    assert record["handed_in_by"] == "service"
    assert datetime.fromisoformat(record["submitted_at"]) == deadline
    admin.get(f"/exams/{exam_id}/drafts/{person.id}/", status=200)


def test_drafts_of_a_concluded_exam_are_submitted_after_the_grace_period(app, admin):
    exam_id = make_exam(app, admin, "ABCD")
    person = sitting(app, exam_id, "AB")
    app.clock.advance(minutes=10)
    admin.post(f"/exams/{exam_id}/conclude/")
    concluded_at = app.clock.now
    app.clock.advance(minutes=5)
    run(app)
    assert handed_in(app, exam_id, person) is None
    app.clock.advance(seconds=1)
    run(app)
    assert handed_in(app, exam_id, person) == ("AB--", concluded_at, "service")


def test_submitting_drafts_waits_for_extra_time(app, admin):
    exam_id = make_exam(app, admin, "ABCD")
    person, empty = sitting(app, exam_id, "AB"), sitting(app, exam_id, "")

    def give(candidate):
        with begin(app.runtime) as work:
            given = {"exam_id": exam_id, "candidate_id": candidate.id, "seconds": 600}
            work.db.add(ExtraTime(created_at=work.now, **given))
            reopening.reopen(work, exam_id)

    give(person)
    deadline = app.clock.now + HOUR + timedelta(minutes=10)
    app.clock.advance(minutes=66)
    run(app)
    assert handed_in(app, exam_id, person) is None
    # The draft was closed, although it had no answers to submit.
    save(app, empty, exam_id, 2, "D", status=403, code="exam_not_open")
    give(empty)
    save(app, empty, exam_id, 2, "D", status=200)
    app.clock.advance(minutes=10)
    run(app)
    assert handed_in(app, exam_id, person) == ("AB--", deadline, "service")
    assert handed_in(app, exam_id, empty) == ("D---", deadline, "service")


def test_a_leaderboard_includes_all_drafts(app, admin):
    exam_id = make_exam(app, admin, "ABCD")
    person = sitting(app, exam_id, "ABCD")
    admin.post(f"/exams/{exam_id}/conclude/")
    app.clock.advance(minutes=6)
    publish(app, admin)
    [row] = admin.get(f"/leaderboard/?exam_id={exam_id}").json["top_three"]
    assert (row["candidate"]["user_id"], row["score"]) == (str(person.id), 100.0)


def test_automatic_submission_can_be_disabled(app_with):
    app = app_with({"competition.drafts.hand_in": "false"})
    admin = app.staff("admin")
    sealed, other = make_exam(app, admin, "ABCD"), make_exam(app, admin, "ABCD")
    late, person = sitting(app, sealed, "A"), sitting(app, other, "A")
    app.clock.advance(hours=12)
    run(app)
    with begin(app.runtime) as work:
        assert sealing.seal(work, [sealed]) == {sealed}
    assert handed_in(app, sealed, late) is handed_in(app, other, person) is None
    again = app_with({})
    again.clock.now = app.clock.now
    for _ in range(2):
        run(again)
    assert handed_in(again, sealed, late) is None
    assert handed_in(again, other, person)[2] == "service"


def test_many_drafts_take_as_many_statements_as_one(app, statements):
    def executed(count):
        exam_id = make_exam(app, app.staff("admin"), "ABCD")
        people = [sitting(app, exam_id, "AB") for _ in range(count)]
        app.clock.advance(hours=12)
        with statements() as found, begin(app.runtime) as work:
            handing_in.hand_in_what_is_due(work)
        assert all(handed_in(app, exam_id, each) for each in people)
        return len(found)

    assert executed(1) == executed(4)


MANY = """
with candidate as (
    insert into "user" (id, kind, email, password_hash, password_is_generated, first_name,
        last_name, phone, role, is_active, is_email_verified, is_invited, verification, permissions,
        date_joined, updated_at, number, school)
    select gen_random_uuid(), 'candidate', 'many' || each || '@school.example', '', false, 'Ada',
        'Lovelace', '', 'screening', true, true, false, 'approved', '{}', now(), now(),
        nextval('candidate_number'), 'Hillside School'
    from generate_series(1, 2000) each returning id
), attempt as (
    insert into attempt (exam_id, candidate_id, started_at, extra_percent, is_opened)
    select :exam_id, id, :now, 0, true from candidate returning candidate_id
)
insert into draft (exam_id, candidate_id, sequence, answers, changes, saved_at)
select :exam_id, candidate_id, 1, 'AB--', 'AB..', :now from attempt
"""
FETCHED = "select idx_tup_fetch + seq_tup_read from pg_stat_xact_user_tables where relname = :table"


def test_no_table_is_scanned_once_per_draft(live):
    exam_id = make_exam(live, live.staff("admin"), "ABCD")
    sitting(live, exam_id, "AB")
    with begin(live.runtime) as work:
        for table in ("attempt", "draft"):
            work.db.execute(text(f"alter table {table} set (autovacuum_enabled = off)"))
        work.db.execute(text("analyze"))
    with begin(live.runtime) as work:
        work.db.execute(text(MANY), {"exam_id": exam_id, "now": work.now})
    live.clock.advance(hours=12)
    with begin(live.runtime) as work:
        handing_in.hand_in_what_is_due(work)
        for table in ("attempt", "draft"):
            assert work.db.scalar(text(FETCHED), {"table": table}) < 10 * 2_001
        assert work.db.scalar(text("select count(*) from submission")) == 2_001


class TestRaces:
    """A lock decides each race: the second transaction waits, and then finds the result of the
    first.
    """

    @pytest.fixture
    def exam_id(self, live):
        return make_exam(live, live.staff("admin"), "ABCD")

    def pairs(self, live, exam_id, letters):
        sheet = answers(live, exam_id, letters)["answers"]
        return [(each["question"], each["selected_option"]) for each in sheet]

    def saving_in_the_last_moment(self, live, exam_id, letters):
        """A save that is in time, but not committed before the time is over."""

        def act(work):
            attempt = saving.running_attempt(work, exam_id)
            pairs = self.pairs(live, exam_id, letters)
            assert saving.save(work, attempt, exam_id, 9, pairs).is_applied
            live.clock.advance(hours=12)

        return act

    def at_the_end(self, rule, *arguments):
        """Run a rule at a time after the deadline. The request that competes with it began before
        the deadline.
        """

        def act(work):
            work.now += 12 * HOUR
            rule(work, *arguments)

        return act

    def seal(self, live, exam_id):
        with begin(live.runtime) as work:
            assert sealing.seal(work, [exam_id]) == {exam_id}

    def test_a_save_in_the_last_moment_is_submitted(self, live, exam_id):
        person = sitting(live, exam_id, "AB")
        late = self.saving_in_the_last_moment(live, exam_id, "DDD")
        overtaken(live, person, late, lambda: run(live))
        assert handed_in(live, exam_id, person)[0] == "DDD-"

    def test_a_first_save_in_the_last_moment_is_submitted_before_sealing(self, live, exam_id):
        person = sitting(live, exam_id)
        late = self.saving_in_the_last_moment(live, exam_id, "DDD")
        overtaken(live, person, late, lambda: self.seal(live, exam_id))
        assert handed_in(live, exam_id, person)[0] == "DDD-"

    def test_a_save_after_the_automatic_submission_is_rejected(self, live, exam_id):
        person = sitting(live, exam_id, "AB")
        first = self.at_the_end(handing_in.hand_in_what_is_due)
        reply = overtaken(
            live, person, first, lambda: save(live, person, exam_id, 2, "DDD", status="any")
        )
        assert (reply.status_int, reply.json["code"]) == (403, "exam_not_open")
        assert handed_in(live, exam_id, person)[0] == "AB--"

    def test_a_first_save_after_the_sealing_is_rejected(self, live, exam_id):
        person = sitting(live, exam_id)
        first = self.at_the_end(sealing.seal, [exam_id])
        reply = overtaken(
            live, person, first, lambda: save(live, person, exam_id, 1, "DDD", status="any")
        )
        assert (reply.status_int, reply.json["code"]) == (403, "exam_not_open")
        with begin(live.runtime) as work:
            assert work.db.get(Draft, (exam_id, person.id)) is None

    def test_the_first_of_a_submission_and_an_automatic_one_wins(self, live, exam_id):
        person, other = sitting(live, exam_id, "AB"), sitting(live, exam_id, "AB")
        body = answers(live, exam_id, "DDDD")
        first = self.at_the_end(handing_in.hand_in_what_is_due)
        reply = overtaken(live, person, first, lambda: submit(person, exam_id, body, status="any"))
        assert reply.json["code"] == "exam_already_submitted"
        assert handed_in(live, exam_id, person)[::2] == ("AB--", "service")

        second_exam = make_exam(live, live.staff("admin"), "ABCD")
        take(other, second_exam)
        save(live, other, second_exam, 1, "AB")

        def submit_in_time(work):
            there = submitting.check_submission(work, second_exam)
            submitting.submit_answers(work, there, self.pairs(live, second_exam, "DDDD"))
            live.clock.advance(hours=12)

        overtaken(live, other, submit_in_time, lambda: run(live))
        assert handed_in(live, second_exam, other)[::2] == ("DDDD", "candidate")

    def test_sealing_and_the_periodic_task_submit_a_draft_once(self, live, exam_id):
        person = sitting(live, exam_id, "AB")

        def sealing_at_the_end(work):
            self.at_the_end(sealing.seal, [exam_id])(work)
            live.clock.advance(hours=12)

        overtaken(live, person, sealing_at_the_end, lambda: run(live))
        assert handed_in(live, exam_id, person)[::2] == ("AB--", "service")

    def test_extra_time_given_under_the_lock_prevents_the_automatic_submission(self, live, exam_id):
        person = sitting(live, exam_id, "AB")

        def give(work):
            work.db.get_one(Paper, exam_id, with_for_update=True)
            given = {"exam_id": exam_id, "candidate_id": person.id, "seconds": 24 * 3600}
            work.db.add(ExtraTime(created_at=work.now, **given))
            reopening.reopen(work, exam_id)
            work.db.flush()
            live.clock.advance(hours=12)

        overtaken(live, person, give, lambda: run(live))
        assert handed_in(live, exam_id, person) is None
