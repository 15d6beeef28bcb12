"""Find the cells of a spreadsheet that show something else than their value.

They show an error, such as #N/A, a percentage, such as 50%, zeros before a number, such as 007, or
a raised or lowered character, such as in 5². The library that reads spreadsheets returns errors as
empty or as 0, like cells without a value, 50% as 0.5, 007 as 7, and 5² as 52. So this module finds
these cells in the XML of the workbook.
Workbooks of Excel 97 to 2003 are not XML: their errors read as empty cells, and so on.
"""

import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import repeat
from typing import IO, NamedTuple
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, fromstring

CHUNK = 256 * 1024
# The library also reads some workbooks that are not well-formed, or whose parts have other names.
# Then only the cells before the fault are found.
FAULTS = (KeyError, ValueError, ParseError, DefusedXmlException)
# What a marked cell has. A sheet without it is not parsed, because that takes long. In an XLSX
# file, most marks are in the style of the cell, whose number the cell has.
IN_XLSX = re.compile(rb"""\bt=["']e["']|\bvertAlign\b|\bs=["']([0-9]+)["']""")
IN_ODS = re.compile(
    rb"""value-type=["'](?:error|percentage)["']|text-position=["'](?!0%)"""
    rb"""|min-integer-digits=["'](?![01]["'])"""
)
# In an XLSX file, the texts of a workbook that may have raised or lowered characters.
IN_STRINGS = re.compile(rb"\bvertAlign\b")
# An attribute may lie in two chunks. It is shorter than this.
OVERLAP = 64
LETTERS = re.compile("[A-Z]{1,3}")
# The number formats 0% and 0.00%, which no XLSX file spells out.
BUILT_IN_PERCENT = {"9", "10"}
# Parts of a number format that are shown as they are: texts in quotes, and characters after a mark.
LITERAL = re.compile(r'"[^"]*"|[\\_*].', re.DOTALL)
# What a number format may have between digits, and a format that shows zeros before a number. All
# digits behind the first "0" are shown, even if the format has "#" for them.
BETWEEN = re.compile(r"[\s()-]+")
ZEROS = re.compile("0[0#]+")
# A number with zeros before it, as an ODS file shows it.
WITH_ZEROS = re.compile("0[0-9]+")
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
CALCEXT = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
# An ODS file may say that a cell is repeated any number of times. No import has this many columns.
MOST_COLUMNS = 1_000


class Mark(NamedTuple):
    """What is special about a cell. `error` is the text of the error that it shows, or None. The
    other fields say whether it shows a percentage, whether it has raised or lowered characters, and
    how many digits it shows at least: a number with fewer of them has zeros before it."""

    error: str | None = None
    is_percent: bool = False
    is_shifted: bool = False
    digits: int = 0


PLAIN = Mark()
# The number of a row, from 1, and its marked cells by their column, from 0.
Marks = tuple[int, Mapping[int, Mark]]


class Cells:
    """Collects the marked cells of a sheet, as the target of an XML parser. `found` has the rows
    that have ended since it was cleared. `styles` has the styles of marked cells by their number,
    and `texts` the numbers of texts with raised or lowered characters."""

    def __init__(self, styles: Mapping[str, Mark], texts: Collection[str]) -> None:
        self.found: list[Iterator[Marks]] = []
        self.styles = styles
        self.texts = texts
        self._mark = PLAIN
        self._marks: dict[int, Mark] = {}


def marked_cells(stream: IO[bytes], form: str, sheet: str) -> Iterator[Marks]:
    """The marked cells of a sheet, by row and in the order of the rows. `form` is the format of the
    workbook."""
    if form not in ("xlsx", "ods"):
        return
    with suppress(*FAULTS), zipfile.ZipFile(stream) as archive:
        if form == "xlsx":
            cells = XlsxCells(_styles(archive), _shifted_texts(archive))
            yield from _parsed(archive, _part_of(archive, sheet), IN_XLSX, cells)
        else:
            yield from _parsed(archive, "content.xml", IN_ODS, OdsCells(sheet))


def _parsed(
    archive: zipfile.ZipFile, part: str, mark: re.Pattern[bytes], cells: Cells
) -> Iterator[Marks]:
    found = (each for chunk in _overlapping(archive, part) for each in mark.finditer(chunk))
    if not cells.texts and not any(
        each.lastindex is None or each[1].decode() in cells.styles for each in found
    ):
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


def _styles(archive: zipfile.ZipFile) -> dict[str, Mark]:
    """The styles of an XLSX file that mark a cell, by their number. An archive without readable
    styles has none."""
    styles = XlsxStyles()
    _feed(archive, "xl/styles.xml", styles)
    return styles.marks


def _shifted_texts(archive: zipfile.ZipFile) -> set[str]:
    """The numbers of the texts of an XLSX file that have raised or lowered characters."""
    texts = XlsxTexts()
    name = "xl/sharedStrings.xml"
    with suppress(KeyError):
        if any(map(IN_STRINGS.search, _overlapping(archive, name))):
            _feed(archive, name, texts)
    return texts.shifted


def _feed(archive: zipfile.ZipFile, name: str, target: object) -> None:
    """Parse a part of an archive, up to the first fault."""
    parser = DefusedXMLParser(target=target, forbid_dtd=True)
    with suppress(*FAULTS), archive.open(name) as content:
        while chunk := content.read(CHUNK):
            parser.feed(chunk)


def _name(tag: str) -> str:
    """The name of an element or attribute without its namespace, because XLSX files may have one of
    two namespaces."""
    return tag.rpartition("}")[2]


def _shifts(name: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element of an XLSX file raises or lowers characters."""
    return name == "vertAlign" and attributes.get("val") != "baseline"


class XlsxStyles:
    """The styles of the cells of an XLSX file. `marks` has those that mark a cell, by number."""

    def __init__(self) -> None:
        self.marks: dict[str, Mark] = {}
        self._percent = {*BUILT_IN_PERCENT}
        self._digits: dict[str, int] = {}
        self._shifted = set[str]()
        self._is_here = self._is_font = False
        self._number = self._fonts = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name, number_format = _name(tag), attributes.get("numFmtId", "")
        if name == "cellXfs":
            self._is_here = True
        elif name == "fonts":
            self._is_font = True
        elif self._is_font and _shifts(name, attributes):
            self._shifted.add(str(self._fonts))
        elif name == "numFmt":
            shown = LITERAL.sub("", attributes.get("formatCode", ""))
            digits = BETWEEN.sub("", shown)
            if "%" in shown:
                self._percent.add(number_format)
            elif ZEROS.fullmatch(digits):
                self._digits[number_format] = len(digits)
        elif name == "xf" and self._is_here:
            mark = Mark(
                is_percent=number_format in self._percent,
                is_shifted=attributes.get("fontId") in self._shifted,
                digits=self._digits.get(number_format, 0),
            )
            if mark != PLAIN:
                self.marks[str(self._number)] = mark
            self._number += 1

    def end(self, tag: str) -> None:
        name = _name(tag)
        if name == "cellXfs":
            self._is_here = False
        elif name == "fonts":
            self._is_font = False
        elif name == "font" and self._is_font:
            self._fonts += 1


class XlsxTexts:
    """The texts that the cells of an XLSX file share. `shifted` has the numbers of those with
    raised or lowered characters."""

    def __init__(self) -> None:
        self.shifted = set[str]()
        self._number = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if _shifts(_name(tag), attributes):
            self.shifted.add(str(self._number))

    def end(self, tag: str) -> None:
        if _name(tag) == "si":
            self._number += 1


class XlsxCells(Cells):
    """The cells of a sheet of an XLSX file."""

    def __init__(self, styles: Mapping[str, Mark], texts: Collection[str]) -> None:
        super().__init__(styles, texts)
        self._row, self._column = 0, -1
        self._type = self._text = ""
        self._is_value = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = _name(tag)
        if name == "row":
            self._row, self._column = int(attributes.get("r", self._row + 1)), -1
        elif name == "c":
            place = LETTERS.match(attributes.get("r", ""))
            self._column = _column(place[0]) if place else self._column + 1
            self._type = attributes.get("t", "")
            self._text = ""
            self._mark = self.styles.get(attributes.get("s", ""), PLAIN)
        elif _shifts(name, attributes):
            self._mark = self._mark._replace(is_shifted=True)
        # The value of a cell with the type "s" is the number of a text.
        self._is_value = name == "v" and self._type in ("e", "s")

    def data(self, text: str) -> None:
        if self._is_value:
            self._text += text

    def end(self, tag: str) -> None:
        self._is_value = False
        name = _name(tag)
        if name == "c":
            if self._type == "e":
                self._mark = Mark(error=self._text)
            elif self._type == "s" and self._text in self.texts:
                self._mark = self._mark._replace(is_shifted=True)
            if self._mark != PLAIN:
                self._marks[self._column] = self._mark
        elif name == "row" and self._marks:
            self.found.append(iter([(self._row, self._marks)]))
            self._marks = {}


def _column(letters: str) -> int:
    """The number of a column, from 0: A is 0, and AA is 26."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


class OdsCells(Cells):
    """The cells of a sheet of an ODS file. A row or cell may stand for several equal ones."""

    def __init__(self, sheet: str) -> None:
        super().__init__({}, ())
        self._sheet = sheet
        self._style = ("", "")
        # The styles that raise or lower characters, as pairs of a family and a name.
        self._shifted = set[tuple[str, str]]()
        self._is_here = self._is_error = self._is_number = self._is_comment = False
        self._row, self._rows = 1, 1
        self._column, self._columns = 0, 1
        # How many elements in the cell are open. The text of a cell is in its first level; that of
        # a comment is deeper.
        self._depth = 0
        self._text = ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == f"{STYLE}style":
            self._style = (attributes.get(f"{STYLE}family", ""), attributes.get(f"{STYLE}name", ""))
        elif tag == f"{STYLE}text-properties":
            if not attributes.get(f"{STYLE}text-position", "0%").startswith("0%"):
                self._shifted.add(self._style)
        elif tag == f"{TABLE}table":
            self._is_here = attributes.get(f"{TABLE}name") == self._sheet
        elif not self._is_here:
            return
        elif tag == f"{TABLE}table-row":
            self._rows = int(attributes.get(f"{TABLE}number-rows-repeated", 1))
            self._column = 0
        elif tag in CELLS:
            self._columns = int(attributes.get(f"{TABLE}number-columns-repeated", 1))
            self._is_error = attributes.get(f"{CALCEXT}value-type") == "error"
            self._is_number = attributes.get(f"{OFFICE}value-type") == "float"
            self._mark = Mark(
                is_percent=attributes.get(f"{OFFICE}value-type") == "percentage",
                is_shifted=("table-cell", attributes.get(f"{TABLE}style-name")) in self._shifted,
            )
            self._depth, self._text = 0, ""
        else:
            self._depth += 1
            if tag == f"{OFFICE}annotation":
                self._is_comment = True
            elif ("text", attributes.get(f"{TEXT}style-name")) in self._shifted:
                self._mark = self._mark._replace(
                    is_shifted=self._mark.is_shifted or not self._is_comment
                )

    def data(self, text: str) -> None:
        if (self._is_error or self._is_number) and self._depth == 1:
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
            if self._is_error:
                self._mark = Mark(error=self._text.strip())
            elif self._is_number and WITH_ZEROS.fullmatch(digits := BETWEEN.sub("", self._text)):
                self._mark = self._mark._replace(digits=len(digits))
            if self._mark != PLAIN:
                self._marks |= dict.fromkeys(range(self._column, after), self._mark)
            self._is_error = self._is_number = False
            self._mark = PLAIN
            self._column = after
        else:
            self._depth -= 1
            if tag == f"{OFFICE}annotation":
                self._is_comment = False
