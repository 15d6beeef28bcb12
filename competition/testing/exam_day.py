"""Create the data for tests of exams and leaderboards: questions, open exams, submissions, scores
and published leaderboards.

The functions use endpoints and tables of plugins, so these plugins have to be enabled.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from sqlalchemy import select
from webtest import TestResponse

from competition.core.work import begin
from competition.plugins.exams.models import ExamQuestion
from competition.plugins.questions.models import Question
from competition.plugins.scores.models import Score
from competition.testing.service import Client, Person, Service

# The default answer key of an exam: the correct answers in the order of the questions.
KEY = "ABCDABCDAB"


def make_questions(app: Service, key: str = KEY) -> list[int]:
    """Add one question per character of the answer key to the question bank. Returns their ids."""
    with begin(app.runtime) as work:
        rows = [
            Question(
                text=f"Question {index} of {key}",
                option_a="1",
                option_b="2",
                option_c="3",
                option_d="4",
                correct_answer=answer,
                difficulty="easy",
                created_at=app.clock.now,
                updated_at=app.clock.now,
            )
            for index, answer in enumerate(key)
        ]
        work.db.add_all(rows)
        work.db.flush()
        return [row.id for row in rows]


def make_exam(app: Service, admin: Person, key: str = KEY, **fields: Any) -> int:
    """Create an exam that opened an hour ago, with one question per character of the answer key.
    Returns its id. `fields` are further fields of the request, or replace its fields."""
    body = {
        "title": "Screening",
        "stage": "screening",
        "scheduled_date": (app.clock.now - timedelta(hours=1)).isoformat(),
        "questions": make_questions(app, key) if key else [],
        **fields,
    }
    exam_id: int = admin.post("/exams/", body, status=201).json["id"]
    return exam_id


def answers(app: Service, exam_id: int, letters: str) -> dict[str, Any]:
    """The body of a submission that answers the exam's questions in their order. A space in
    `letters` leaves a question unanswered."""
    with begin(app.runtime) as work:
        ids = work.db.scalars(
            select(ExamQuestion.question_id)
            .where(ExamQuestion.exam_id == exam_id)
            .order_by(ExamQuestion.position)
        ).all()
    return {
        "answers": [
            {"question": question_id, "selected_option": letter.strip()}
            for question_id, letter in zip(ids, letters, strict=False)
        ]
    }


def sit(app: Service, person: Person, exam_id: int, letters: str) -> None:
    """Take the exam and submit the answers. A space in `letters` leaves a question unanswered."""
    take(person, exam_id, status=200)
    submit(person, exam_id, answers(app, exam_id, letters), status=201)


def season(
    app: Service, admin: Person, sheets: Iterable[str], **exam: Any
) -> tuple[int, list[Person]]:
    """Hold and conclude an exam. For each string of answers in `sheets`, one candidate takes the
    exam, a minute after the previous one. Returns the exam's id and the candidates."""
    exam_id = make_exam(app, admin, **exam)
    people = []
    for sheet in sheets:
        person = app.candidate(exam.get("stage", "screening"))
        sit(app, person, exam_id, sheet)
        people.append(person)
        app.clock.advance(minutes=1)
    admin.post(f"/exams/{exam_id}/conclude/")
    return exam_id, people


def publish(app: Service, admin: Person | Client) -> None:
    """Publish the leaderboards of every stage and round that is over."""
    assert set(admin.post("/leaderboard/publish/", status=202).json) == {"message"}
    app.run_jobs()


def take(person: Person | Client, exam_id: int, **expected: Any) -> TestResponse:
    return person.get(f"/exams/{exam_id}/take-exam/", **expected)


def submit(
    person: Person | Client, exam_id: int, body: dict[str, Any], **expected: Any
) -> TestResponse:
    return person.post(f"/exams/{exam_id}/submit-exam-answers/", body, **expected)


def score_of(app: Service, person: Person, exam_id: int) -> float | None:
    app.run_jobs()
    with begin(app.runtime) as work:
        score = work.db.get(Score, (exam_id, person.id))
        return None if score is None else float(score.value)


def score_by_hand(
    admin: Person, exam_id: int, person: Person, value: float, **expected: Any
) -> TestResponse:
    body = {"candidate_id": str(person.id), "score": value}
    return admin.put(f"/exams/{exam_id}/submit-exam-score/", body, **expected)


def score(app: Service, admin: Person, exam_id: int, person: Person, value: float) -> None:
    """Give a candidate a score by hand. Then move the clock by a second, so that no two scores have
    the same time."""
    score_by_hand(admin, exam_id, person, value)
    app.clock.advance(seconds=1)
