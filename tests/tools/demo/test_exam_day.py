from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tools.demo import advancement, corrections, exam_day, exams
from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import DemoError
from tools.demo.exams import Exam
from tools.demo.problems import PROBLEMS
from tools.demo.ranking import Result, Row

EXAM = Exam(5, "screening", 2, dict(enumerate(PROBLEMS[:4], start=11)), {12: "D"})
KEY = Ed25519PrivateKey.generate()


def service(reply: Any) -> Client:
    """A service that always returns the same reply."""
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=reply))
    return Client(httpx.Client(transport=transport), "https://league.example/v1", {})


def candidate(reply: Any) -> Candidate:
    return Candidate("Ada", "Okafor", "ada@school.example", service(reply), id="ada", mind=3)


def encoded(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


KEYS = {"k": encoded(KEY.public_key().public_bytes_raw())}


def receipt(handed_in_by: str = "candidate", **changes: Any) -> dict[str, Any]:
    """A receipt for Ada's answers with these changes, and with a valid signature."""
    given = {
        str(each["question"]): each["selected_option"]
        for each in exams.answers(candidate({}), EXAM)
        if each["selected_option"]
    }
    digest = sha256(exam_day.canonical({"salt": "s", "answers": given})).digest()
    content = {"key_id": "k", "salt": "s", "digest": encoded(digest), "handed_in_by": handed_in_by}
    content |= changes
    return {**content, "signature": encoded(KEY.sign(exam_day.canonical(content)))}


def check(shown: dict[str, Any], first: dict[str, Any] | None) -> None:
    ada = candidate(shown)
    if first:
        ada.receipts[EXAM.id] = first
    exam_day.check_receipt(ada, EXAM, KEYS)


def test_receipts_of_candidates_and_of_the_service_pass() -> None:
    check(receipt(), receipt())
    check(receipt("service"), None)


@pytest.mark.parametrize(
    ("shown", "first"),
    [
        (receipt("service"), receipt()),
        (receipt(), None),
        (receipt(digest=encoded(b"x" * 32)), receipt(digest=encoded(b"x" * 32))),
        ({**receipt(), "salt": "t"}, {**receipt(), "salt": "t"}),
    ],
)
def test_a_changed_or_invalid_receipt_is_an_error(shown: Any, first: Any) -> None:
    with pytest.raises(DemoError, match="Ada Okafor"):
        check(shown, first)


@pytest.mark.parametrize("minute", [15, 20])
def test_a_grace_period_is_detected(minute: int) -> None:
    until = f"2026-03-14T11:{minute}:00Z"
    clock = {"deadline": "2026-03-14T11:15:00Z", "hand_in_until": until}
    assert exam_day.has_grace(candidate(clock), EXAM) is (minute > 15)


def test_a_wrong_answer_key_without_an_alarm_is_an_error() -> None:
    questions = [{"question": 11, "alarms": ["key_suspected"]}, {"question": 12, "alarms": []}]
    with pytest.raises(DemoError, match="does not suspect the key of 12"):
        corrections.suspect(service({"questions": questions}), EXAM)


def test_a_preview_with_wrong_counts_is_an_error() -> None:
    before = [Result("ada", "Ada", exams.percent(1, 4), 0, 1)]
    after = [Result("ada", "Ada", exams.percent(2, 4), 0, 1)]
    corrections.check_effect({"effect": {"up": 1, "down": 0}}, before, after)
    with pytest.raises(DemoError, match="Wrong up of the preview: 0, not 1"):
        corrections.check_effect({"effect": {"up": 0, "down": 0}}, before, after)


def test_a_plan_that_advances_a_wrong_number_is_an_error() -> None:
    """The better half of three candidates is two candidates. But the third has the same score as
    the second, so all three have to advance.
    """
    rows = [
        Row(rank, name, number, name, "School", exams.percent(score, 4))
        for number, (rank, name, score) in enumerate([(1, "ada", 4), (2, "ben", 3), (2, "eve", 3)])
    ]
    people = [Candidate(row.user_id, "", "", service({}), id=row.user_id) for row in rows]
    assert advancement.apply(service({"advanced": 3}), 1, rows, people) == people
    with pytest.raises(DemoError, match="2 candidates advance by plan 1; expected: 3"):
        advancement.apply(service({"advanced": 2}), 1, rows, people)
    with pytest.raises(DemoError, match="could be changed"):
        advancement.check_frozen(service({}), 1)
