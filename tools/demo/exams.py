"""Create questions and exams, and submit answers."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from tools.demo import pictures
from tools.demo.ability import answer_sheet
from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import CallFailed, DemoError
from tools.demo.problems import Problem
from tools.demo.ranking import Result, percent

COUNTDOWN_MINUTES = 60
OPEN_HOURS = 12
# How long ago new exams opened, so that candidates can start immediately.
OPENED_AGO = timedelta(minutes=1)
# When the exam that has no questions yet opens.
ANNOUNCED = timedelta(days=18)
HAND_SCORE = Decimal("67.5")
# Mistakes of the moderator: the wrong answer keys of these problems, by slug.
WRONG_KEYS = {"last-digit": "D"}


@dataclass(frozen=True)
class Exam:
    """An exam. `problems` has its problems, by the id of their question. `wrong_keys` has the
    options that count as right by mistake, by the same ids.
    """

    id: int
    stage: str
    round: int
    problems: Mapping[int, Problem]
    wrong_keys: Mapping[int, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.stage} round {self.round}"

    def key(self, question_id: int) -> str:
        """The option that counts as right."""
        return self.wrong_keys.get(question_id, self.problems[question_id].correct)


def write_question(moderator: Client, problem: Problem) -> int:
    """Create a question, and return its id."""
    a, b, c, d = problem.options
    text = problem.text
    if problem.slug == pictures.SLUG:
        text += f"\n[image:{_upload_brick(moderator)}]"
    question = moderator.post(
        "/questions/",
        {
            "text": text,
            "option_a": a,
            "option_b": b,
            "option_c": c,
            "option_d": d,
            "correct_answer": WRONG_KEYS.get(problem.slug, problem.correct),
            "difficulty": problem.difficulty,
        },
    )
    return int(question["id"])


def _upload_brick(moderator: Client) -> int:
    """Upload the picture of a problem, and return its id."""
    form = {
        "file": ("brick.png", pictures.brick(), "image/png"),
        "alt": (None, pictures.ALT.encode(), "text/plain"),
    }
    return int(moderator.upload("POST", "/questions/images/", form)["id"])


def plan(admin: Client, stage: str, problems: Mapping[int, Problem]) -> Exam:
    """Create an exam that is open now, in a new round, because a leaderboard shows only the latest
    exam of a stage and round."""
    round = _next_round(admin, stage)
    id = _create(admin, stage, round, -OPENED_AGO, list(problems))
    wrong = {id: WRONG_KEYS[each.slug] for id, each in problems.items() if each.slug in WRONG_KEYS}
    return Exam(id, stage, round, problems, wrong)


def announce(admin: Client, stage: str) -> None:
    """Create the exam of the next round, with a date, but without questions."""
    _create(admin, stage, _next_round(admin, stage), ANNOUNCED, [])


def _create(
    admin: Client, stage: str, round: int, opens_in: timedelta, questions: Sequence[int]
) -> int:
    exam = admin.post(
        "/exams/",
        {
            "title": f"{stage} round {round}".capitalize(),
            "stage": stage,
            "round": round,
            "description": "Every question has one right answer. No points are taken off.",
            "scheduled_date": opening_time(admin, opens_in),
            "countdown_minutes": COUNTDOWN_MINUTES,
            "open_duration_hours": OPEN_HOURS,
            "questions": list(questions),
        },
    )
    return int(exam["id"])


def opening_time(admin: Client, opens_in: timedelta = -OPENED_AGO) -> str:
    """The time at which an exam opens, by the clock of the service: this machine's may differ."""
    now = datetime.fromisoformat(admin.get("/health/")["timestamp"])
    return (now + opens_in).isoformat()


def swap(admin: Client, moderator: Client, exam: Exam) -> None:
    """Remove the first question and add it again, which moves it to the end. Add another question
    by mistake, and archive it, which removes it from the exam.
    """
    first, *_ = exam.problems
    mistake = write_question(moderator, exam.problems[first])
    links = f"/questions/{first}/exams/"
    admin.post(links, {"remove_from_exams": [exam.id]})
    added = admin.post(
        "/questions/bulk-add-to-exams/", {"question_ids": [first, mistake], "exam_ids": [exam.id]}
    )
    archived = admin.post("/questions/bulk-archive/", {"question_ids": [mistake]})
    if added["summary"]["successful"] != 2 or archived["details"]["archived"] != [mistake]:
        raise DemoError(f"The questions of exam {exam.id} did not change as requested.")
    paper = [question["id"] for question in admin.get(f"/exams/{exam.id}/questions/")]
    if paper != [*list(exam.problems)[1:], first]:
        raise DemoError(f"The questions of exam {exam.id} are not the planned ones.")


def _next_round(admin: Client, stage: str) -> int:
    taken = [
        exam["round"]
        for page in admin.pages("/exams/", stage=stage, limit=100)
        for exam in page["results"]
    ]
    return max(taken, default=0) + 1


def sit(candidate: Candidate, exam: Exam) -> Result:
    """Start the exam, and submit the answers."""
    candidate.client.get(f"/exams/{exam.id}/take-exam/")
    return submit(candidate, exam)


def answers(candidate: Candidate, exam: Exam) -> list[dict[str, object]]:
    """The candidate's answers, in the form of a request."""
    sheet = answer_sheet(candidate.mind, exam.problems.values())
    return [
        {"question": question_id, "selected_option": option}
        for question_id, option in zip(exam.problems, sheet, strict=True)
    ]


def worth(candidate: Candidate, exam: Exam) -> Decimal:
    """The score of the candidate's answers by the exam's current keys."""
    sheet = answer_sheet(candidate.mind, exam.problems.values())
    correct = sum(
        option == exam.key(question_id)
        for question_id, option in zip(exam.problems, sheet, strict=True)
    )
    return percent(correct, len(sheet))


def submit(candidate: Candidate, exam: Exam) -> Result:
    """Submit the answers, store the receipt, and check that a second submission is rejected."""
    path, body = f"/exams/{exam.id}/submit-exam-answers/", {"answers": answers(candidate, exam)}
    sent = time.monotonic()
    candidate.receipts[exam.id] = candidate.client.post(path, body)["receipt"]
    answered = time.monotonic()
    try:
        candidate.client.post(path, body)
    except CallFailed as refusal:
        if refusal.code != "exam_already_submitted":
            raise
    else:
        raise DemoError(f"{candidate.full_name} could submit twice in exam {exam.id}.")
    return Result(candidate.id, candidate.full_name, worth(candidate, exam), sent, answered)


def score_by_hand(admin: Client, candidate: Candidate, exam: Exam) -> Result:
    body = {"candidate_id": candidate.id, "score": float(HAND_SCORE)}
    sent = time.monotonic()
    admin.put(f"/exams/{exam.id}/submit-exam-score/", body)
    answered = time.monotonic()
    return Result(candidate.id, candidate.full_name, HAND_SCORE, sent, answered)


def conclude(admin: Client, exam: Exam, left: Sequence[Candidate] = ()) -> list[Result]:
    """Conclude the exam, and return the results of candidates whose drafts the service submits."""
    sent = time.monotonic()
    admin.post(f"/exams/{exam.id}/conclude/")
    answered = time.monotonic()
    return [Result(each.id, each.full_name, worth(each, exam), sent, answered) for each in left]
