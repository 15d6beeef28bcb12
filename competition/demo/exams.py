"""Questions, exams, and exam day."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from competition.demo.ability import answer_sheet
from competition.demo.cast import Candidate
from competition.demo.client import Client
from competition.demo.errors import CallFailed, DemoError
from competition.demo.problems import Problem
from competition.demo.ranking import Result, percent

COUNTDOWN_MINUTES = 60
OPEN_HOURS = 12
# The exams are open as soon as they are there.
OPENED_AGO = timedelta(minutes=1)
HAND_SCORE = Decimal("67.5")


@dataclass(frozen=True)
class Exam:
    """`problems` by the id that the service gave to the question."""

    id: int
    stage: str
    round: int
    problems: Mapping[int, Problem]

    @property
    def name(self) -> str:
        return f"{self.stage} round {self.round}"


def write_question(moderator: Client, problem: Problem) -> int:
    """Its id."""
    a, b, c, d = problem.options
    question = moderator.post(
        "/questions/",
        {
            "text": problem.text,
            "option_a": a,
            "option_b": b,
            "option_c": c,
            "option_d": d,
            "correct_answer": problem.correct,
            "difficulty": problem.difficulty,
        },
    )
    return int(question["id"])


def plan(admin: Client, stage: str, problems: Mapping[int, Problem]) -> Exam:
    """An exam that is open now, in a round of its own: a board shows the latest exam of a stage
    and round only."""
    round = _next_round(admin, stage)
    # By the service's clock, which may not be this machine's.
    now = datetime.fromisoformat(admin.get("/health/")["timestamp"])
    exam = admin.post(
        "/exams/",
        {
            "title": f"{stage} round {round}".capitalize(),
            "stage": stage,
            "round": round,
            "description": "Every question has one right answer. No points are taken off.",
            "scheduled_date": (now - OPENED_AGO).isoformat(),
            "countdown_minutes": COUNTDOWN_MINUTES,
            "open_duration_hours": OPEN_HOURS,
            "questions": list(problems),
        },
    )
    return Exam(exam["id"], stage, round, problems)


def swap(admin: Client, moderator: Client, exam: Exam) -> None:
    """The first question goes out and in again, which puts it last; one that was a mistake goes in
    and is archived, which takes it out."""
    first, *_ = exam.problems
    mistake = write_question(moderator, exam.problems[first])
    links = f"/questions/{first}/exams/"
    admin.post(links, {"remove_from_exams": [exam.id]})
    added = admin.post(
        "/questions/bulk-add-to-exams/", {"question_ids": [first, mistake], "exam_ids": [exam.id]}
    )
    archived = admin.post("/questions/bulk-archive/", {"question_ids": [mistake]})
    if added["summary"]["successful"] != 2 or archived["details"]["archived"] != [mistake]:
        raise DemoError(f"The questions of exam {exam.id} did not change as they were told to.")
    paper = [question["id"] for question in admin.get(f"/exams/{exam.id}/questions/")]
    if paper != [*list(exam.problems)[1:], first]:
        raise DemoError(f"The paper of exam {exam.id} is not the one that was planned.")


def _next_round(admin: Client, stage: str) -> int:
    taken = [
        exam["round"]
        for page in admin.pages("/exams/", stage=stage, limit=100)
        for exam in page["results"]
    ]
    return max(taken, default=0) + 1


def sit(candidate: Candidate, exam: Exam) -> Result:
    """Take the paper, hand in the answers, and find that this can be done only once."""
    paper = candidate.client.get(f"/exams/{exam.id}/take-exam/")
    ids = [question["id"] for question in paper["questions"]]
    problems = [exam.problems[question_id] for question_id in ids]
    sheet = answer_sheet(candidate.mind, problems)
    sent = time.monotonic()
    _hand_in(candidate, exam, ids, sheet)
    answered = time.monotonic()
    _hand_in_again(candidate, exam, ids, sheet)
    correct = sum(
        option == problem.correct for option, problem in zip(sheet, problems, strict=True)
    )
    score = percent(correct, len(problems))
    return Result(candidate.id, candidate.full_name, score, sent, answered)


def _hand_in(candidate: Candidate, exam: Exam, ids: Sequence[int], sheet: Sequence[str]) -> None:
    answers = [
        {"question": question_id, "selected_option": option}
        for question_id, option in zip(ids, sheet, strict=True)
    ]
    candidate.client.post(f"/exams/{exam.id}/submit-exam-answers/", {"answers": answers})


def _hand_in_again(
    candidate: Candidate, exam: Exam, ids: Sequence[int], sheet: Sequence[str]
) -> None:
    try:
        _hand_in(candidate, exam, ids, sheet)
    except CallFailed as refusal:
        if refusal.code != "exam_already_submitted":
            raise
    else:
        raise DemoError(f"{candidate.full_name} could hand in twice in exam {exam.id}.")


def score_by_hand(admin: Client, candidate: Candidate, exam: Exam) -> Result:
    body = {"candidate_id": candidate.id, "score": float(HAND_SCORE)}
    sent = time.monotonic()
    admin.put(f"/exams/{exam.id}/submit-exam-score/", body)
    answered = time.monotonic()
    return Result(candidate.id, candidate.full_name, HAND_SCORE, sent, answered)


def conclude(admin: Client, exam: Exam) -> None:
    admin.post(f"/exams/{exam.id}/conclude/")


def promote(admin: Client, candidate: Candidate, role: str) -> None:
    admin.put(f"/candidates/{candidate.id}/roles/assign/", {"role": role})
