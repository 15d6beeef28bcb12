"""Receipts: they are signed with the submission, never change, and can be verified by anyone."""

import json
import re
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from typing import get_args

import msgspec
import pytest
import rfc8785
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from competition.core.plugins import load_settings
from competition.core.schemas import LARGEST_ID, LARGEST_INTEGER
from competition.core.settings import SettingsError
from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.receipts import ReceiptSettings, commands
from competition.plugins.receipts.presenters import Content
from competition.plugins.receipts.services import keys, receipts
from competition.plugins.sittings.events import SubmissionsStored
from competition.plugins.sittings.models import Attempt, HandedInBy, Submission
from competition.testing.exam_day import answers, make_exam, sit, submit, take
from tests.support.repository import REPOSITORY

OTHER = "o" * 42 + "A"


def receipt_of(app, person, exam_id):
    return person.get(f"/exams/{exam_id}/receipt/", status=200).json


def verdict(app, receipt, given=None, **expected):
    body = {"receipt": receipt, **({} if given is None else given)}
    return app.anonymous.post("/receipts/verify/", body, **expected or {"status": 200}).json


VALID = {"valid": True, "reason": None}


def flawed(reason):
    return {"valid": False, "reason": reason}


def keys_of(app):
    return app.anonymous.get("/receipts/keys/", status=200).json["keys"]


@pytest.fixture
def sitting(app, admin):
    """An exam, a candidate who has submitted it, the body of the submission, and the reply."""
    exam_id, person = make_exam(app, admin, "ABCD"), app.candidate()
    take(person, exam_id)
    app.clock.advance(minutes=7, microseconds=120)
    body = answers(app, exam_id, "AB D")
    reply = submit(person, exam_id, body, headers={"Idempotency-Key": "k"}, status=201).json
    return exam_id, person, body, reply


def test_the_reply_contains_the_receipt_which_never_changes(app, sitting):
    exam_id, person, body, reply = sitting
    receipt = reply["receipt"]
    assert reply["message"] == "Your answers have been submitted."
    assert (receipt["exam"], receipt["candidate"]) == (exam_id, str(person.id))
    assert datetime.fromisoformat(receipt["submitted_at"]) == app.clock.now
    assert receipt["handed_in_by"] == "candidate"
    assert (receipt["questions"], receipt["answered"]) == (4, 3)
    for name in ("salt", "digest", "key_id", "signature"):
        assert re.fullmatch("[A-Za-z0-9_-]+", receipt[name]), name
    app.clock.advance(days=2)
    assert receipt_of(app, app.new_session(person), exam_id) == receipt
    again = submit(
        app.new_session(person), exam_id, body, headers={"Idempotency-Key": "k"}, status=201
    )
    assert again.json == reply
    app.candidate().get(f"/exams/{exam_id}/receipt/", status=404, code="not_found")


def test_a_receipt_outlives_its_exam(app, admin, sitting):
    exam_id, person, _, reply = sitting
    admin.delete(f"/exams/{exam_id}/", status=204)
    assert receipt_of(app, person, exam_id) == reply["receipt"]


def test_equivalent_answers_pass_and_other_answers_fail_the_verification(app, sitting):
    _, _, body, reply = sitting
    receipt, sheet = reply["receipt"], body["answers"]
    assert verdict(app, receipt) == VALID
    lower = [{**each, "selected_option": each["selected_option"].lower()} for each in sheet]
    null = [{**each, "selected_option": each["selected_option"] or None} for each in sheet]
    short = [each for each in sheet if each["selected_option"]]
    for same in (sheet, lower, null, short, sheet[::-1]):
        assert verdict(app, receipt, {"answers": same}) == VALID
    changed = [{**sheet[0], "selected_option": "C"}, *sheet[1:]]
    unknown = [*sheet, {"question": 999999, "selected_option": "A"}]
    for other in (changed, sheet[1:], unknown, [*sheet, sheet[0]]):
        assert verdict(app, receipt, {"answers": other}) == flawed("answers")


def signed_before(receipt):
    """The signed bytes of a receipt from the time when json.dumps wrote the canonical form."""
    content = {name: value for name, value in receipt.items() if name != "signature"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def test_receipts_signed_by_earlier_versions_stay_valid(app, sitting):
    _, _, body, reply = sitting
    receipt = reply["receipt"]
    signing = keys.keys(app.runtime.settings)
    assert signing.sign(signed_before(receipt)) == receipt["signature"]
    old = {**receipt, "more": r"\"<>&~", "exam": 2**31 - 1, "questions": 0}
    old["signature"] = signing.sign(signed_before(old))
    assert verdict(app, old, {"answers": body["answers"]}) == VALID


VISIBLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=200)
NUMBERS = st.integers(0, LARGEST_INTEGER)
CONTENT = st.builds(
    Content,
    exam=st.integers(1, LARGEST_ID),
    candidate=st.uuids(),
    submitted_at=st.datetimes(timezones=st.just(UTC)),
    handed_in_by=st.sampled_from(get_args(HandedInBy)),
    questions=NUMBERS,
    answered=NUMBERS,
    salt=VISIBLE,
    digest=VISIBLE,
    key_id=VISIBLE,
)
ANSWERED = st.dictionaries(st.integers(1, LARGEST_ID).map(str), st.sampled_from("ABCD"))
SENT = st.dictionaries(VISIBLE, NUMBERS | VISIBLE)


@settings(deadline=None)
@given(CONTENT | st.fixed_dictionaries({"answers": ANSWERED, "salt": VISIBLE}) | SENT)
def test_the_canonical_json_of_answers_and_of_receipts_is_that_of_rfc_8785(value):
    assert keys.canonical(value) == rfc8785.dumps(msgspec.to_builtins(value))


def test_receipts_for_the_same_answers_differ_in_salt_and_digest(app, admin):
    exam_id = make_exam(app, admin)
    both = [app.candidate(), app.candidate()]
    for person in both:
        sit(app, person, exam_id, "ABCD")
    one, other = (receipt_of(app, person, exam_id) for person in both)
    assert one["salt"] != other["salt"] and one["digest"] != other["digest"]


def test_any_change_makes_a_receipt_invalid(app, sitting):
    receipt = sitting[3]["receipt"]
    for name, value in receipt.items():
        changed = value + 1 if isinstance(value, int) else value[:-1] + "_"
        reason = "unknown_key" if name == "key_id" else "signature"
        assert verdict(app, {**receipt, name: changed}) == flawed(reason), name
    for other in ({"more": 1}, {"salt": "A"}, {"signature": "no.base64"}):
        assert verdict(app, receipt | other) == flawed("signature"), other
    # The last character of a signature has two spare bits. A signature with other spare bits is
    # rejected too.
    last = receipt["signature"][-1]
    twin = {"A": "B", "Q": "R", "g": "h", "w": "x"}[last]
    assert verdict(app, {**receipt, "signature": receipt["signature"][:-1] + twin}) == flawed(
        "signature"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        {},
        {"salt": None},
        {"exam": 1.5},
        {"exam": 2**31},
        {"exam": True},
        {"digest": "d" * 201},
        {"key_id": "a b"},
        {"salt": "ä"},
        {"exam": "7"},
        {"more": []},
        {"m ore": 1},
    ],
)
def test_a_malformed_receipt_is_rejected(app, sitting, wrong):
    receipt = {**sitting[3]["receipt"], **wrong} if wrong else wrong
    reply = verdict(app, receipt, status=400, code="invalid")
    assert list(reply["errors"]) == ["receipt"]


def test_receipts_for_submissions_by_the_service_are_stored_in_one_statement(
    app, admin, statements
):
    """The service submits for many candidates at once."""
    exam_id = make_exam(app, admin, "ABCD")
    people = [app.candidate() for _ in range(3)]
    for person in people:
        take(person, exam_id)
    rows = [
        {
            "exam_id": exam_id,
            "candidate_id": person.id,
            "answers": "A---",
            "submitted_at": app.clock.now,
            "handed_in_by": "service",
        }
        for person in people
    ]
    with begin(app.runtime) as work:
        stored = work.db.scalars(insert(Submission).returning(Submission), rows).all()
        with statements() as executed:
            work.emit(SubmissionsStored(work, exam_id, stored))
            # An event may contain no submissions.
            work.emit(SubmissionsStored(work, exam_id, []))
        assert len([each for each in executed if "receipt" in each]) == 1
    for person in people:
        receipt = receipt_of(app, person, exam_id)
        assert (receipt["handed_in_by"], receipt["answered"]) == ("service", 1)
        assert verdict(app, receipt, answers(app, exam_id, "A")) == VALID


def test_a_submission_from_before_receipts_has_none(app, admin):
    exam_id, person = make_exam(app, admin, "A"), app.candidate()
    with begin(app.runtime) as work:
        of_person = {"exam_id": exam_id, "candidate_id": person.id}
        take(person, exam_id)
        work.db.execute(
            insert(Submission).values(
                **of_person,
                answers="A",
                submitted_at=app.clock.now,
                key_hash="8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a",
            )
        )
        assert work.db.get(Attempt, (exam_id, person.id))
    body = answers(app, exam_id, "A")
    reply = submit(person, exam_id, body, headers={"Idempotency-Key": "k"}, status=201)
    assert reply.json["receipt"] is None
    person.get(f"/exams/{exam_id}/receipt/", status=404, code="not_found")


class TestKeys:
    @pytest.fixture
    def settings(self, base_settings):
        """``load(keys, retired)``: load the settings with these signing keys."""

        def load(keys, retired=""):
            named = {
                "competition.receipts.keys": keys,
                "competition.receipts.retired_keys": retired,
            }
            return load_settings({**base_settings, **named})[0]

        return load

    def test_receipts_of_an_older_or_retired_key_stay_valid(self, app, settings, sitting):
        receipt = sitting[3]["receipt"]
        [key] = keys_of(app)
        assert (key["kid"], key["kty"], key["crv"]) == (receipt["key_id"], "OKP", "Ed25519")
        rotated = settings(f"{OTHER} {app.runtime.settings[ReceiptSettings].keys[0]}")
        new, old = keys.keys(rotated).public()
        assert old == key != new
        assert keys.keys(rotated).signing_id == new["kid"]
        assert receipts.flaw(rotated, receipt) is None

        retired = settings(OTHER, retired=key["x"])
        assert keys.keys(retired).public() == [new, key]
        assert receipts.flaw(retired, receipt) is None
        assert receipts.flaw(settings(OTHER), receipt) == "unknown_key"

    def test_the_kid_is_the_thumbprint_of_rfc_8037_appendix_a(self, settings):
        [key] = keys.keys(settings("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")).public()
        assert key["x"] == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
        assert key["kid"] == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"

    def test_keys_are_accepted_in_both_alphabets_of_base64(self, settings):
        raw = b"\xfb\xff" * 16
        assert urlsafe_b64encode(raw) != b64encode(raw)
        for text in (urlsafe_b64encode(raw), b64encode(raw)):
            made = (
                keys.keys(settings(text.decode().rstrip("="))),
                keys.keys(settings(text.decode())),
            )
            public = Ed25519PrivateKey.from_private_bytes(raw).public_key().public_bytes_raw()
            for each in made:
                assert urlsafe_b64decode(each.public()[0]["x"] + "=") == public

    def test_the_public_keys_have_an_etag(self, app):
        tag = app.anonymous.get("/receipts/keys/").headers["ETag"]
        app.anonymous.get("/receipts/keys/", headers={"If-None-Match": tag}, status=304)

    @pytest.mark.parametrize("name", ["keys", "retired_keys"])
    @pytest.mark.parametrize("value", ["short", "ä" * 43, "!" * 43, f"{OTHER} {OTHER}AAAA"])
    def test_a_malformed_key_stops_the_start(self, base_settings, name, value):
        key = f"competition.receipts.{name}"
        with pytest.raises(SettingsError, match=f"{key}: each key must be 32 bytes"):
            load_settings({**base_settings, key: value})

    def test_a_missing_key_stops_the_start(self, base_settings):
        with pytest.raises(SettingsError, match=r"competition\.receipts\.keys: missing"):
            load_settings({**base_settings, "competition.receipts.keys": ""})


def test_the_code_in_the_client_guide_verifies_a_receipt(app, sitting):
    """The code needs only the public keys from the service."""
    guide = (REPOSITORY / "docs" / "client-guide.md").read_text()
    [lines] = re.findall(r"^```python\n([^`]*?def is_genuine[^`]*?)^```$", guide, re.M)
    names = {"json": json}
    exec(lines, names)
    _, _, body, reply = sitting
    is_genuine, receipt = names["is_genuine"], reply["receipt"]
    known = {each["kid"]: each["x"] for each in keys_of(app)}
    assert is_genuine(receipt, known, body["answers"])
    assert not is_genuine({**receipt, "answered": 4}, known, body["answers"])
    assert not is_genuine(receipt, known, body["answers"][1:])


def test_the_command_verifies_receipt_files(app, sitting, tmp_path):
    _, _, body, reply = sitting
    file, sheet = tmp_path / "receipt.json", tmp_path / "answers.json"

    def said(*words):
        return CliRunner().invoke(commands.receipts, ["verify", *words], obj=app.runtime)

    def verify(*words, **changed):
        file.write_text(json.dumps({**reply["receipt"], **changed}))
        done = said(str(file), *words)
        assert done.exit_code == (done.output != "The receipt is valid.\n")
        return done.output

    sheet.write_text(json.dumps(body).lower())
    assert verify() == "The receipt is valid.\n"
    assert verify("--answers", str(sheet)) == "The receipt is valid.\n"
    assert "The receipt is not valid (signature): " in verify(exam=8)
    assert "The receipt is not valid (unknown_key): " in verify(key_id=["?"])
    sheet.write_text(json.dumps({"answers": body["answers"][1:]}))
    assert "The receipt is not valid (answers): " in verify("--answers", str(sheet))
    for text in ("{}", '{"answers": [{"question": "x"}]}'):
        sheet.write_text(text)
        assert f"Error: {sheet}: " in verify("--answers", str(sheet))
    for text in ("[]", "{"):
        sheet.write_text(text)
        assert "does not contain a JSON object" in verify("--answers", str(sheet))


def test_the_command_line_has_the_receipts_command(live, run, tmp_path):
    file = tmp_path / "receipt.json"
    file.write_text('{"key_id": 1}')
    assert "is not a receipt" in run("receipts", "verify", str(file), status=1).output


def test_the_receipts_of_an_erased_user_are_deleted(app, sitting):
    exam_id, person, _, reply = sitting
    with begin(app.runtime) as work:
        [exported] = personal_data.export(work, person.id)["receipts"]
        assert (exported["exam"], exported["signature"]) == (exam_id, reply["receipt"]["signature"])
        personal_data.erase(work, person.id)
        assert personal_data.export(work, person.id)["receipts"] == []
    assert verdict(app, reply["receipt"]) == VALID
