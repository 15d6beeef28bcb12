from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from tools.demo.errors import WrongBoard
from tools.demo.ranking import Result, Row, average, check, percent, ranks


def result(user_id: str, score: str, *, sent: float = 0, answered: float = 1) -> Result:
    return Result(user_id, user_id.title(), Decimal(score), sent, answered)


def row(rank: int, user_id: str, score: str) -> Row:
    return Row(rank, user_id, 1, user_id.title(), "Hillside School", Decimal(score))


# Ada and Ben share the first rank. Ben submitted after Ada. Cleo submitted at the same time as Ben.
RESULTS = (
    result("ada", "90", sent=0, answered=1),
    result("dora", "40", sent=0, answered=1),
    result("ben", "90.00", sent=2, answered=4),
    result("cleo", "87.50", sent=3, answered=5),
)
ROWS = (row(1, "ada", "90"), row(1, "ben", "90"), row(3, "cleo", "87.5"), row(4, "dora", "40"))


def refusal(rows: Sequence[Row], results: Sequence[Result] = RESULTS) -> str:
    with pytest.raises(WrongBoard) as caught:
        check(rows, results)
    return str(caught.value)


def replaced(index: int, **changes: object) -> list[Row]:
    rows = list(ROWS)
    rows[index] = replace(rows[index], **changes)
    return rows


def test_percentages_are_rounded_half_up_to_two_decimals() -> None:
    assert percent(0, 40) == 0
    assert percent(35, 40) == Decimal("87.50")
    assert percent(2, 3) == Decimal("66.67")
    assert str(percent(1, 800)) == "0.13"


def test_the_average_is_rounded_like_a_score() -> None:
    assert average(RESULTS) == Decimal("76.88")


def test_equal_scores_share_a_rank_and_the_next_is_skipped() -> None:
    assert ranks(RESULTS) == {"ada": 1, "ben": 1, "cleo": 3, "dora": 4}


def test_all_candidates_can_share_the_first_rank() -> None:
    assert ranks([result("ada", "5"), result("ben", "5")]) == {"ada": 1, "ben": 1}


def test_a_correct_leaderboard_passes() -> None:
    check(ROWS, RESULTS)


def test_an_empty_leaderboard_passes() -> None:
    check([], [])


def test_a_wrong_score_is_named() -> None:
    assert "Wrong score: rank 3, Cleo (cleo), score 85.0" in refusal(
        replaced(2, score=Decimal("85.0"))
    )


def test_a_rank_after_a_tie_that_skips_nothing_is_named() -> None:
    assert "Wrong rank: rank 2, Cleo (cleo)" in refusal(replaced(2, rank=2))


def test_a_tie_that_is_not_shared_is_named() -> None:
    assert "Wrong rank: rank 2, Ben (ben)" in refusal(replaced(1, rank=2))


def test_a_wrong_name_is_named() -> None:
    assert "Wrong name: rank 4, Eva (dora)" in refusal(replaced(3, full_name="Eva"))


def test_a_candidate_who_did_not_take_the_exam_is_named() -> None:
    assert "Not a candidate of this exam: rank 4, Dora (eva)" in refusal(replaced(3, user_id="eva"))


def test_a_candidate_listed_twice_is_named() -> None:
    assert "Listed twice: rank 1, Ada" in refusal([ROWS[0], *ROWS])


def test_a_missing_candidate_is_named() -> None:
    assert "Missing: Dora (dora), 40" in refusal(ROWS[:3])


def test_a_lower_score_before_a_higher_one_is_named() -> None:
    assert "Wrong order: rank 4, Dora" in refusal([ROWS[0], ROWS[1], ROWS[3], ROWS[2]])


def test_a_later_submission_before_an_earlier_one_in_a_tie_is_named() -> None:
    assert "Wrong order: rank 1, Ben" in refusal([ROWS[1], ROWS[0], *ROWS[2:]])


def test_overlapping_submissions_in_a_tie_can_come_in_either_order() -> None:
    results = [result("ada", "90", sent=0, answered=2), result("ben", "90", sent=1, answered=3)]
    rows = [row(1, "ada", "90"), row(1, "ben", "90")]
    check(rows, results)
    check(rows[::-1], results)
