from decimal import Decimal
from typing import Any

import httpx
import pytest

from tools.demo import boards
from tools.demo.ability import answer_sheet
from tools.demo.boards import Board
from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import WrongBoard
from tools.demo.exams import Exam
from tools.demo.problems import PROBLEMS
from tools.demo.ranking import Result, Row

EXAM = Exam(5, "screening", 2, dict(enumerate(PROBLEMS[:4], start=11)))
RESULTS = [
    Result("ada", "Ada Okafor", Decimal("75"), 0, 1),
    Result("ben", "Ben Nowak", Decimal("50"), 2, 3),
]
ROWS = [
    Row(1, "ada", 101, "Ada Okafor", "Hillside School", Decimal("75")),
    Row(2, "ben", 102, "Ben Nowak", "Hillside School", Decimal("50")),
]
DETAILS = {"id": 5, "total_questions": 4, "total_candidates": 2, "average_score": 62.5}


def service(reply: Any) -> Client:
    """A service that always returns the same reply."""
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=reply))
    return Client(httpx.Client(transport=transport), "https://league.example/v1", {})


def test_a_leaderboard_that_matches_the_results_passes() -> None:
    boards.check(Board(DETAILS, ROWS), EXAM, RESULTS)


@pytest.mark.parametrize("name", DETAILS)
def test_a_wrong_detail_of_the_exam_is_named(name: str) -> None:
    details = {**DETAILS, name: 1}
    with pytest.raises(WrongBoard, match=f"Wrong {name}: the board says 1"):
        boards.check(Board(details, ROWS), EXAM, RESULTS)


def test_a_wrong_row_is_named() -> None:
    with pytest.raises(WrongBoard, match="Ben Nowak"):
        boards.check(Board(DETAILS, ROWS[:1]), EXAM, RESULTS)


def performance(**changes: Any) -> dict[str, Any]:
    """The performance that a correct service would show for the candidate with mind 3."""
    shown = [
        {
            "question_id": question_id,
            "selected_option": option,
            "correct_answer": problem.correct,
            "is_correct": option == problem.correct,
        }
        for (question_id, problem), option in zip(
            EXAM.problems.items(), answer_sheet(3, EXAM.problems.values()), strict=True
        )
    ]
    return {"rank": 1, "score": 75.0, "submissions": shown, **changes}


def look(shown: dict[str, Any]) -> None:
    client = service({"candidate_performance": shown})
    ada = Candidate("Ada", "Okafor", "ada@school.example", client, mind=3)
    boards.check_own_detail(ada, EXAM, ROWS[0])


def test_answers_shown_as_they_were_sent_pass() -> None:
    look(performance())


@pytest.mark.parametrize("change", [{"rank": 2}, {"score": 74.99}, {"submissions": []}])
def test_a_detail_that_differs_from_the_leaderboard_is_named(change: dict[str, Any]) -> None:
    with pytest.raises(WrongBoard, match="Ada Okafor"):
        look(performance(**change))


@pytest.mark.parametrize(
    "change", [{"selected_option": "?"}, {"correct_answer": "?"}, {"is_correct": None}]
)
def test_an_answer_shown_wrongly_is_named(change: dict[str, Any]) -> None:
    shown = performance()
    shown["submissions"][2].update(change)
    with pytest.raises(WrongBoard, match="Question 13 is not as it was answered"):
        look(shown)
