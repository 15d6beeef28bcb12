"""Incidents during an exam (a lost device, extra time, a false alarm), and checks of receipts."""

import hashlib
import json
import time
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tools.demo import accounts, exams
from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import DemoError
from tools.demo.exams import COUNTDOWN_MINUTES, Exam
from tools.demo.ranking import Result

MORE_TIME_PERCENT = 25
ALARM_SECONDS = 1
ALARM = "False alarm: all candidates had to leave the room."

Receipt = Mapping[str, Any]
# The public keys, by `kid`.
Keys = Mapping[str, str]


def give_more_time(admin: Client, candidate: Candidate) -> None:
    body = {"percent": MORE_TIME_PERCENT, "reason": "Requested by the school."}
    admin.put(f"/candidates/{candidate.id}/allowance/", body)


def begin(candidate: Candidate, exam: Exam) -> None:
    """Start the exam, and save the first half of the answers."""
    candidate.client.get(f"/exams/{exam.id}/take-exam/")
    _save(candidate, exam, 1, slice(0, len(exam.problems) // 2))


def has_grace(candidate: Candidate, exam: Exam) -> bool:
    """Whether there is a grace period after the deadline, before the service submits drafts."""
    clock = _clock(candidate, exam)
    return bool(clock["hand_in_until"] != clock["deadline"])


def save_the_rest(candidate: Candidate, exam: Exam) -> None:
    _save(candidate, exam, 2, slice(len(exam.problems) // 2, None))


def _save(candidate: Candidate, exam: Exam, sequence: int, which: slice) -> None:
    body = {"sequence": sequence, "answers": exams.answers(candidate, exam)[which]}
    if not candidate.client.put(f"/exams/{exam.id}/draft/", body)["applied"]:
        raise DemoError(f"A draft of {candidate.full_name} in exam {exam.id} was not applied.")


def check_more_time(candidate: Candidate, exam: Exam) -> None:
    """Check that the exam's clock shows the extra time. Raises DemoError if it does not."""
    clock = _clock(candidate, exam)
    given = datetime.fromisoformat(clock["deadline"]) - datetime.fromisoformat(clock["started_at"])
    if given != timedelta(minutes=COUNTDOWN_MINUTES) * (1 + MORE_TIME_PERCENT / 100):
        raise DemoError(f"{candidate.full_name} has {given} in exam {exam.id}.")


def ring(admin: Client, exam: Exam, sitting: Sequence[Candidate]) -> None:
    """Simulate a false alarm, and give the lost time back to all candidates in the exam.

    Raises DemoError if a candidate's deadline does not move.
    """
    before = [_deadline(candidate, exam) for candidate in sitting]
    rung = admin.get("/health/")["timestamp"]
    time.sleep(ALARM_SECONDS)
    lost = {"from": rung, "until": admin.get("/health/")["timestamp"]}
    body = {"everyone": True, "lost": lost, "reason": ALARM}
    admin.post(f"/exams/{exam.id}/allowances/", body)
    for candidate, deadline in zip(sitting, before, strict=True):
        if _deadline(candidate, exam) < deadline + timedelta(seconds=ALARM_SECONDS):
            raise DemoError(f"{candidate.full_name} did not get the time of the alarm back.")


def _clock(candidate: Candidate, exam: Exam) -> Any:
    return candidate.client.get(f"/exams/{exam.id}/time/")


def _deadline(candidate: Candidate, exam: Exam) -> datetime:
    return datetime.fromisoformat(_clock(candidate, exam)["deadline"])


def go_on_elsewhere(candidate: Candidate, exam: Exam) -> Result:
    """Log in on another device, check that the draft from the first device is there, and submit.

    Raises DemoError if answers are missing.
    """
    saved = exams.answers(candidate, exam)[: len(exam.problems) // 2]
    accounts.log_in(candidate)
    draft = candidate.client.get(f"/exams/{exam.id}/take-exam/")["draft"]
    found = {each["question"]: each["selected_option"] for each in draft["answers"]}
    if found != {each["question"]: each["selected_option"] for each in saved if _is_chosen(each)}:
        raise DemoError(f"The other device of {candidate.full_name} lacks saved answers.")
    return exams.submit(candidate, exam)


def _is_chosen(answer: Mapping[str, object]) -> bool:
    """Whether an option is chosen. Drafts leave out blank answers."""
    return answer["selected_option"] != ""


def public_keys(reader: Client) -> Keys:
    """The public keys that verify receipts, including retired ones."""
    return {each["kid"]: each["x"] for each in reader.get("/receipts/keys/")["keys"]}


def check_receipt(candidate: Candidate, exam: Exam, keys: Keys) -> None:
    """Check a receipt without trusting the service.

    The receipt must equal the one in the reply to the submission, and its signature must be valid
    for the candidate's answers. If the service submitted the answers, the receipt must say so.
    Raises DemoError if anything is wrong.
    """
    receipt = candidate.client.get(f"/exams/{exam.id}/receipt/")
    given = candidate.receipts.get(exam.id)
    expected = given or {**receipt, "handed_in_by": "service"}
    if receipt != expected:
        raise DemoError(f"{candidate.full_name} was given {given}, but has {receipt}.")
    if not _is_genuine(receipt, keys, exams.answers(candidate, exam)):
        raise DemoError(f"The receipt of {candidate.full_name} is not valid: {receipt}.")


def _is_genuine(receipt: Receipt, keys: Keys, answers: Sequence[Mapping[str, object]]) -> bool:
    signed = {name: value for name, value in receipt.items() if name != "signature"}
    key = Ed25519PublicKey.from_public_bytes(_decoded(keys[receipt["key_id"]]))
    try:
        key.verify(_decoded(receipt["signature"]), canonical(signed))
    except InvalidSignature:
        return False
    given = {str(each["question"]): each["selected_option"] for each in answers if _is_chosen(each)}
    digest = hashlib.sha256(canonical({"salt": receipt["salt"], "answers": given})).digest()
    return digest == _decoded(receipt["digest"])


def canonical(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
