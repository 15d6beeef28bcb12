"""Find the cells of a spreadsheet that show an error, such as #N/A.

The library that reads spreadsheets returns such cells as empty or as 0, like cells without a value.
So this module finds them in the XML of the workbook. Workbooks of Excel 97 to 2003 are not XML:
their errors read as empty cells.
"""

import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import repeat
from typing import IO, Protocol
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, fromstring

CHUNK = 256 * 1024
# The library also reads some workbooks that are not well-formed, or whose parts have other names.
# Then only the errors before the fault are found.
FAULTS = (KeyError, ValueError, ParseError, DefusedXmlException)
# What a cell with an error has. A sheet without it is not parsed, because that takes long.
IN_XLSX = re.compile(rb"""\bt=["']e["']""")
IN_ODS = re.compile(rb"""value-type=["']error["']""")
# An attribute may lie in two chunks. It is shorter than this.
OVERLAP = 64
LETTERS = re.compile("[A-Z]{1,3}")
CALCEXT = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
# An ODS file may say that a cell is repeated any number of times. No import has this many columns.
MOST_COLUMNS = 1_000

# The number of a row, from 1, and the texts of its cells with an error, by their column, from 0.
Errors = tuple[int, Mapping[int, str]]


class Cells(Protocol):
    """Collects the cells with an error of a sheet, as the target of an XML parser. `found` has the
    rows that have ended since it was cleared."""

    found: list[Iterator[Errors]]

    def start(self, tag: str, attributes: Mapping[str, str], /) -> None: ...
    def data(self, text: str, /) -> None: ...
    def end(self, tag: str, /) -> None: ...


def error_cells(stream: IO[bytes], form: str, sheet: str) -> Iterator[Errors]:
    """The cells of a sheet that show an error, by row and in the order of the rows. `form` is the
    format of the workbook."""
    if form not in ("xlsx", "ods"):
        return
    with suppress(*FAULTS), zipfile.ZipFile(stream) as archive:
        if form == "xlsx":
            yield from _parsed(archive, _part_of(archive, sheet), IN_XLSX, XlsxCells())
        else:
            yield from _parsed(archive, "content.xml", IN_ODS, OdsCells(sheet))


def _parsed(
    archive: zipfile.ZipFile, part: str, error: re.Pattern[bytes], cells: Cells
) -> Iterator[Errors]:
    if not any(error.search(each) for each in _overlapping(archive, part)):
        return
    parser = DefusedXMLParser(target=cells, forbid_dtd=True)
    with archive.open(part) as content:
        while chunk := content.read(CHUNK):
            with suppress(*FAULTS):
                parser.feed(chunk)
            for rows in cells.found:
                yield from rows
            cells.found.clear()


def _overlapping(archive: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    """The chunks of a part of an archive, each with the end of the chunk before it."""
    before = b""
    with archive.open(part) as content:
        while chunk := content.read(CHUNK):
            yield before + chunk
            before = chunk[-OVERLAP:]


def _part_of(archive: zipfile.ZipFile, sheet: str) -> str:
    """The name of the part of an XLSX file that has a sheet."""
    [relation] = (
        value
        for each in fromstring(archive.read("xl/workbook.xml"), forbid_dtd=True).iter()
        if _name(each.tag) == "sheet" and each.get("name") == sheet
        for key, value in each.items()
        if _name(key) == "id"
    )
    [target] = (
        each.attrib["Target"]
        for each in fromstring(archive.read("xl/_rels/workbook.xml.rels"), forbid_dtd=True)
        if each.get("Id") == relation
    )
    return target[1:] if target.startswith("/") else f"xl/{target}"


def _name(tag: str) -> str:
    """The name of an element or attribute without its namespace, because XLSX files may have one of
    two namespaces."""
    return tag.rpartition("}")[2]


class XlsxCells:
    """The cells of a sheet of an XLSX file."""

    def __init__(self) -> None:
        self.found: list[Iterator[Errors]] = []
        self._row, self._column = 0, -1
        self._errors: dict[int, str] = {}
        self._is_error = self._is_value = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = _name(tag)
        if name == "row":
            self._row, self._column = int(attributes.get("r", self._row + 1)), -1
        elif name == "c":
            place = LETTERS.match(attributes.get("r", ""))
            self._column = _column(place[0]) if place else self._column + 1
            self._is_error = attributes.get("t") == "e"
            if self._is_error:
                self._errors[self._column] = ""
        self._is_value = name == "v" and self._is_error

    def data(self, text: str) -> None:
        if self._is_value:
            self._errors[self._column] += text

    def end(self, tag: str) -> None:
        self._is_value = False
        if self._errors and _name(tag) == "row":
            self.found.append(iter([(self._row, self._errors)]))
            self._errors = {}


def _column(letters: str) -> int:
    """The number of a column, from 0: A is 0, and AA is 26."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


class OdsCells:
    """The cells of a sheet of an ODS file. A row or cell may stand for several equal ones."""

    def __init__(self, sheet: str) -> None:
        self.found: list[Iterator[Errors]] = []
        self._sheet = sheet
        self._is_here = self._is_error = False
        self._row, self._rows = 1, 1
        self._column, self._columns = 0, 1
        self._errors: dict[int, str] = {}
        # How many elements in the cell are open. The text of a cell is in its first level; that of
        # a comment is deeper.
        self._depth = 0
        self._text = ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == f"{TABLE}table":
            self._is_here = attributes.get(f"{TABLE}name") == self._sheet
        elif not self._is_here:
            return
        elif tag == f"{TABLE}table-row":
            self._rows = int(attributes.get(f"{TABLE}number-rows-repeated", 1))
            self._column = 0
        elif tag in CELLS:
            self._columns = int(attributes.get(f"{TABLE}number-columns-repeated", 1))
            self._is_error = attributes.get(f"{CALCEXT}value-type") == "error"
            self._depth, self._text = 0, ""
        else:
            self._depth += 1

    def data(self, text: str) -> None:
        if self._is_error and self._depth == 1:
            self._text += text

    def end(self, tag: str) -> None:
        if not self._is_here:
            return
        if tag == f"{TABLE}table":
            self._is_here = False
        elif tag == f"{TABLE}table-row":
            if self._errors:
                rows = range(self._row, self._row + self._rows)
                self.found.append(zip(rows, repeat(self._errors), strict=False))
            self._row += self._rows
            self._errors = {}
        elif tag in CELLS:
            after = min(self._column + self._columns, MOST_COLUMNS)
            if self._is_error:
                self._errors |= dict.fromkeys(range(self._column, after), self._text.strip())
            self._is_error = False
            self._column = after
        else:
            self._depth -= 1
