"""Find the header of a table, and the fields of its columns."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from operator import attrgetter

from competition.core.imports import LINE, ImportKind, Line, Unreadable
from competition.core.messages import Message, joined
from competition.core.texts import name_key, without_accents
from competition.plugins.imports.services.reading.tables import (
    MOST_ABOVE,
    MOST_ROWS,
    TableRow,
    joins_lines,
    no_rows,
    too_many_rows,
)

# Characters that count as a space in a header, and characters that are ignored at its ends.
GAP = re.compile(r"[\s\-_\u2010\u2011\u2013]+")
AFTER = " .:*()"
# Remarks after a header that say nothing about its column.
REMARK = re.compile(r"\((?:required|mandatory|optional|if any|obligatoire|facultatif|optionnel)\)")
BRACKETS = re.compile(r"\(([^()]*)\)[\s.:*]*$")
WORD = re.compile(r"\w+")
# The number of a question, and a header that consists of this number, such as "Q7".
NUMBER = re.compile("[1-9][0-9]{0,3}")
NUMBERED = re.compile(rf"(?:q|question)?\.? ?0*({NUMBER.pattern})")
# How much of a header is compared, in characters. A cell may be as long as a file.
LONGEST = 1_000
# How much of a line a message quotes, in characters.
QUOTED = 200
# How a message names the separator of a text file.
SEPARATOR_NAMES: dict[str, Message] = {
    ",": Message("a comma"),
    ";": Message("a semicolon"),
    "\t": Message("a tab"),
}


def header_key(header: str) -> str:
    """The form in which headers are compared: without accents, which capitals often lack, and
    without the brackets of "Prénom(s)"."""
    key = without_accents(name_key(header[:LONGEST]))
    text = REMARK.sub("", key).replace("(s)", "")
    return GAP.sub(" ", text).strip(AFTER)


@dataclass(frozen=True)
class Header:
    """The header of a table: the number of its last line, its texts by position, and their fields.

    `width` is the number of its columns, including those without a text. `fields` has None for a
    column that has no field, or whose field another column has already. `missing` are the names of
    required columns that the header does not have.
    """

    number: int
    width: int
    texts: Sequence[str]
    fields: Sequence[str | None]
    missing: Sequence[str]

    @property
    def columns(self) -> dict[str, str]:
        """The fields by the headers of their columns."""
        pairs = zip(self.texts, self.fields, strict=True)
        return {text: name for text, name in pairs if name is not None}

    @property
    def ignored(self) -> list[str]:
        """The headers of the columns that have no field."""
        pairs = zip(self.texts, self.fields, strict=True)
        return [text for text, name in pairs if text and name is None]

    @property
    def likeness(self) -> tuple[int, int]:
        """How much a line looks like a header: the number of its fields, then that of its texts. A
        line with a title has only one text."""
        return len(self.columns), len([*filter(None, self.texts)])


class NoHeader(Unreadable):
    """No line of a table is its header. `header` is the line that came closest."""

    def __init__(self, message: Message, header: Header) -> None:
        super().__init__(message)
        self.header = header


class Names:
    """Finds the fields of headers, for one import: by the mapping of the caller, and by the names
    of the kind's columns."""

    def __init__(self, kind: ImportKind, asked: Mapping[str, str | None]) -> None:
        self.kind = kind
        self._names = {header_key(each.name): each.name for each in kind.columns}
        # If two columns have the same header, it stands for the first of them.
        self._headers: dict[str, str] = {}
        for column in kind.columns:
            for header in (column.name, *column.headers):
                self._headers.setdefault(header_key(header), column.name)
        self._asked = {header_key(header): name for header, name in asked.items()}
        self._others = {header_key(word) for word in kind.others}

    def is_about_others(self, text: str) -> bool:
        """Whether the header has a word for people other than those whom the rows are about, such
        as parents."""
        return not self._others.isdisjoint(WORD.findall(header_key(text)))

    def field(self, text: str) -> str | None:
        """The field of a column with the header `text`, or None if the column has no field."""
        key = header_key(text)
        if key in self._asked:
            return self._asked[key]
        if key in self._headers:
            return self._headers[key]
        if self.kind.numbered and (numbered := NUMBERED.fullmatch(key)):
            return numbered[1]
        found = BRACKETS.search(text)
        name = self._names.get(header_key(found[1])) if found else None
        # "Parent (email)" is no address of the pupil, but "Mother (guardian_email)" is a field.
        is_of_others = name is not None and self.is_about_others(name)
        return name if is_of_others or not self.is_about_others(text) else None

    def is_asked(self, text: str) -> bool:
        """Whether the caller has named the field of this header."""
        return header_key(text) in self._asked

    def field_below(self, upper: str, lower: str) -> str | None:
        """The field of a header that has the text `upper` above the text `lower`, or None."""
        whole = self.field(f"{upper} {lower}".strip())
        if whole is not None or self.is_asked(f"{upper} {lower}"):
            return whole
        name = self.field(lower or upper)
        is_of_others = name is not None and self.is_about_others(name)
        return name if is_of_others or not self.is_about_others(upper) else None

    def missing(self, fields: Sequence[str | None]) -> list[str]:
        """The names of required columns that are not among the fields. If one of several columns is
        required, and none is there, their names are joined by slashes."""
        known = {*fields}
        if self.kind.numbered and any(each and each.isdigit() for each in fields):
            known.add(self.kind.numbered)
        required = (each.name for each in self.kind.columns if each.is_required)
        missing = [each for each in required if each not in known]
        if self.kind.one_of and known.isdisjoint(self.kind.one_of):
            missing.append(" / ".join(self.kind.one_of))
        return missing


def found_header(rows: Iterator[TableRow], names: Names) -> tuple[Header, Iterator[TableRow]]:
    """The header of a table, and the rows below it.

    If no line is a header, the line that came closest is returned, with the required columns that
    it lacks in `missing`, and without rows. Raises Unreadable if the table has no rows at all.
    """
    above: list[TableRow] = []
    for row in rows:
        above.append(row)
        if row.number > MOST_ABOVE:
            break
    first = [each for each in above if each.number <= MOST_ABOVE]
    if not first:
        raise no_rows()
    singles = [_single(each, names) for each in first]
    pairs = [_pair(*each, names) for each in pairwise(first)]
    for at, single in enumerate(singles):
        pair = pairs[at] if at < len(pairs) else None
        found = pair if pair is not None and _is_whole(pair, first[at], singles[at:]) else single
        if not found.missing:
            return found, (each for each in chain(above, rows) if each.number > found.number)
    closest = max(singles, key=attrgetter("likeness"))
    return max([closest, *filter(None, pairs)], key=_matches), iter(())


def _matches(header: Header) -> int:
    return len(header.columns)


def _is_whole(pair: Header, upper: TableRow, singles: Sequence[Header]) -> bool:
    """Whether two lines are one header: together they have more fields than each alone, or the
    upper one says that some columns are about other people."""
    if pair.missing:
        return False
    more = _matches(pair) > max(map(_matches, singles[:2]))
    others = sum(1 for each in upper.cells if each.text) > 1 and pair.fields != singles[1].fields
    return more or others


def _header(
    row: TableRow, width: int, texts: Sequence[str], found: Sequence[str | None], names: Names
) -> Header:
    # If two columns have the same field, the column that the caller has named counts; otherwise the
    # first.
    order = sorted(range(len(found)), key=lambda at: not names.is_asked(texts[at]))
    first = {found[at]: at for at in reversed(order)}
    fields = [name if first[name] == at else None for at, name in enumerate(found)]
    return Header(row.number, width, texts, fields, names.missing(fields))


def _single(row: TableRow, names: Names) -> Header:
    texts = [each.text for each in row.cells]
    return _header(row, row.width, texts, [names.field(each) for each in texts], names)


def _pair(upper: TableRow, lower: TableRow, names: Names) -> Header | None:
    """The header that two lines make together, or None if they can't.

    Only the first of several merged cells has the text. So a text in the upper line also stands for
    the empty cells after it.
    """
    if lower.number != upper.number + 1:
        return None
    width = max(len(upper.cells), len(lower.cells))
    high, low = ([each.text for each in row.cells] for row in (upper, lower))
    high += [""] * (width - len(high))
    low += [""] * (width - len(low))
    if any(below and names.field(text) for text, below in zip(high, low, strict=True)):
        # A cell of the lower line is below the name of a field, so it is a value, and not a part of
        # the header.
        return None
    for at in range(1, width):
        if low[at] and not high[at]:
            high[at] = high[at - 1]
    both = list(zip(high, low, strict=True))
    texts = [f"{text} {below}".strip() for text, below in both]
    fields = [names.field_below(*each) for each in both]
    return _header(lower, max(upper.width, lower.width), texts, fields, names)


def lines_of(
    table_rows: Iterator[TableRow], header: Header, separator: str, spaced: str = ""
) -> Iterator[Line]:
    """The lines below a header. `separator` separates the values of a text file. It is "" for a
    spreadsheet. Texts are trimmed, except in the field `spaced`.

    Raises Unreadable if there are too many lines.
    """
    fields = [(at, name) for at, name in enumerate(header.fields) if name is not None]
    has_unnamed = False
    for count, row in enumerate(table_rows, start=1):
        if count > MOST_ROWS:
            raise too_many_rows()
        cells = {name: row.cells[at] for at, name in fields if at < len(row.cells)}
        errors = {name: [each.problem] for name, each in cells.items() if each.problem}
        if joins_lines(row, header.width, separator):
            errors = {LINE: [_joined(row)]}
        elif separator and len(row.cells) > header.width:
            errors = {LINE: [_too_wide(row, header, separator)]}
        # One warning is enough: in a column without a header, most lines have a value.
        unnamed = "" if has_unnamed or errors else _unnamed(row, header)
        has_unnamed = has_unnamed or bool(unnamed)
        yield Line(
            row.number,
            {
                name: each.whole if each.whole and name == spaced else each.text
                for name, each in cells.items()
                if each.text
            },
            {name: each.type for name, each in cells.items() if each.type},
            errors,
            [_without_header(unnamed)] if unnamed else [],
        )


def _unnamed(row: TableRow, header: Header) -> str:
    """The first value of a row in a column without a header, or ""."""
    named = [bool(text or name) for text, name in zip(header.texts, header.fields, strict=True)]
    named += [False] * (len(row.cells) - len(named))
    values = (each.text for each, is_named in zip(row.cells, named, strict=False) if not is_named)
    return next(filter(None, values), "")


def _without_header(value: str) -> Message:
    return Message(
        "“${value}” is in a column without a header. The values of this column are not imported.",
        value=value[:QUOTED],
    )


def _joined(row: TableRow) -> Message:
    return Message(
        "The lines ${first} to ${last} are read as one, because a quote joins them. Correct the"
        " quote. If it is right, remove the line breaks.",
        first=row.number,
        last=row.number + len(row.lines) - 1,
    )


def _too_wide(row: TableRow, header: Header, separator: str) -> Message:
    return Message(
        "This line has ${values} values, the header has ${columns}. If a value contains"
        " ${separator}, write it in quotes.",
        values=len(row.cells),
        columns=header.width,
        separator=SEPARATOR_NAMES.get(separator, f"“{separator}”"),
    )


def unreadable_header(header: Header, kind: ImportKind, sheet: str) -> NoHeader:
    """The error that tells the sender of a file why its table has no usable header. `header` is the
    line that came closest, and `sheet` the name of the sheet, or "" for a text file."""
    message = _why_unreadable(header, kind)
    if sheet:
        note = Message("Only the first visible sheet is read: “${sheet}”.", sheet=sheet)
        message = joined((message, note))
    return NoHeader(message, header)


def _why_unreadable(header: Header, kind: ImportKind) -> Message:
    template = f"/imports/templates/{kind.name}/"
    joined_names = {header_key(each) for each in kind.joined}
    split = [text for text in header.texts if header_key(text) in joined_names]
    if split and len(header.missing) > 1:
        return Message(
            "Line ${line} is the header, but its column “${column}” can't be split. Make a"
            " column for each of ${missing}. The template shows them: ${template}",
            line=header.number,
            column=split[0],
            missing=list(header.missing),
            template=template,
        )
    quoted = " | ".join(filter(None, header.texts))[:QUOTED]
    return Message(
        "No line has all columns that are needed. Line ${line} came closest: ${quoted}. It has"
        " no column ${missing}. The template shows the columns: ${template}",
        line=header.number,
        quoted=quoted,
        missing=list(header.missing),
        template=template,
    )
