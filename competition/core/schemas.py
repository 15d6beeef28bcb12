"""Strict Colander nodes: what may come in.

Colander by itself takes "zzz" for true, 5.7 for an integer, and NUL in a text. These don't; what
they refuse is a 400 with a message by field (decisions A6, A9, D2).
"""

import math
import re
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import colander

from competition.core.choices import values_of
from competition.core.settings import FALSE, TRUE

drop = colander.drop

# The largest JSON body from a caller who is not logged in, in bytes, unless a schema takes more.
LARGEST_ANONYMOUS_JSON = 16 * 1024

LARGEST_INTEGER = 2**31 - 1
# Of PostgreSQL's integer, which every id in the API is.
LARGEST_ID = LARGEST_INTEGER
# Unicode's categories Cc and Cs; one pass over a text, however long it is.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
CONTROL_BUT_LINES = re.compile("(?![\t\n\r])" + CONTROL.pattern)
# Nothing that the header of a mail would read as another address, or as none: one mailbox could
# have any number of accounts, and a limit an address would be none.
EMAIL = re.compile(r"(?!.*=\?)[^@\s,;:<>()\[\]\"\\]+@[\w-]+(\.[\w-]+)+")
PHONE = re.compile(r"^\+?[0-9 ()\-]+$")
ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


class StrictMapping(colander.Mapping):  # type: ignore[misc]  # Colander has no types
    """A JSON object. Its messages are ours: Colander's would repeat what was sent, however long it
    is."""

    def deserialize(self, node: Any, cstruct: Any) -> Any:
        if cstruct is colander.null:
            return cstruct
        if not isinstance(cstruct, dict):
            raise colander.Invalid(node, "This field has to be an object.")
        names = [child.name for child in node.children]
        if self.unknown == "raise" and not cstruct.keys() <= set(names):
            raise colander.Invalid(node, f"Only these are known: {', '.join(names)}.")
        return super().deserialize(node, cstruct)


class NullableMapping(StrictMapping):
    """A JSON object, or null: the `schema_type` of a schema that may be null."""

    def deserialize(self, node: Any, cstruct: Any) -> Any:
        return colander.null if cstruct is None else super().deserialize(node, cstruct)


class Schema(colander.MappingSchema):  # type: ignore[misc]  # Colander has no types
    """An object; fields it does not know are ignored (decisions A10)."""

    # If it is the schema of a body: whether a request without a body counts as an empty object.
    optional = False
    # And the largest JSON from a caller who is not logged in, in bytes.
    largest = LARGEST_ANONYMOUS_JSON

    @staticmethod
    def schema_type() -> StrictMapping:
        return StrictMapping()


class Type(colander.SchemaType):  # type: ignore[misc]  # Colander has no types
    """`schema` is the JSON Schema of the values that are accepted."""

    schema: dict[str, Any]

    def deserialize(self, node: colander.SchemaNode, value: Any) -> Any:
        if value is colander.null:
            return value
        if value is None:
            raise colander.Invalid(node, "This field may not be null.")
        return self.read(node, value)

    def read(self, node: colander.SchemaNode, value: Any) -> Any:
        raise colander.Invalid(node, "This value is not accepted.")


class Text(Type):
    """A text: trimmed, as many characters as said, of any script; without control characters, but
    for tabs and line ends where `lines` allows them."""

    def __init__(self, shortest: int, longest: int, *, lines: bool = False) -> None:
        self.shortest = shortest
        self.longest = longest
        self.lines = lines
        self.schema = {"type": "string", "maxLength": longest}
        if shortest:
            self.schema["minLength"] = shortest

    def read(self, node: colander.SchemaNode, value: Any) -> str:
        if not isinstance(value, str):
            raise colander.Invalid(node, "This field has to be a text.")
        text = value.strip()
        if len(text) < self.shortest:
            raise colander.Invalid(
                node,
                "This field may not be blank."
                if self.shortest == 1
                else f"This field needs at least {self.shortest} characters.",
            )
        if len(text) > self.longest:
            raise colander.Invalid(node, f"This field may have at most {self.longest} characters.")
        if (CONTROL_BUT_LINES if self.lines else CONTROL).search(text):
            raise colander.Invalid(node, "This field may not contain control characters.")
        return text


class Visible(Type):
    """A text for programs: visible characters of ASCII, as it came."""

    def __init__(self, shortest: int, longest: int) -> None:
        pattern = f"[!-~]{{{shortest},{longest}}}"
        self.pattern = re.compile(pattern)
        self.schema = {"type": "string", "pattern": f"^{pattern}$"}
        self.message = f"This has to be {shortest} to {longest} visible characters of ASCII."

    def read(self, node: colander.SchemaNode, value: Any) -> str:
        if not isinstance(value, str) or not self.pattern.fullmatch(value):
            raise colander.Invalid(node, self.message)
        return value


class Password(Type):
    """A password as it came, untrimmed; the rules for new ones are
    `competition.core.auth.passwords`'s."""

    schema = {"type": "string", "format": "password"}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> str:
        if not isinstance(value, str):
            raise colander.Invalid(node, "This field has to be a text.")
        if CONTROL.search(value):
            raise colander.Invalid(node, "This field may not contain control characters.")
        return value


class Email(Text):
    """An email address, made lower case (decisions D3)."""

    def __init__(self) -> None:
        super().__init__(1, 254)
        self.schema = {"type": "string", "format": "email", "maxLength": 254}

    def read(self, node: colander.SchemaNode, value: Any) -> str:
        text = super().read(node, value).lower()
        # Lower case can be longer.
        if len(text) > self.longest or not EMAIL.fullmatch(text):
            raise colander.Invalid(node, "This is not an email address.")
        return text


class Phone(Text):
    """A phone number: digits with an optional plus; spaces, dashes and brackets are dropped
    (decisions D4)."""

    def __init__(self) -> None:
        super().__init__(7, 20)
        self.schema["pattern"] = PHONE.pattern

    def read(self, node: colander.SchemaNode, value: Any) -> str:
        text = super().read(node, value)
        normalised = re.sub(r"[ ()\-]", "", text)
        if not PHONE.fullmatch(text) or len(normalised.lstrip("+")) < 5:
            raise colander.Invalid(node, "This is not a phone number.")
        return normalised


class Choice(Type):
    """One of the texts of a Literal, an enum or a list, in any case."""

    def __init__(self, values: Any, *, fold: str = "lower") -> None:
        self.values = list(values_of(values))
        self.upper = fold == "upper"
        self.schema = {"type": "string", "enum": self.values}

    def read(self, node: colander.SchemaNode, value: Any) -> str:
        text = value.strip() if isinstance(value, str) else ""
        text = text.upper() if self.upper else text.translate(ASCII_LOWER)
        if text not in self.values:
            raise colander.Invalid(node, f"This has to be one of: {', '.join(self.values)}.")
        return text


class Integer(Type):
    """A JSON integer; in a query, its digits."""

    def __init__(self, minimum: int, maximum: int = LARGEST_INTEGER) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.schema = {"type": "integer", "minimum": minimum, "maximum": maximum}

    def read(self, node: colander.SchemaNode, value: Any) -> int:
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,19}", value.strip()):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise colander.Invalid(node, "This field has to be an integer.")
        if not self.minimum <= value <= self.maximum:
            raise colander.Invalid(
                node, f"This field has to be between {self.minimum} and {self.maximum}."
            )
        return value


class Number(Type):
    """A finite JSON number."""

    def __init__(self, minimum: float, maximum: float) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.schema = {"type": "number", "minimum": minimum, "maximum": maximum}

    def read(self, node: colander.SchemaNode, value: Any) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise colander.Invalid(node, "This field has to be a number.")
        # Compared before it is a float: a huge integer has no float.
        if not self.minimum <= value <= self.maximum or not math.isfinite(value):
            raise colander.Invalid(
                node, f"This field has to be between {self.minimum:g} and {self.maximum:g}."
            )
        return float(value)


class Boolean(Type):
    """A boolean: true, false, 1, 0, yes, no, in any case (decisions A9)."""

    schema = {"type": "boolean"}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        text = str(value).strip().lower() if isinstance(value, str | int) else ""
        if text in ("on", "off") or text not in TRUE | FALSE:
            raise colander.Invalid(node, "This field has to be true or false.")
        return text in TRUE


class Timestamp(Type):
    """A time in ISO 8601 with any offset; without one it is UTC (decisions A4)."""

    schema = {"type": "string", "format": "date-time"}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> datetime:
        try:
            time = datetime.fromisoformat(value)
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            raise colander.Invalid(node, "This is not an ISO 8601 date and time.") from None


class Date(Type):
    """A date: ``YYYY-MM-DD``."""

    schema = {"type": "string", "format": "date"}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> date:
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            raise colander.Invalid(node, "This is not a date such as 2026-01-31.")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise colander.Invalid(node, "There is no such day.") from None


class Uuid(Type):
    schema = {"type": "string", "format": "uuid"}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> UUID:
        try:
            return UUID(value)
        except (TypeError, ValueError, AttributeError):
            raise colander.Invalid(node, "This is not a UUID.") from None


def node(kind: Type, **options: Any) -> colander.SchemaNode:
    """A field of a schema. It is required, unless `missing` is a default or `drop`."""
    return colander.SchemaNode(
        kind, missing_msg=options.pop("missing_msg", "This field is required."), **options
    )


def array(
    item: colander.SchemaNode, longest: int, *, shortest: int = 0, **options: Any
) -> colander.SchemaNode:
    return colander.SchemaNode(
        StrictSequence(),
        item,
        validator=colander.Length(
            shortest,
            longest,
            min_err="This list may not be empty.",
            max_err=f"At most {longest} items are accepted.",
        ),
        missing_msg="This field is required.",
        **options,
    )


class StrictSequence(colander.Sequence):  # type: ignore[misc]  # Colander has no types
    """A JSON array, and nothing that could be made into one. Its length is judged first: of a
    million wrong items nobody wants a million messages."""

    def deserialize(self, node: Any, cstruct: Any, accept_scalar: Any = None) -> Any:
        if cstruct is colander.null:
            return cstruct
        if not isinstance(cstruct, list):
            raise colander.Invalid(node, "This field has to be a list.")
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

    def deserialize(self, node: colander.SchemaNode, value: Any) -> Any:
        return None if value is None else self.kind.deserialize(node, value)


def partial(schema: type[Schema], name: str) -> type[Schema]:
    """The schema of a PATCH: the same fields, none of them required and none with a default."""
    fields: dict[str, Any] = {"__module__": schema.__module__}
    for child in schema().children:
        child = child.clone()
        child.missing = drop
        fields[child.name] = child
    return type(name, (Schema,), fields)


class IdempotencyHeaders(Schema):
    idempotency_key = node(
        Visible(1, 255),
        missing=None,
        description="A name of this request: sent again with the same content, it takes effect"
        " once and is answered as the first time.",
    )
