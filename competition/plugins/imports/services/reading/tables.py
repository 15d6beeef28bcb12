"""Read the cells of a table: of a text file with separators, or of a spreadsheet."""

import csv
import io
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime, time, timedelta
from tempfile import NamedTemporaryFile
from typing import IO, Any, NamedTuple
from unicodedata import normalize

from python_calamine import (
    CalamineError,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from competition.core.imports import CellType, Unreadable, decoded
from competition.core.messages import Message
from competition.plugins.imports.services.reading.formats import PASSWORD
from competition.plugins.imports.services.reading.marked_cells import Mark, Marks, marked_cells

MOST_ROWS = 20_000
MOST_COLUMNS = 100
# How many lines above the rows may be titles and headers.
MOST_ABOVE = 20
# The sheet of a template that explains its columns.
LEGEND = "Columns"
SEPARATORS = (",", ";", "\t")
SEPARATOR_LINE = re.compile(r"sep=(.)\s*", re.IGNORECASE)
# Exports write this apostrophe, so that no spreadsheet takes a text for a formula or a number.
APOSTROPHE = re.compile(r"'(?=[=+\-@\uff1d\uff0b\uff0d\uff200-9\t\r\n']|$)")
# Stands for the next row with a marked cell if there is none.
NO_MARKS: Marks = (0, {})
# Numbers of this size have more than 15 digits. A spreadsheet stores only about 15 of them.
LONG = 10**15
LONG_NUMBER = Message(
    "Spreadsheets change the last digits of a number with more than 15 digits. Format the cell as"
    " text, and enter the number again."
)
# The most characters of a cell in a text file: as many as the largest file can have.
csv.field_size_limit(10 * 1024 * 1024)


class Cell(NamedTuple):
    """The text of a cell, without the spaces at its ends. `whole` has these spaces too. `type` is
    None for a plain text, and otherwise the type of the value from which the text was made. If
    `is_error`, the cell shows an error instead of a value, and `text` is its name. `problem` says
    why a cell has no valid value."""

    text: str
    type: CellType | None = None
    whole: str = ""
    is_error: bool = False
    problem: Message | None = None


EMPTY = Cell("")


class TableRow(NamedTuple):
    """A row of a table. `number` is the number of its line in the file, from 1. `cells` are its
    cells without the empty ones at the end, and `width` is the number of all its cells. `lines` are
    the lines of a text file that make the row, if it has several: cells may contain line ends."""

    number: int
    cells: Sequence[Cell]
    width: int
    lines: Sequence[str] = ()


class Table(NamedTuple):
    """A way to read a file as a table. `separator` separates the values of a text file. It is "" if
    the file is a spreadsheet. Then `sheet` is the name of the sheet that is read. `others` returns
    the names of the other visible sheets that have values."""

    rows: Iterator[TableRow]
    separator: str = ""
    sheet: str = ""
    others: Callable[[], list[str]] = list


def tables(stream: IO[bytes], form: str) -> list[Table]:
    """A file as a table, once for each way to read it. A text file can be read with each separator
    that it may have, a spreadsheet in one way only.

    Raises Unreadable, now or while the rows are read, if the file is damaged, or has too many rows
    or columns.
    """
    if form == "csv":
        return _text_tables(decoded(stream))
    return [_sheet(stream, form)]


def _text_tables(text: str) -> list[Table]:
    if not text.strip(" \r\n".join(SEPARATORS)):
        return [Table(iter(()))]
    found = SEPARATOR_LINE.fullmatch(text.split("\n", 1)[0].rstrip("\r"))
    separators = (found[1],) if found else SEPARATORS
    skip = 1 if found else 0
    return [Table(_limited(_records(text, each, skip)), each) for each in separators]


def _records(text: str, separator: str, skip: int) -> Iterator[TableRow]:
    lines = io.StringIO(text, newline="")
    for _ in range(skip):
        lines.readline()
    feed = _Feed(lines)
    before = skip
    try:
        for record in csv.reader(feed, delimiter=separator):
            # The line of the record is the one where it begins.
            if record and feed.is_over:
                raise _missing_quote(before + 1)
            cells = [_text_cell(each) for each in record]
            several = [*feed.lines] if len(feed.lines) > 1 else ()
            yield TableRow(before + 1, cells, len(record), several)
            before += len(feed.lines)
            feed.lines.clear()
    except csv.Error:
        raise _missing_quote(before + 1) from None


class _Feed:
    """Iterator of the lines of a text, which collects them in `lines`. After them, it returns an
    empty line. If a record contains this line, a quote is open at the end of the text."""

    def __init__(self, source: Iterator[str]) -> None:
        self.lines: list[str] = []
        self.is_over = False
        self._source = source

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self.is_over:
            raise StopIteration
        line = next(self._source, None)
        if line is None:
            self.is_over = True
            return "\n"
        self.lines.append(line)
        return line


def _missing_quote(line: int) -> Unreadable:
    return Unreadable(Message("Line ${line} can't be read. Is a quote missing?", line=line))


def joins_lines(row: TableRow, width: int, separator: str) -> bool:
    """Whether a row of a text file probably consists of several lines of the table, because of a
    wrong quote. `width` is the number of columns of the table.

    The reader joins lines if a quote at the beginning of a value has no partner in the same line.
    If its partner in a later line is wrong as well, often text stands behind it, or one of the
    lines has a separator for each column. A separator before a space does not count, because texts
    have commas, too.
    """
    if not row.lines:
        return False
    try:
        # Raises an error if text stands behind a quote that ends a value.
        list(csv.reader(row.lines, delimiter=separator, strict=True))
    except csv.Error:
        return True
    tight = re.compile(f"{re.escape(separator)}(?! )")
    first, *inner, last = (len(tight.findall(each)) + 1 for each in row.lines)
    # An honest record may end with a line that has all separators: its first column has the text
    # with the line end. But then its first line has none of them.
    return width > 1 and (width in inner or (first >= width and last == width))


def _sheet(stream: IO[bytes], form: str) -> Table:
    with reading():
        workbook = _workbook(stream, form)
        visible = [
            each.name
            for each in workbook.sheets_metadata
            if each.visible == SheetVisibleEnum.Visible and each.typ == SheetTypeEnum.WorkSheet
        ]
        if not visible:
            raise Unreadable(
                Message(
                    "This workbook has no visible sheet. Show the sheet with the rows, save the"
                    " workbook, and send it again."
                )
            )
        rows = _limited(_rows(workbook, stream, form, visible[0]))
    return Table(rows, sheet=visible[0], others=lambda: _with_values(workbook, visible[1:]))


def _with_values(workbook: CalamineWorkbook, names: Iterable[str]) -> list[str]:
    """Find the sheets that have values, except the one that explains the columns of a template. A
    damaged sheet counts as empty."""
    found = []
    for name in names:
        with suppress(Unreadable), reading():
            if name != LEGEND and workbook.get_sheet_by_name(name).start is not None:
                found.append(name)
    return found


def _rows(
    workbook: CalamineWorkbook, stream: IO[bytes], form: str, name: str
) -> Iterator[TableRow]:
    with reading():
        sheet = workbook.get_sheet_by_name(name)
        # An empty sheet has no start, and reading its rows would be an error.
        rows = sheet.iter_rows() if sheet.start is not None else ()
        marks = marked_cells(stream, form, name)
        next_marked, marked = next(marks, NO_MARKS)
        for number, values in enumerate(rows, start=1):
            cells = [_cell(each) for each in values]
            if number == next_marked:
                for at, mark in marked.items():
                    if mark.error is not None:
                        cells += [EMPTY] * (at + 1 - len(cells))
                        cells[at] = _error(mark.error or "#")
                    elif at < len(cells):
                        cells[at] = _marked(cells[at], values[at], mark)
                next_marked, marked = next(marks, NO_MARKS)
            yield TableRow(number, cells, len(cells))


def _workbook(stream: IO[bytes], form: str) -> CalamineWorkbook:
    """The workbook in a stream. It is read from a file whose name has the ending of its format:
    without an ending, the library would try all formats, and not detect a password."""
    stream.seek(0)
    # The workbook keeps the file open, so its rows can be read after this block has deleted the
    # file.
    with NamedTemporaryFile(suffix=f".{form}") as file:
        shutil.copyfileobj(stream, file)
        file.flush()
        return CalamineWorkbook.from_path(file.name)


@contextmanager
def reading() -> Iterator[None]:
    """Convert errors of the library that reads spreadsheets into Unreadable."""
    try:
        yield
    except PasswordError:
        raise Unreadable(PASSWORD, is_rejected=True) from None
    except BaseException as error:
        # A damaged file can make the library panic. A panic is a BaseException, but no Exception.
        if isinstance(error, CalamineError | OSError) or type(error).__module__ == "pyo3_runtime":
            raise Unreadable(
                Message("This workbook is damaged. Save it again in your spreadsheet program.")
            ) from None
        raise


def _cell(value: Any) -> Cell:
    if isinstance(value, str):
        # Some programs end texts with a null character, which PostgreSQL can't store.
        return _text_cell(value.replace("\0", ""))
    if isinstance(value, bool):
        return Cell(str(value).upper(), "boolean")
    if isinstance(value, int | float):
        whole = isinstance(value, int) or value.is_integer()
        # Like a spreadsheet program, use at most 15 digits of a number that is not whole.
        problem = LONG_NUMBER if abs(value) >= LONG else None
        return Cell(str(int(value)) if whole else f"{value:.15g}", "number", problem=problem)
    if isinstance(value, datetime | date | time):
        return Cell(value.isoformat(), "date")
    assert isinstance(value, timedelta), value
    return Cell(str(value), "date")


def _error(name: str) -> Cell:
    problem = Message(
        "This cell has an error: ${error}. Correct it in the spreadsheet, and send the file again.",
        error=name,
    )
    return Cell(name, is_error=True, problem=problem)


def _marked(cell: Cell, value: Any, mark: Mark) -> Cell:
    """A cell as the spreadsheet shows it. `value` is its value."""
    if cell.type == "number" and mark.is_percent:
        return _percentage(value)
    if cell.type == "number" and mark.digits and cell.text.isdigit():
        return Cell(cell.text.zfill(mark.digits), problem=cell.problem)
    if cell.type is None and mark.is_shifted:
        return cell._replace(type="shifted")
    return cell


def _percentage(value: Any) -> Cell:
    """The cell that shows this number as a percentage: 50% for 0.5."""
    # Unlike the spreadsheet, don't round the percentage, because 87.5% may be shown as 88%.
    return Cell(f"{_cell(value * 100).text}%", "number")


def _text_cell(value: str) -> Cell:
    if APOSTROPHE.match(value):
        value = value[1:]
    whole = normalize("NFC", value)
    return Cell(whole.strip(), whole=whole)


def _limited(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The rows that are not empty, without empty cells at their ends. Raises Unreadable if there
    are too many rows or columns.

    A row that has nothing but errors is empty, too: people copy formulas to more rows than they
    have filled in.
    """
    count = 0
    for row in rows:
        width = len(row.cells)
        while width and not row.cells[width - 1].text:
            width -= 1
        if all(each.is_error or not each.text for each in row.cells[:width]):
            continue
        count += 1
        if count > MOST_ROWS + MOST_ABOVE:
            raise too_many_rows()
        if width > MOST_COLUMNS:
            raise Unreadable(
                Message(
                    "Line ${line} has more than ${max} columns. Remove the columns that are not"
                    " needed.",
                    line=row.number,
                    max=MOST_COLUMNS,
                ),
                is_rejected=True,
            )
        yield row._replace(cells=row.cells[:width])


def no_rows() -> Unreadable:
    return Unreadable(
        Message(
            "This file has no rows. Check that it is the right file, and that its first visible"
            " sheet has the rows."
        )
    )


def too_many_rows() -> Unreadable:
    return Unreadable(
        Message("This file has more than ${max} rows. Split it into several files.", max=MOST_ROWS),
        is_rejected=True,
    )
