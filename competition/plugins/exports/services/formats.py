"""The formats of files that every export has: CSV and XLSX."""

import csv
import io
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Row

from competition.core.errors import Invalid
from competition.core.exports import Export, Format, Table
from competition.core.messages import Message

# A spreadsheet program takes a text that begins with one of these for a formula, or cuts off the
# first character. Programs in Japanese and Chinese read the full-width signs (U+FF1D, U+FF0B,
# U+FF0D, U+FF20) as the plain ones.
RISKY = frozenset("=+-@\uff1d\uff0b\uff0d\uff20\t\r\n'")
DIGITS = frozenset("0123456789")
# The most characters of a cell in XLSX.
LONGEST_CELL = 32_767
MOST_ROWS = 20_000

Cell = str | int | float | None


def cell(value: Any) -> Cell:
    """The value as a text or a number. None is an empty cell. Booleans become "yes" or "no", times
    ISO 8601 in UTC, and lists and dicts JSON."""
    if value is None or type(value) in (str, int, float):
        return value  # type: ignore[no-any-return]  # checked above
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, dict | list):
        return msgspec.json.encode(value).decode()
    return str(value)


def quoted(value: Cell) -> Cell:
    """The value for CSV: a text that spreadsheet programs would change begins with an apostrophe,
    which an import removes."""
    return f"'{value}" if isinstance(value, str) and value[:1] in RISKY else value


def protected(text: str) -> str:
    """The text for XLSX, in which no text is read as a formula. An import removes an apostrophe at
    the beginning of some texts, so such a text gets another apostrophe."""
    is_removed = text == "'" or (text[:1] == "'" and text[1] in RISKY | DIGITS)
    return f"'{text}" if is_removed else text


def write_csv(file: BinaryIO, table: Table, rows: Iterable[Row[Any]]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(map(quoted, table.headers))
    writer.writerows([quoted(cell(each)) for each in table.cells(row)] for row in rows)
    # Detach the wrapper, because it would otherwise close the file.
    text.detach()


def write_xlsx(file: BinaryIO, table: Table, rows: Iterable[Row[Any]]) -> None:
    """Write the rows as a workbook with one sheet. Raises Invalid if a text is too long for a
    cell."""
    import xlsxwriter  # it takes 1.4 MiB, and few processes write a workbook

    # Each row is written to the disk before the next one begins.
    with xlsxwriter.Workbook(file, {"constant_memory": True}) as workbook:
        sheet = workbook.add_worksheet()
        sheet.freeze_panes(1, 0)
        bold = workbook.add_format({"bold": True})
        for column, header in enumerate(table.headers):
            sheet.write_string(0, column, header, bold)
        for line, row in enumerate(rows, 1):
            for column, value in enumerate(map(cell, table.cells(row))):
                if isinstance(value, str):
                    _check_length(value)
                    sheet.write_string(line, column, protected(value))
                elif value is not None:
                    sheet.write_number(line, column, value)


def _check_length(text: str) -> None:
    if len(text) > LONGEST_CELL:
        raise Invalid.field(
            "format",
            Message(
                "A text is too long for a spreadsheet, whose cells have at most ${max} characters."
                " Choose csv.",
                max=LONGEST_CELL,
            ),
        )


FORMATS: Mapping[str, Format] = {
    "csv": Format("csv", "text/csv", write_csv),
    "xlsx": Format(
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        write_xlsx,
        MOST_ROWS,
    ),
}


def formats_of(export: Export) -> Mapping[str, Format]:
    """The formats of an export, by name."""
    return {**FORMATS, **export.formats}
