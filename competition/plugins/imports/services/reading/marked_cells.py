"""Find the cells of a spreadsheet that show an error, such as #N/A, or a percentage, such as 50%.

The library that reads spreadsheets returns errors as empty or as 0, like cells without a value, and
50% as 0.5. So this module finds these cells in the XML of the workbook. Workbooks of Excel 97 to
2003 are not XML: their errors read as empty cells, and their percentages as fractions.
"""

import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import repeat
from typing import IO, Protocol
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, fromstring

CHUNK = 256 * 1024
# The library also reads some workbooks that are not well-formed, or whose parts have other names.
# Then only the cells before the fault are found.
FAULTS = (KeyError, ValueError, ParseError, DefusedXmlException)
# What a cell with an error or a percentage has. A sheet without it is not parsed, because that
# takes long. In an XLSX file, a cell with a percentage has the number of a style of percentages.
IN_XLSX = re.compile(rb"""\bt=["']e["']|\bs=["']([0-9]+)["']""")
IN_ODS = re.compile(rb"""value-type=["'](?:error|percentage)["']""")
# An attribute may lie in two chunks. It is shorter than this.
OVERLAP = 64
LETTERS = re.compile("[A-Z]{1,3}")
# The number formats 0% and 0.00%, which no XLSX file spells out.
BUILT_IN_PERCENT = {"9", "10"}
# Parts of a number format that are shown as they are: texts in quotes, and characters after a mark.
LITERAL = re.compile(r'"[^"]*"|[\\_*].', re.DOTALL)
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
CALCEXT = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
# An ODS file may say that a cell is repeated any number of times. No import has this many columns.
MOST_COLUMNS = 1_000

# The number of a row, from 1, and its marked cells by their column, from 0: the text of an error,
# or None for a percentage.
Marks = tuple[int, Mapping[int, str | None]]


class Cells(Protocol):
    """Collects the marked cells of a sheet, as the target of an XML parser. `found` has the rows
    that have ended since it was cleared. `styles` are the numbers of the styles of percentages."""

    found: list[Iterator[Marks]]
    styles: Collection[str]

    def start(self, tag: str, attributes: Mapping[str, str], /) -> None: ...
    def data(self, text: str, /) -> None: ...
    def end(self, tag: str, /) -> None: ...


def marked_cells(stream: IO[bytes], form: str, sheet: str) -> Iterator[Marks]:
    """The cells of a sheet that show an error or a percentage, by row and in the order of the rows.
    `form` is the format of the workbook."""
    if form not in ("xlsx", "ods"):
        return
    with suppress(*FAULTS), zipfile.ZipFile(stream) as archive:
        if form == "xlsx":
            cells = XlsxCells(_percent_styles(archive))
            yield from _parsed(archive, _part_of(archive, sheet), IN_XLSX, cells)
        else:
            yield from _parsed(archive, "content.xml", IN_ODS, OdsCells(sheet))


def _parsed(
    archive: zipfile.ZipFile, part: str, mark: re.Pattern[bytes], cells: Cells
) -> Iterator[Marks]:
    found = (each for chunk in _overlapping(archive, part) for each in mark.finditer(chunk))
    if not any(each.lastindex is None or each[1].decode() in cells.styles for each in found):
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


def _percent_styles(archive: zipfile.ZipFile) -> set[str]:
    """The numbers of the styles of an XLSX file that show a number as a percentage. An archive
    without readable styles has none."""
    styles = XlsxStyles()
    parser = DefusedXMLParser(target=styles, forbid_dtd=True)
    with suppress(*FAULTS), archive.open("xl/styles.xml") as content:
        while chunk := content.read(CHUNK):
            parser.feed(chunk)
    return styles.percent


def _name(tag: str) -> str:
    """The name of an element or attribute without its namespace, because XLSX files may have one of
    two namespaces."""
    return tag.rpartition("}")[2]


class XlsxStyles:
    """The styles of the cells of an XLSX file. `percent` has the numbers of those that show a
    number as a percentage."""

    def __init__(self) -> None:
        self.percent: set[str] = set()
        self._formats = {*BUILT_IN_PERCENT}
        self._is_here = False
        self._number = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name, number_format = _name(tag), attributes.get("numFmtId", "")
        if name == "cellXfs":
            self._is_here = True
        elif name == "numFmt" and "%" in LITERAL.sub("", attributes.get("formatCode", "")):
            self._formats.add(number_format)
        elif name == "xf" and self._is_here:
            if number_format in self._formats:
                self.percent.add(str(self._number))
            self._number += 1

    def end(self, tag: str) -> None:
        if _name(tag) == "cellXfs":
            self._is_here = False


class XlsxCells:
    """The cells of a sheet of an XLSX file."""

    def __init__(self, styles: Collection[str]) -> None:
        self.found: list[Iterator[Marks]] = []
        self.styles = styles
        self._row, self._column = 0, -1
        self._marks: dict[int, str | None] = {}
        self._text = ""
        self._is_error = self._is_value = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = _name(tag)
        if name == "row":
            self._row, self._column = int(attributes.get("r", self._row + 1)), -1
        elif name == "c":
            place = LETTERS.match(attributes.get("r", ""))
            self._column = _column(place[0]) if place else self._column + 1
            self._is_error = attributes.get("t") == "e"
            self._text = ""
            if attributes.get("s") in self.styles:
                self._marks[self._column] = None
        self._is_value = name == "v" and self._is_error

    def data(self, text: str) -> None:
        if self._is_value:
            self._text += text

    def end(self, tag: str) -> None:
        self._is_value = False
        name = _name(tag)
        if name == "c" and self._is_error:
            self._marks[self._column] = self._text
        elif name == "row" and self._marks:
            self.found.append(iter([(self._row, self._marks)]))
            self._marks = {}


def _column(letters: str) -> int:
    """The number of a column, from 0: A is 0, and AA is 26."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


class OdsCells:
    """The cells of a sheet of an ODS file. A row or cell may stand for several equal ones."""

    def __init__(self, sheet: str) -> None:
        self.found: list[Iterator[Marks]] = []
        self.styles: Collection[str] = ()
        self._sheet = sheet
        self._is_here = self._is_error = self._is_percent = False
        self._row, self._rows = 1, 1
        self._column, self._columns = 0, 1
        self._marks: dict[int, str | None] = {}
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
            self._is_percent = attributes.get(f"{OFFICE}value-type") == "percentage"
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
            if self._marks:
                rows = range(self._row, self._row + self._rows)
                self.found.append(zip(rows, repeat(self._marks), strict=False))
            self._row += self._rows
            self._marks = {}
        elif tag in CELLS:
            after = min(self._column + self._columns, MOST_COLUMNS)
            if self._is_error or self._is_percent:
                mark = self._text.strip() if self._is_error else None
                self._marks |= dict.fromkeys(range(self._column, after), mark)
            self._is_error = self._is_percent = False
            self._column = after
        else:
            self._depth -= 1
