"""Read the files that exports return."""

import csv
import io
import re
import zipfile
from xml.etree import ElementTree

SPREADSHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def lines(reply_or_bytes):
    """The lines of a CSV file as dictionaries."""
    content = getattr(reply_or_bytes, "body", reply_or_bytes)
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def members(reply):
    """The files in a ZIP archive, by name."""
    with zipfile.ZipFile(io.BytesIO(reply.body)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def sheet(content):
    """The rows of the first sheet of an XLSX file. Strings of the sheet are `str`, numbers
    `float`."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        root = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    rows = []
    for row in root.iter(f"{SPREADSHEET}row"):
        cells = {}
        for each in row.iter(f"{SPREADSHEET}c"):
            assert each.find(f"{SPREADSHEET}f") is None, "a formula"
            column = re.match("[A-Z]+", each.get("r"))[0]
            text = "".join(part.text or "" for part in each.iter(f"{SPREADSHEET}t"))
            number = each.find(f"{SPREADSHEET}v")
            cells[column] = text if each.get("t") == "inlineStr" else float(number.text)
        rows.append(cells)
    return rows
