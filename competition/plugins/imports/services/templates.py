"""Templates: files with the header of a kind of imports, and one example row."""

import csv
import io
from collections.abc import Sequence

from competition.core.imports import Column, ImportKind
from competition.plugins.imports.services.reading.tables import LEGEND

# The first character of a text file, by which spreadsheet programs recognise UTF-8.
BYTE_ORDER_MARK = "\ufeff"


def template(kind: ImportKind, form: str) -> bytes:
    """A template as a file in this format, `csv` or `xlsx`."""
    if form == "xlsx":
        return _workbook(kind.columns)
    return _text(kind.columns)


def _text(columns: Sequence[Column]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([each.name for each in columns])
    writer.writerow([each.example for each in columns])
    return (BYTE_ORDER_MARK + text.getvalue()).encode()


def _workbook(columns: Sequence[Column]) -> bytes:
    """A workbook with the header and the example row. Its second sheet explains the columns, and
    lists their other names."""
    import xlsxwriter  # it takes 1.4 MiB, and few processes write a workbook

    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as workbook:
        bold = workbook.add_format({"bold": True})
        # The cells have the format of texts, so that the leading zeros of values that users type
        # are preserved.
        text = workbook.add_format({"num_format": "@"})
        sheet = workbook.add_worksheet("Import")
        sheet.freeze_panes(1, 0)
        sheet.set_column(0, len(columns) - 1, 20, text)
        for at, column in enumerate(columns):
            sheet.write_string(0, at, column.name, bold)
            sheet.write_string(1, at, column.example, text)
        legend = workbook.add_worksheet(LEGEND)
        legend.set_column(0, 3, 30)
        for at, title in enumerate(("Column", "Required", "Other names", "Meaning")):
            legend.write_string(0, at, title, bold)
        for line, column in enumerate(columns, start=1):
            legend.write_string(line, 0, column.name)
            legend.write_string(line, 1, "yes" if column.is_required else "no")
            legend.write_string(line, 2, ", ".join(column.headers))
            legend.write_string(line, 3, column.description)
    return content.getvalue()
