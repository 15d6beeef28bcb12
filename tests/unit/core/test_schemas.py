import colander
import pytest

from competition.core import schemas


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (schemas.Text(1, 5), "  "),
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
def test_a_lax_value_is_refused(kind, value):
    with pytest.raises(colander.Invalid):
        schemas.node(kind).deserialize(value)


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        (schemas.Text(1, 5), " שלום ", "שלום"),
        (schemas.Text(0, 5, lines=True), "a\n\tb", "a\n\tb"),
        (schemas.Boolean(), "YES", True),
        (schemas.Boolean(), 0, False),
        (schemas.Choice(["A", "B"], fold="upper"), "a", "A"),
        (schemas.Email(), " Ada@Example.ORG ", "ada@example.org"),
        (schemas.Phone(), "+49 (30) 123-456", "+4930123456"),
        (schemas.Integer(1), "12", 12),
        (schemas.Nullable(schemas.Integer(1)), None, None),
    ],
)
def test_a_good_value_is_read(kind, value, read):
    assert schemas.node(kind).deserialize(value) == read


def test_a_naive_time_is_utc_and_any_offset_is_accepted():
    kind = schemas.node(schemas.Timestamp())
    assert kind.deserialize("2026-01-01T12:00:00") == kind.deserialize("2026-01-01T14:00:00+02:00")
