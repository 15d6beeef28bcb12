"""Strict Colander types for the input of the API.

Colander's own types accept "zzz" as true, 5.7 as an integer, and NUL characters in strings. The
types in this module don't. A rejected value leads to a 400 response with a message for each field
(decisions A6, A9, D2).
"""

import re
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import colander
from colander import Invalid, SchemaNode, null

from competition.core.choices import values_of
from competition.core.messages import Message
from competition.core.settings import FALSE, TRUE
from competition.core.texts import (
    HIDDEN,
    HIDDEN_IN_LINES,
    code_form,
    email_form,
    has_hidden,
    is_deliverable,
    most_marks,
    phone_form,
    stored_form,
)

drop = colander.drop

REQUIRED = Message("This field is required.", "required")
BLANK = Message("This field may not be blank.", "blank")

# The largest JSON body from a caller who is not logged in, in bytes, unless a schema allows more.
LARGEST_ANONYMOUS_JSON = 16 * 1024

LARGEST_INTEGER = 2**31 - 1
# Every numeric id in the API has PostgreSQL's type `integer`.
LARGEST_ID = LARGEST_INTEGER
# The Unicode categories Cc (control characters) and Cs (surrogates).
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
PASTED = re.compile("[\t\n\r]")
CONTROL_BUT_LINES = re.compile("(?![\t\n\r])" + CONTROL.pattern)
# No script needs more marks on a character. A pile of marks covers the lines above and below.
MOST_MARKS = 19
# Excludes characters that an email header would interpret. Otherwise one mailbox could have any
# number of accounts, and limits per address would have no effect.
EMAIL = re.compile(r"(?!.*=\?)[^@\s,;:<>()\[\]\"\\]+@[\w-]+(\.[\w-]+)+")
PHONE = re.compile(r"(?=.{7,20}$)\+?[0-9]+", re.ASCII)
LONGEST_TYPED_PHONE = 60
# White space that is also a control character. It separates parts of a phone number.
WHITE_SPACE = dict.fromkeys(map(ord, "\t\n\v\f\r"), " ")
# How many characters of an unknown field's name an error repeats.
LONGEST_NAMED = 100
# A time whose plus was not escaped in a URL, so that it arrived as a space. Each repetition has a
# limit, because the text may be as long as a body.
SPACE_FOR_PLUS = re.compile(r"([T ]\d\d[\d:.,]{0,14}) (\d\d(?::?\d\d){0,2})$", re.ASCII)
ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


class StrictMapping(colander.Mapping):  # type: ignore[misc]  # Colander has no types
    """A JSON object. It has its own messages, because Colander's would repeat the input, which may
    be long."""

    def deserialize(self, node: Any, cstruct: Any) -> Any:
        if cstruct is null:
            return cstruct
        if not isinstance(cstruct, dict):
            raise Invalid(node, Message("This field must be an object.", "not_an_object"))
        names = [child.name for child in node.children]
        unknown = next((name for name in cstruct if name not in names), None)
        if self.unknown == "raise" and unknown is not None:
            refusal = Invalid(node)
            refusal.add(
                Invalid(
                    SchemaNode(self, name=unknown[:LONGEST_NAMED]),
                    Message(
                        "Only these fields are allowed: ${names}.", "unknown_field", names=names
                    )
                    if names
                    else Message("This request has no fields.", "unknown_field", names=names),
                )
            )
            raise refusal
        return super().deserialize(node, cstruct)


class NullableMapping(StrictMapping):
    """A JSON object, or null, which counts as a missing field. Set it as the `schema_type` of a
    schema that may be null."""

    def deserialize(self, node: Any, cstruct: Any) -> Any:
        return null if cstruct is None else super().deserialize(node, cstruct)


class Schema(colander.MappingSchema):  # type: ignore[misc]  # Colander has no types
    """A JSON object. Unknown fields are ignored (decisions A10)."""

    # The name by which other plugins add fields to the schema of a body
    # (`competition.core.web.bodies`).
    slot: str | None = None
    # Whether a request without a body counts as an empty object. Only for the schema of a body.
    optional = False
    # Whether the body has to be a form, and can't be JSON. Only for the schema of a body with
    # files.
    is_form = False
    # The largest JSON body from a caller who is not logged in, in bytes. Only for the schema of a
    # body.
    largest = LARGEST_ANONYMOUS_JSON

    @staticmethod
    def schema_type() -> StrictMapping:
        return StrictMapping()


class ClosedSchema(Schema):
    """A JSON object that rejects unknown fields. The bodies of acts that can't be taken back are
    such objects: an unknown field may be a condition, such as `send_at`, that the act would ignore
    (decisions A10)."""

    @staticmethod
    def schema_type() -> StrictMapping:
        return StrictMapping(unknown="raise")


class NoFields(ClosedSchema):
    """An empty body, or an empty object."""

    optional = True


class Type(colander.SchemaType):  # type: ignore[misc]  # Colander has no types
    """Base class of all types. `schema` is the JSON Schema of the accepted values, and `problem` is
    the message for other values."""

    schema: dict[str, Any]
    problem = Message("This value is not accepted. The API reference lists the accepted values.")

    def deserialize(self, node: SchemaNode, value: Any) -> Any:
        if value is null:
            return value
        if value is None:
            raise Invalid(node, Message("This field may not be null.", "null"))
        return self.read(node, value)

    def read(self, node: SchemaNode, value: Any) -> Any:
        raise Invalid(node, self.problem)


def _string(node: SchemaNode, value: Any) -> str:
    if not isinstance(value, str):
        raise Invalid(node, Message("This field must be a string.", "not_a_string"))
    return value


def _without(control: re.Pattern[str], node: SchemaNode, text: str) -> str:
    """The text itself. Raises Invalid if it contains a character that `control` matches."""
    if control.search(text):
        raise Invalid(
            node, Message("This field may not contain control characters.", "control_characters")
        )
    return text


def _too_long(longest: int) -> Message:
    return Message("This field may have at most ${max} characters.", "too_long", max=longest)


class Text(Type):
    """A string of `shortest` to `longest` characters of any script, in the form in which texts are
    stored (`competition.core.texts.stored_form`). A text that shows nothing counts as blank.

    Control characters are rejected, except for tabs and line ends if `lines` is true. Also rejected
    are the invisible characters of `texts.HIDDEN` (or `HIDDEN_IN_LINES`), and characters with more
    than `MOST_MARKS` accents.
    """

    def __init__(self, shortest: int, longest: int, *, lines: bool = False) -> None:
        self.shortest = shortest
        self.longest = longest
        self.lines = lines
        self.schema = {"type": "string", "maxLength": longest}
        if shortest:
            self.schema["minLength"] = shortest

    def read(self, node: SchemaNode, value: Any) -> str:
        text = stored_form(_string(node, value), lines=self.lines)
        if len(text) < self.shortest:
            raise Invalid(
                node,
                BLANK
                if self.shortest == 1
                else Message(
                    "This field needs at least ${min} characters.", "too_short", min=self.shortest
                ),
            )
        if len(text) > self.longest:
            raise Invalid(node, _too_long(self.longest))
        text = _without(CONTROL_BUT_LINES if self.lines else CONTROL, node, text)
        hidden = (HIDDEN_IN_LINES if self.lines else HIDDEN).search(text)
        if hidden:
            raise Invalid(
                node,
                Message(
                    "This field contains an invisible character, ${character}. Please delete it,"
                    " or type the text again.",
                    "hidden_characters",
                    character=f"U+{ord(hidden[0]):04X}",
                ),
            )
        if most_marks(text) > MOST_MARKS:
            raise Invalid(
                node,
                Message(
                    "A character in this field has more than ${max} accents. Remove some.",
                    "too_many_marks",
                    max=MOST_MARKS,
                ),
            )
        return text


class Visible(Type):
    """A string for programs: visible ASCII characters. It is not trimmed."""

    def __init__(self, shortest: int, longest: int) -> None:
        pattern = f"[!-~]{{{shortest},{longest}}}"
        self.pattern = re.compile(pattern)
        self.schema = {"type": "string", "pattern": f"^{pattern}$"}
        self.problem = Message(
            "This must be ${min} to ${max} visible ASCII characters.",
            "not_visible_ascii",
            min=shortest,
            max=longest,
        )

    def read(self, node: SchemaNode, value: Any) -> str:
        if not isinstance(value, str) or not self.pattern.fullmatch(value):
            raise Invalid(node, self.problem)
        return value


class Password(Type):
    """A password. It is not trimmed, and control characters are rejected. The rules for new
    passwords are in `competition.core.auth.passwords`.

    With `pasted`, tabs and line ends are dropped instead. Use this to compare a password: no
    password contains them, but text that was copied from a sheet or a message may.
    """

    schema = {"type": "string", "format": "password"}  # noqa: RUF012  # a constant

    def __init__(self, *, pasted: bool = False) -> None:
        self.pasted = pasted

    def read(self, node: SchemaNode, value: Any) -> str:
        text = _string(node, value)
        return _without(CONTROL, node, PASTED.sub("", text) if self.pasted else text)


class Code(Type):
    """A code that users type, such as one from an email: its digits and, if `letters` is true, its
    letters. Other characters are dropped, except for control characters, which are rejected."""

    def __init__(self, longest: int, *, letters: bool = False) -> None:
        self.longest = longest
        self.letters = letters
        self.schema = {"type": "string", "minLength": 1, "maxLength": longest}

    def read(self, node: SchemaNode, value: Any) -> str:
        text = _string(node, value)
        if not stored_form(text):
            raise Invalid(node, BLANK)
        if len(text) > self.longest:
            raise Invalid(node, _too_long(self.longest))
        return code_form(_without(CONTROL, node, text), letters=self.letters)


class Email(Type):
    """An email address, in the form in which addresses are stored (decisions D3).

    With `new`, an address that can never receive emails is rejected. Older accounts may have such
    an address, and can still log in with it.
    """

    problem = Message(
        "This is not a valid email address. Check its spelling.", "not_an_email_address"
    )

    def __init__(self, *, new: bool = False) -> None:
        self.longest = 254
        self.new = new
        self.schema = {"type": "string", "format": "email", "maxLength": self.longest}

    def read(self, node: SchemaNode, value: Any) -> str:
        typed = _string(node, value)
        # The form of a text that is too long is not computed, because it is rejected below.
        text = email_form(typed) if len(typed.strip()) <= self.longest else typed
        if not stored_form(text[: self.longest]):
            raise Invalid(node, BLANK)
        if len(text) > self.longest:
            raise Invalid(node, _too_long(self.longest))
        _without(CONTROL, node, text)
        is_accepted = not self.new or (is_deliverable(text) and not has_hidden(typed.strip()))
        if not is_accepted or not EMAIL.fullmatch(text):
            raise Invalid(node, self.problem)
        return text


class Phone(Type):
    """A phone number: digits, with an optional plus in front, 7 to 20 characters as it is stored.
    Separators are removed (decisions D2, D4)."""

    schema = {  # noqa: RUF012  # a constant
        "type": "string",
        "format": "phone",
        "minLength": 7,
        "maxLength": LONGEST_TYPED_PHONE,
    }
    problem = Message(
        "This is not a phone number of 7 to 20 digits. A plus in front counts as one.",
        "not_a_phone_number",
    )

    def read(self, node: SchemaNode, value: Any) -> str:
        text = _string(node, value)
        if not stored_form(text):
            raise Invalid(node, BLANK)
        if len(text) > LONGEST_TYPED_PHONE:
            raise Invalid(node, _too_long(LONGEST_TYPED_PHONE))
        _without(CONTROL, node, text.translate(WHITE_SPACE))
        number = phone_form(text.strip())
        if "/" in number:
            raise Invalid(node, Message("Write only one phone number.", "not_a_phone_number"))
        if not PHONE.fullmatch(number):
            raise Invalid(node, self.problem)
        return number


class Choice(Type):
    """One of the strings of a Literal, an enum or a list. Clients may send it in upper or lower
    case; it is returned as it is in the list."""

    def __init__(self, values: Any) -> None:
        self.values = list(values_of(values))
        self.by_lower_case = {each.translate(ASCII_LOWER): each for each in self.values}
        self.schema = {"type": "string", "enum": self.values}

    def read(self, node: SchemaNode, value: Any) -> str:
        text = value.strip() if isinstance(value, str) else ""
        found = self.by_lower_case.get(text.translate(ASCII_LOWER))
        if found is None:
            raise Invalid(
                node,
                Message("This must be one of: ${choices}.", "not_a_choice", choices=self.values),
            )
        return found


def _check_range(node: SchemaNode, value: float, minimum: float, maximum: float) -> None:
    """Check that the value is in the range. Raises Invalid if it is not; NaN is in no range."""
    if not minimum <= value <= maximum:
        raise Invalid(
            node,
            Message(
                "This field must be between ${min} and ${max}.",
                "out_of_range",
                min=minimum,
                max=maximum,
            ),
        )


class Integer(Type):
    """A JSON integer, or a string with its digits, as in a query string."""

    problem = Message("This field must be an integer.", "not_an_integer")

    def __init__(self, minimum: int, maximum: int = LARGEST_INTEGER) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.schema = {"type": "integer", "minimum": minimum, "maximum": maximum}

    def read(self, node: SchemaNode, value: Any) -> int:
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,19}", value.strip()):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise Invalid(node, self.problem)
        _check_range(node, value, self.minimum, self.maximum)
        return value


class Number(Type):
    """A finite JSON number."""

    problem = Message("This field must be a number.", "not_a_number")

    def __init__(self, minimum: float, maximum: float) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.schema = {"type": "number", "minimum": minimum, "maximum": maximum}

    def read(self, node: SchemaNode, value: Any) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise Invalid(node, self.problem)
        # Check the range before the conversion: a huge integer can't be converted to a float.
        _check_range(node, value, self.minimum, self.maximum)
        return float(value)


class Boolean(Type):
    """A boolean: true, false, 1, 0, yes or no, in upper or lower case (decisions A9)."""

    problem = Message("This field must be true or false.", "not_a_boolean")
    schema = {"type": "boolean"}  # noqa: RUF012  # a constant

    def read(self, node: SchemaNode, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        text = str(value).strip().lower() if isinstance(value, str | int) else ""
        if text in ("on", "off") or text not in TRUE | FALSE:
            raise Invalid(node, self.problem)
        return text in TRUE


class Timestamp(Type):
    """A time in ISO 8601 or RFC 3339 with any offset. Without an offset it is in UTC (decisions
    A4)."""

    schema = {"type": "string", "format": "date-time"}  # noqa: RUF012  # a constant
    problem = Message("This is not an ISO 8601 time such as 2026-01-31T14:30:00Z.", "not_a_time")

    def read(self, node: SchemaNode, value: Any) -> datetime:
        try:
            time = datetime.fromisoformat(SPACE_FOR_PLUS.sub(r"\1+\2", value.upper()))
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
        except (AttributeError, ValueError, OverflowError):
            raise Invalid(node, self.problem) from None


class Date(Type):
    """A date: ``YYYY-MM-DD``."""

    schema = {"type": "string", "format": "date"}  # noqa: RUF012  # a constant

    def read(self, node: SchemaNode, value: Any) -> date:
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            raise Invalid(node, Message("This is not a date such as 2026-01-31.", "not_a_date"))
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise Invalid(node, Message("This date does not exist.", "not_a_date")) from None


class Uuid(Type):
    schema = {"type": "string", "format": "uuid"}  # noqa: RUF012  # a constant
    problem = Message("This is not a UUID.", "not_a_uuid")

    def read(self, node: SchemaNode, value: Any) -> UUID:
        try:
            return UUID(value)
        except (TypeError, ValueError, AttributeError):
            raise Invalid(node, self.problem) from None


def node(kind: Type, **options: Any) -> SchemaNode:
    """A field of a schema. It is required unless `missing` is a default value or `drop`."""
    return SchemaNode(kind, **{"missing_msg": REQUIRED, **options})


class Items(colander.Length):  # type: ignore[misc]  # Colander has no types
    """The validator of an array: `min` to `max` items."""

    def __call__(self, node: SchemaNode, value: Any) -> None:
        if len(value) < self.min:
            raise Invalid(node, Message("This list may not be empty.", "empty"))
        if len(value) > self.max:
            message = Message("At most ${max} items are accepted.", "too_many", max=self.max)
            raise Invalid(node, message)


def array(item: SchemaNode, longest: int, *, shortest: int = 0, **options: Any) -> SchemaNode:
    """A field that is a list of `shortest` to `longest` items, such as ``array(node(Integer(1)),
    100)``. It is required unless `missing` is a default value or `drop`."""
    return SchemaNode(
        StrictSequence(),
        item,
        validator=Items(shortest, longest),
        missing_msg=REQUIRED,
        **options,
    )


class StrictSequence(colander.Sequence):  # type: ignore[misc]  # Colander has no types
    """A JSON array. No other value is converted to an array. The length is checked first, so that a
    million wrong items don't lead to a million messages."""

    def deserialize(self, node: Any, cstruct: Any, accept_scalar: Any = None) -> Any:
        if cstruct is null:
            return cstruct
        if not isinstance(cstruct, list):
            raise Invalid(node, Message("This field must be a list.", "not_a_list"))
        node.validator(node, cstruct)
        return super().deserialize(node, cstruct, accept_scalar)


class Nullable(Type):
    """A value of `kind`, or null."""

    def __init__(self, kind: Type) -> None:
        self.kind = kind
        schema = dict(kind.schema)
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
        self.schema = schema

    def deserialize(self, node: SchemaNode, value: Any) -> Any:
        return None if value is None else self.kind.deserialize(node, value)


def partial(schema: type[Schema], name: str) -> type[Schema]:
    """The schema for a PATCH: the same fields, all optional and without defaults."""
    fields: dict[str, Any] = {"__module__": schema.__module__}
    for child in schema().children:
        child = child.clone()
        child.missing = drop
        fields[child.name] = child
    return type(name, (Schema,), fields)


class VersionHeaders(Schema):
    if_match = node(
        Text(0, 1000),
        missing=None,
        description="The ETag of the version that you have read. If the object has been changed"
        " since, the status is 412, and nothing is changed.",
    )


class IdempotencyHeaders(Schema):
    idempotency_key = node(
        Visible(1, 255),
        missing=None,
        description="A unique name for this request. If the request is sent again with the same"
        " name and content, it takes effect only once and gets the same response.",
    )
