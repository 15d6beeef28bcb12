"""Publish and read leaderboards, and check them against the submitted answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tools.demo import ranking
from tools.demo.ability import answer_sheet
from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import CallFailed, WrongBoard
from tools.demo.exams import Exam
from tools.demo.ranking import Result, Row
from tools.demo.waiting import wait_for


@dataclass(frozen=True)
class Board:
    """A leaderboard with the rows of all its pages. `details` is the field `exam_details`."""

    details: Mapping[str, Any]
    rows: Sequence[Row]


def publish(admin: Client, exam: Exam) -> None:
    """Publish the leaderboards, and wait until the exam's is one of them."""
    admin.post("/leaderboard/publish/")
    wait_for(lambda: _published(admin, exam), f"The leaderboard of {exam.name} was not published")


def _published(admin: Client, exam: Exam) -> Any:
    """The exam's leaderboard in the summary, or None."""
    try:
        summary = admin.get("/leaderboard/")
    except CallFailed as refusal:
        if refusal.code == "leaderboard_not_published":
            return None
        raise
    boards = summary["available_leaderboards"]
    return next((board for board in boards if board["exam_id"] == exam.id), None)


def read(reader: Client, exam: Exam) -> Board:
    pages = list(reader.pages("/leaderboard/", stage=exam.stage, round=exam.round))
    rows = [_row(line) for line in pages[0]["top_three"]]
    for page in pages:
        rows += [_row(line) for line in page["remaining_candidates"]]
    return Board(pages[0]["exam_details"], rows)


def _row(line: Mapping[str, Any]) -> Row:
    candidate = line["candidate"]
    return Row(
        rank=line["rank"],
        user_id=candidate["user_id"],
        number=candidate["id"],
        full_name=candidate["full_name"],
        school=candidate["school"],
        score=_decimal(line["score"]),
    )


def check(board: Board, exam: Exam, results: Sequence[Result]) -> None:
    """Check ranks, scores and details of a leaderboard. Raises WrongBoard."""
    ranking.check(board.rows, results)
    expected = {
        "id": exam.id,
        "total_questions": len(exam.problems),
        "total_candidates": len(results),
        "average_score": ranking.average(results),
    }
    for name, value in expected.items():
        found = board.details[name]
        if _decimal(found) != value:
            raise WrongBoard(f"Wrong {name}: the board says {found}; expected: {value}.")


def check_own_detail(candidate: Candidate, exam: Exam, row: Row) -> None:
    """Check the details that a candidate sees of their own answers. Raises WrongBoard."""
    detail = candidate.client.get(
        f"/leaderboard/{exam.stage}/{exam.round}/candidate/{row.number}/"
    )["candidate_performance"]
    if (detail["rank"], _decimal(detail["score"])) != (row.rank, row.score):
        raise WrongBoard(f"The detail says rank {detail['rank']}, {detail['score']}: {row}.")
    shown = detail["submissions"]
    problems = [exam.problems[answer["question_id"]] for answer in shown]
    if len(problems) != len(exam.problems):
        raise WrongBoard(f"The detail has {len(problems)} of {len(exam.problems)} answers: {row}.")
    sheet = answer_sheet(candidate.mind, problems)
    for answer, option in zip(shown, sheet, strict=True):
        key = exam.key(answer["question_id"])
        seen = (answer["selected_option"], answer["correct_answer"], answer["is_correct"])
        if seen != (option, key, option == key):
            raise WrongBoard(f"Question {answer['question_id']} is not as it was answered: {row}.")


def _decimal(number: float) -> Decimal:
    """The decimal number that the float stands for, without its binary rounding."""
    return Decimal(str(number))
