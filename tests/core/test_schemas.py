import time
from email.message import EmailMessage

import colander
import pytest

from competition.core import schemas


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (schemas.Text(1, 5), "  "),
        (schemas.Text(1, 5), "\u200b \u202e"),
        (schemas.Text(1, 5), "sixsix"),
        (schemas.Text(1, 5), "a\0b"),
        (schemas.Text(1, 5), "a\tb"),
        (schemas.Text(1, 5), "\ud800"),
        (schemas.Text(1, 5), 5),
        (schemas.Text(1, 5), None),
        (schemas.Integer(1), 5.7),
        (schemas.Integer(1), True),
        (schemas.Integer(1), 0),
        (schemas.Integer(1), 10**30),
        (schemas.Number(0, 100), float("nan")),
        (schemas.Number(0, 100), 10**400),
        (schemas.Boolean(), "zzz"),
        (schemas.Boolean(), "on"),
        (schemas.Boolean(), 2),
        (schemas.Timestamp(), "yesterday"),
        (schemas.Timestamp(), 5),
        (schemas.Choice(["a", "b"]), "c"),
        (schemas.Choice(["a", "b"]), ["a"]),
        (schemas.Email(), "nobody"),
        (schemas.Phone(), "phone number"),
        (schemas.Uuid(), "7"),
    ],
)
def test_a_value_of_another_type_is_rejected(kind, value):
    with pytest.raises(colander.Invalid):
        schemas.node(kind).deserialize(value)


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        (schemas.Text(1, 5), " שלום ", "שלום"),
        # A word that needs an invisible character, and a letter that is newer than this Python's
        # Unicode data.
        (schemas.Text(1, 9), "می\u200cشود", "می\u200cشود"),
        (schemas.Text(1, 5), "\U00011db0", "\U00011db0"),
        (schemas.Text(0, 5, lines=True), "a\n\tb", "a\n\tb"),
        (schemas.Boolean(), "YES", True),
        (schemas.Boolean(), 0, False),
        (schemas.Choice(["A", "B"]), "a", "A"),
        (schemas.Email(), " Ada@Example.ORG ", "ada@example.org"),
        (schemas.Phone(), "+49 (30) 123-456", "+4930123456"),
        (schemas.Integer(1), "12", 12),
        (schemas.Nullable(schemas.Integer(1)), None, None),
    ],
)
def test_a_valid_value_is_accepted(kind, value, read):
    assert schemas.node(kind).deserialize(value) == read


@pytest.fixture
def far_away(monkeypatch):
    """Run the test in a time zone other than UTC."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_a_naive_time_is_utc_and_any_offset_is_accepted(far_away):
    kind = schemas.node(schemas.Timestamp())
    assert kind.deserialize("2026-01-01T12:00:00") == kind.deserialize("2026-01-01T14:00:00+02:00")


@pytest.mark.parametrize(
    "text",
    [
        "group:ada@school.example",
        "ada@school.example:1",
        "ada@school:25.example",
        "ada@school.example\\",
        "a\\da@school.example",
        "=?utf-8?q?eve=40evil.example?=@school.example",
        "ada@=?utf-8?q?evil?=.example",
        "ada@evil.example,ada@school.example",
        "ada@school.example(comment)",
        "<ada@school.example>",
        "ada@school..example",
        "ada@school.example.",
        "ada@school",
        "ada@evil.example@school.example",
    ],
)
def test_an_ambiguous_email_address_is_rejected(text):
    with pytest.raises(colander.Invalid):
        schemas.node(schemas.Email()).deserialize(text)


@pytest.mark.parametrize(
    "text",
    [
        "ada+league@school.example",
        "o'hara@school.example",
        "a.b-c_d/e=f@x-1.school.example",
        "ädä@schule.example",
        "ada@schüle.example",
    ],
)
def test_a_valid_address_is_unchanged_in_an_email(text):
    message = EmailMessage()
    message["To"] = schemas.node(schemas.Email()).deserialize(text)
    assert [each.addr_spec for each in message["To"].addresses] == [text]
