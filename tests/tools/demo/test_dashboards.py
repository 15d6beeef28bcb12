from decimal import Decimal
from typing import Any

import httpx
import pytest

from tools.demo import dashboards, waiting
from tools.demo.boards import Board
from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import DemoError, WrongDashboard
from tools.demo.ranking import Row

ROWS = [
    Row(1, "ada", 101, "Ada Okafor", "Hillside School", Decimal("75")),
    Row(2, "ben", 102, "Ben Nowak", "Hillside School", Decimal("50")),
    Row(2, "cem", 103, "Cem Şahin", "Hillside School", Decimal("50")),
]
BOARD = Board({}, ROWS)
STATS = {
    "total_exams_taken": 2,
    "average_score": 62.5,
    "highest_score": 75.0,
    "lowest_score": 50.0,
}


def service(reply: Any) -> Client:
    """A service that always returns the same reply."""
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=reply))
    return Client(httpx.Client(transport=transport), "https://league.example/v1", {})


def ada(stats: dict[str, Any]) -> Candidate:
    client = service({"exam_stats": stats})
    return Candidate("Ada", "Okafor", "ada@school.example", client, id="ada")


SECOND = Board({}, [Row(1, "ada", 101, "Ada Okafor", "Hillside School", Decimal("50"))])


def test_a_dashboard_that_matches_the_leaderboards_passes() -> None:
    assert dashboards.read_own(ada(STATS), [BOARD, SECOND])["exam_stats"] == STATS


@pytest.mark.parametrize("name", STATS)
def test_a_wrong_number_is_named(name: str) -> None:
    with pytest.raises(WrongDashboard, match=f"Wrong {name} of Ada Okafor: 1"):
        dashboards.read_own(ada({**STATS, name: 1}), [BOARD, SECOND])


def test_a_candidate_without_results_has_zeros() -> None:
    nothing = dict.fromkeys(STATS, 0)
    assert dashboards.read_own(ada(nothing), [])["exam_stats"] == nothing


def check_ranks(*ranks: int | None) -> None:
    shown = {
        row.user_id: {"leaderboard_ranking": {"current_rank": rank}}
        for row, rank in zip(ROWS, ranks, strict=True)
    }
    dashboards.check_ranks(shown, BOARD)


@pytest.mark.parametrize("ranks", [(1, 2, 2), (3, 8, 8)])
def test_candidates_of_earlier_seasons_may_rank_in_between(ranks: tuple[int, ...]) -> None:
    check_ranks(*ranks)


@pytest.mark.parametrize("ranks", [(1, 1, 1), (2, 2, 2), (4, 3, 3), (1, 2, 3), (1, 2, None)])
def test_ranks_that_contradict_the_leaderboard_are_an_error(ranks: tuple[int | None, ...]) -> None:
    with pytest.raises(WrongDashboard):
        check_ranks(*ranks)


def test_missing_submissions_on_the_dashboard_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 0)
    monkeypatch.setattr(waiting, "PAUSE_SECONDS", 0)
    moderator = service({"scores": {"total_submissions": 13}})
    assert dashboards.count_submissions(moderator) == 13
    assert dashboards.read_of_staff(moderator, 13)["scores"] == {"total_submissions": 13}
    with pytest.raises(DemoError, match="did not count 14 submissions"):
        dashboards.read_of_staff(moderator, 14)
