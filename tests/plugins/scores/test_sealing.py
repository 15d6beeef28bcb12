"""Sealing an exam: which candidates may still submit, which events are emitted, and which
submissions are scored."""

from datetime import timedelta

from competition.core.jobs.models import Job
from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import ending
from competition.plugins.sittings.events import ExamsSealing, SubmissionsStored
from competition.plugins.sittings.models import ExtraTime, Submission
from competition.testing.exam_day import make_exam, score_by_hand, sit, take


def seal(app):
    with begin(app.runtime) as work:
        return [exam.id for exam in ending.seal_and_score(work)]


def concluded(app, admin, *people):
    """An exam that these people started. It is concluded, and its grace period is over."""
    exam_id = make_exam(app, admin, "AB")
    for person in people:
        take(person, exam_id, status=200)
    admin.post(f"/exams/{exam_id}/conclude/")
    app.clock.advance(minutes=6)
    return exam_id


def test_an_exam_without_attempts_and_scores_is_not_sealed(app, admin):
    concluded(app, admin)
    started, scored = concluded(app, admin, app.candidate()), concluded(app, admin)
    score_by_hand(admin, scored, app.candidate(), 1)
    assert seal(app) == [started, scored]
    assert seal(app) == [started, scored]


def test_sealing_waits_for_extra_time(app, admin):
    person = app.candidate()
    exam_id = make_exam(app, admin, "AB")
    take(person, exam_id)
    with begin(app.runtime) as work:
        row = ExtraTime(exam_id=exam_id, candidate_id=person.id, seconds=60, created_at=work.now)
        work.db.add(row)
        # The extra time ends long after the exam has closed.
        work.db.get_one(Exam, exam_id).countdown_minutes = 24 * 60
    app.clock.advance(hours=11, minutes=6)
    assert seal(app) == []
    app.clock.advance(seconds=1)
    assert seal(app) == [exam_id]


def test_submissions_by_a_subscriber_of_sealing_are_scored_too(app, admin):
    person = app.candidate()
    exam_id = concluded(app, admin, person)

    def hand_in(event):
        work = event.work
        [sealing] = event.exam_ids
        assert work.db.get_one(Exam, sealing).sealed_at is None
        row = Submission(
            exam_id=sealing,
            candidate_id=person.id,
            answers="A-",
            submitted_at=work.now - timedelta(minutes=1),
        )
        work.db.add(row)
        work.db.flush()
        work.emit(SubmissionsStored(work, sealing, [row]))

    app.subscribe(ExamsSealing, hand_in)
    assert seal(app) == [exam_id]
    with begin(app.runtime) as work:
        assert work.db.get_one(Score, (exam_id, person.id)).value == 50
        assert work.db.get_one(Exam, exam_id).sealed_at == app.clock.now
    assert app.run_jobs() == 1


def test_a_running_exam_emits_no_sealing_event(app, admin):
    events = []
    app.subscribe(ExamsSealing, lambda event: events.append(event.exam_ids))
    exam_id = make_exam(app, admin, "AB")
    take(app.candidate(), exam_id)
    admin.post(f"/exams/{exam_id}/conclude/")
    seal(app)
    assert events == []


def test_submissions_stored_together_enqueue_one_job(app, admin):
    people = [app.candidate() for _ in range(3)]
    exam_id = make_exam(app, admin, "AB")
    for person in people:
        take(person, exam_id)
    with begin(app.runtime) as work:
        rows = [
            Submission(exam_id=exam_id, candidate_id=person.id, answers="A-", submitted_at=work.now)
            for person in people
        ]
        work.db.add_all(rows)
        work.db.flush()
        work.emit(SubmissionsStored(work, exam_id, rows))
        work.emit(SubmissionsStored(work, exam_id, []))
        [job] = work.db.query(Job)
        assert (job.name, job.args) == ("scores.score", {"exam_id": exam_id, "candidate_id": None})
    app.run_jobs()
    assert [row["score"] for row in admin.get(f"/exams/{exam_id}/results/").json] == [50.0] * 3


def test_sealing_again_scores_nothing_again(app, admin, statements):
    person = app.candidate()
    exam_id = make_exam(app, admin, "AB")
    sit(app, person, exam_id, "AB")
    admin.post(f"/exams/{exam_id}/conclude/")
    app.clock.advance(minutes=6)

    def scorings():
        with statements() as executed:
            assert seal(app) == [exam_id]
        return sum(each.startswith("INSERT INTO score ") for each in executed)

    assert [scorings(), scorings()] == [1, 0]
