"""Tables as people have them: where the header is, what a cell contains, and which line it is."""

import io
import struct
import zipfile
from datetime import date, datetime
from pathlib import Path

import pytest
import xlsxwriter

from competition.core.auth.access import staff
from competition.core.imports import Column, ImportKind, Unreadable
from competition.core.messages import worded
from competition.plugins.imports.services.reading import files

FILES = Path(__file__).parent / "files"


def column(name, *headers, required=False):
    return Column(name, required, headers, "x", "")


NAMES = (
    column("first_name", "First name", "Other names", "Prénom", required=True),
    column("last_name", "Surname", "Last name", "Nom", required=True),
)
PEOPLE = (
    *NAMES,
    column("email", "E-mail", "Email address", "Adresse e-mail"),
    column("phone", "Phone", "Tel", "Téléphone"),
    column("group", "Class", "Classe"),
    column("guardian_email", "Guardian email"),
)


def kind(*columns, **options):
    return ImportKind(
        "pupils",
        staff(),
        columns or PEOPLE,
        read=None,
        check=None,
        apply=None,
        joined=("Name", "Full name"),
        others=("parent", "guardian"),
        **options,
    )


def read(content, of=None, form="csv", columns=None):
    if isinstance(content, str):
        content = content.encode()
    found = files.read(io.BytesIO(content), form, of or kind(), columns or {})
    return found, list(found.lines)


def cells(content, of=None, form="csv", columns=None):
    return [dict(each.cells) for each in read(content, of, form, columns)[1]]


class Share(float):
    """A number that a cell shows as a percentage."""


def workbook(rows, *, hidden=(), merged=(), share="0%"):
    """An XLSX file with a sheet of these rows. `hidden` are the rows of a hidden sheet before, and
    `share` is the number format of shares."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        if hidden:
            book.add_worksheet("Hidden")
        sheet = book.add_worksheet("Shown")
        sheet.activate()
        if hidden:
            book.worksheets()[0].hide()
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        percent = book.add_format({"num_format": share})
        for at, row in enumerate(rows):
            for place, value in enumerate(row):
                if isinstance(value, datetime):
                    sheet.write_datetime(at, place, value, moment)
                elif isinstance(value, date):
                    sheet.write_datetime(at, place, value, day)
                elif isinstance(value, Share):
                    sheet.write_number(at, place, value, percent)
                elif isinstance(value, tuple):
                    sheet.write_formula(at, place, *value)
                elif isinstance(value, str):
                    sheet.write_string(at, place, value)
                elif value is not None:
                    sheet.write(at, place, value)
        for span in merged:
            sheet.merge_range(*span)
    return content.getvalue()


def problem(content, of=None, form="csv"):
    with pytest.raises(Unreadable) as raised:
        read(content, of, form)
    return worded(raised.value.message)


ADA = {"first_name": "Ada", "last_name": "Lovelace"}


@pytest.mark.parametrize(
    "header",
    [
        "first_name,last_name",
        "Other names,SURNAME",
        "FIRST-NAME,last  name",
        '"first\nname",Last_Name',
        "Prénom (first_name),Nachname (last_name)",
        "First name *,Surname:",
        "First name (required),(Surname)",
        "Prénom(s),NOM (obligatoire) *",
        "First-Name(s) (optional),Last name.",
        "Pre\u0301nom,Nom",
        "PRENOM,NOM",
    ],
)
def test_headers_match_in_any_case_and_with_any_gap(header):
    assert cells(f"{header}\nAda,Lovelace\n") == [ADA]


def test_columns_match_in_any_order_and_others_are_ignored():
    found, lines = read("No,Surname,Hobby,First name\n1,Lovelace,Maths,Ada\n")
    assert found.columns == {"Surname": "last_name", "First name": "first_name"}
    assert found.ignored == ["No", "Hobby"]
    assert [dict(each.cells) for each in lines] == [ADA]


def test_columns_can_be_mapped_and_ignored_by_the_caller():
    mapped = {"Vorname": "first_name", "NACHNAME": "last_name", "E-Mail": None}
    found, lines = read("Vorname,Nachname,E-Mail\nAda,Lovelace,a@b.example\n", columns=mapped)
    assert dict(lines[0].cells) == ADA
    assert found.ignored == ["E-Mail"]


def test_a_mapped_column_may_be_about_other_people():
    content = "First name,Surname,Parent / guardian (e-mail)\nAda,Lovelace,p@b.example\n"
    assert cells(content) == [ADA]
    mapped = {"Parent / guardian (e-mail)": "guardian_email"}
    assert cells(content, columns=mapped) == [{**ADA, "guardian_email": "p@b.example"}]


@pytest.mark.parametrize(
    "header", ["Parent (email)", "Guardian's e-mail", "Parent / guardian (e-mail)"]
)
def test_the_address_of_a_parent_is_not_that_of_the_pupil(header):
    assert cells(f"First name,Surname,{header}\nAda,Lovelace,p@b.example\n") == [ADA]


@pytest.mark.parametrize(
    "header",
    ["E-mail des parents (guardian_email)", "Mother (Guardian-Email)", "Parent (GUARDIAN_EMAIL) *"],
)
def test_a_field_of_other_people_can_be_named_in_brackets(header):
    guardian = {**ADA, "guardian_email": "p@b.example"}
    assert cells(f"First name,Surname,{header}\nAda,Lovelace,p@b.example\n") == [guardian]
    two_lines = f"Pupil,,Parent\nFirst name,Surname,{header}\nAda,Lovelace,p@b.example\n"
    assert cells(two_lines) == [guardian]


def test_of_two_columns_with_the_same_field_the_first_counts():
    found, lines = read("First name,Surname,Other names\nAda,Lovelace,Augusta\n")
    assert dict(lines[0].cells) == ADA
    assert found.ignored == ["Other names"]


def test_a_column_that_the_caller_has_named_counts_before_others_with_its_field():
    content = "First name,Surname,E-mail,Other mail\nAda,Lovelace,a@b.example,c@b.example\n"
    found, [line] = read(content, columns={"Other mail": "email"})
    assert dict(line.cells) == {**ADA, "email": "c@b.example"}
    assert found.ignored == ["E-mail"]


@pytest.mark.parametrize("above", [0, 1, 18])
def test_lines_above_the_header_are_skipped(above):
    titles = "".join(f"Title {n},,\n" for n in range(above))
    _, [line] = read(f"{titles}\nFirst name,Surname\n\nAda,Lovelace\n")
    assert dict(line.cells) == ADA
    assert line.number == above + 4


def test_a_header_is_within_the_first_20_lines():
    assert "came closest" in problem("Title,,\n" * 20 + "First name,Surname\nAda,Lovelace\n")


def test_the_first_line_with_all_columns_is_the_header():
    content = "First name,Email\nFirst name,Surname\nFirst name,Surname\n"
    assert cells(content) == [{"first_name": "First name", "last_name": "Surname"}]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_found(separator):
    content = "a, b; c\nFirst name|Surname|Phone\nAda|Lovelace|1,5;6\n"
    content = content.replace("|", separator)
    content = content.replace("1,5;6", '"1,5;6"')
    assert cells(content) == [{**ADA, "phone": "1,5;6"}]


def test_a_first_line_can_name_the_separator():
    _, [line] = read("sep=|\r\nFirst name|Surname\r\nAda|Lovelace\r\n")
    assert (dict(line.cells), line.number) == (ADA, 3)


SCORE = kind(column("external_id", required=True), column("score", required=True))


def line_errors(line):
    return {name: [worded(each) for each in found] for name, found in line.errors.items()}


@pytest.mark.parametrize(
    ("before", "separator", "named"),
    [
        ("", ",", "a comma"),
        ("", ";", "a semicolon"),
        ("", "\t", "a tab"),
        ("sep=|\n", "|", "“|”"),
    ],
)
def test_a_line_with_more_values_than_the_header_is_wrong(before, separator, named):
    content = "external_id|school|score\n003|Paper School|87|5\n004|Paper School|87||\n"
    _, [wrong, right] = read(before + content.replace("|", separator), SCORE)
    assert line_errors(wrong) == {
        "line": [
            f"This line has 4 values, the header has 3. If a value contains {named}, write it in"
            " quotes."
        ]
    }
    assert (right.errors, right.cells["score"]) == ({}, "87")


@pytest.mark.parametrize(
    "header",
    ["external_id,score,,", "external_id,score,Remark,", "external_id,Result,,\n,score"],
)
def test_columns_of_a_text_file_need_no_header(header):
    _, [first, second] = read(f"{header}\n003,87,good,x\n004,50,,y\n", SCORE)
    assert (dict(first.cells), first.errors) == ({"external_id": "003", "score": "87"}, {})
    assert second.errors == {}


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_the_first_value_in_a_column_without_a_header_is_a_warning(form):
    table = [["", "First name", "Surname", ""], ["", "Ada", "Lovelace", ""]]
    table += [["2", "Alan", "Turing", "x"], ["3", "Emmy", "Noether", "y"]]
    content = workbook(table) if form == "xlsx" else "\n".join(map(",".join, table))
    _, lines = read(content, form=form)
    warnings = [[worded(each) for each in line.warnings] for line in lines]
    text = "“2” is in a column without a header. The values of this column are not imported."
    assert warnings == [[], [text], []]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encoding_is_found(encoding):
    content = "First name,Surname\nZoë,Müller\n".encode(encoding)
    assert cells(content) == [{"first_name": "Zoë", "last_name": "Müller"}]


def test_text_is_brought_to_nfc_and_trimmed():
    content = "First name,Surname\n\u00a0 Zoe\u0308 ,\tMu\u0308ller\n"
    assert cells(content) == [{"first_name": "Zoë", "last_name": "Müller"}]


def test_a_line_is_where_its_record_begins():
    content = '\nFirst name,Surname\n"Ada\nAugusta",Lovelace\n\nAlan,Turing\n'
    assert [each.number for each in read(content)[1]] == [3, 6]


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("'=1+1", "=1+1"),
        ("'+49", "+49"),
        ("'-4", "-4"),
        ("'@x", "@x"),
        ("'0801", "0801"),
        ("''n Name", "'n Name"),
        ("'", ""),
        ("'n Name", "'n Name"),
        ("''", "'"),
        ("O'1", "O'1"),
    ],
)
def test_one_apostrophe_before_what_a_spreadsheet_would_change_is_removed(written, means):
    [found] = cells(f"First name,Surname,Phone\nAda,Lovelace,{written}\n")
    assert found.get("phone", "") == means


def test_cells_of_a_spreadsheet_stay_as_they_are_shown():
    header = ["First name", "Surname", "Phone", "Class"]
    rows = [
        header,
        ["Ada", "0007", 8010483043.0, 1.5],
        ["Ada", "1.0", date(2026, 3, 1), datetime(2026, 3, 1, 9, 30)],
        ["Ada", "x", True, ('=""', None, "")],
    ]
    _, lines = read(workbook(rows), form="xlsx")
    assert [tuple(each.cells.items())[1:] for each in lines] == [
        (("last_name", "0007"), ("phone", "8010483043"), ("group", "1.5")),
        (("last_name", "1.0"), ("phone", "2026-03-01"), ("group", "2026-03-01T09:30:00")),
        (("last_name", "x"), ("phone", "TRUE")),
    ]
    assert [each.types for each in lines] == [
        {"phone": "number", "group": "number"},
        {"phone": "date", "group": "date"},
        {"phone": "boolean"},
    ]


def test_the_first_visible_sheet_counts():
    rows = [["First name", "Surname"], ["Ada", "Lovelace"]]
    assert cells(workbook(rows, hidden=[["x"]]), form="xlsx") == [ADA]


def sheets(**rows):
    """An XLSX file with these sheets. That with the name "Hidden" is hidden."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        for name, found in rows.items():
            sheet = book.add_worksheet(name)
            for at, row in enumerate(found):
                sheet.write_row(at, 0, row)
            if name == "Hidden":
                sheet.hide()
    return content.getvalue()


def test_other_sheets_with_values_are_a_warning_at_the_first_row():
    header, ada = ["First name", "Surname"], ["Ada", "Lovelace"]
    table = [header, ada, ["Alan", "Turing"]]
    names = {"6A": table, "Empty": [], "Hidden": table, "6B": table, "6C": [header]}
    _, [first, second] = read(sheets(**names), form="xlsx")
    assert [worded(each) for each in first.warnings] == [
        "Only the sheet “6A” is read. If other sheets have rows too, save each of them as a file of"
        " its own: 6B, 6C."
    ]
    assert second.warnings == []
    for others in ({}, {"Empty": []}, {"Hidden": table}):
        assert read(sheets(**{"6A": table}, **others), form="xlsx")[1][0].warnings == []


def test_a_sheet_without_a_header_is_named():
    table = [["First name", "Surname"], ["Ada", "Lovelace"]]
    text = problem(sheets(Cover=[["List of 6A"]], Pupils=table), form="xlsx")
    assert "Line 1 came closest: List of 6A." in text
    assert text.endswith(" Only the first visible sheet is read: “Cover”.")
    assert "sheet" not in problem("a,b\n1,2\n")


def test_a_chart_is_no_sheet_with_rows():
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "=Data!$A$1:$A$2"})
        book.add_chartsheet("Chart").set_chart(chart)
        sheet = book.add_worksheet("Data")
        sheet.write_row(0, 0, ["First name", "Surname"])
        sheet.write_row(1, 0, ["Ada", "Lovelace"])
    assert cells(content.getvalue(), form="xlsx") == [ADA]


def ods(rows, *, manifest=""):
    """An OpenDocument spreadsheet of these rows."""

    def cell(value):
        if value is None:
            return '<table:table-cell table:number-columns-repeated="3"/>'
        if isinstance(value, tuple):
            # As LibreOffice writes an error, with a comment.
            return (
                f'<table:table-cell table:formula="of:{value[0]}" office:value-type="string"'
                ' office:string-value="" calcext:value-type="error"><office:annotation>'
                "<text:p>Is this right?</text:p></office:annotation>"
                f"<text:p>{value[2]}</text:p></table:table-cell>"
            )
        if isinstance(value, str):
            of_type = 'office:value-type="string"'
        elif isinstance(value, Share):
            of_type = f'office:value-type="percentage" office:value="{value}"'
        elif isinstance(value, date):
            of_type = f'office:value-type="date" office:date-value="{value}"'
        else:
            of_type = f'office:value-type="float" office:value="{value}"'
        return f"<table:table-cell {of_type}><text:p>{value}</text:p></table:table-cell>"

    lines = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    names = "".join(f' xmlns:{name}="{OASIS}{name}:1.0"' for name in ("office", "table", "text"))
    names += f' xmlns:calcext="{CALCEXT}"'
    parts = {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{OASIS}manifest:1.0">'
        f"{manifest}</manifest:manifest>",
        "content.xml": f"<office:document-content{names}><office:body><office:spreadsheet>"
        f'<table:table table:name="S">{lines}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>",
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return content.getvalue()


CALCEXT = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"
OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
# How LibreOffice says that a part has a password.
ENCRYPTED = (
    '<manifest:file-entry manifest:full-path="content.xml">'
    "<manifest:encryption-data/></manifest:file-entry>"
)


def xls(rows, *, password=False):
    """A workbook of Excel 97 to 2003: records in a file of a compound file."""

    def record(number, content=b""):
        return struct.pack("<HH", number, len(content)) + content

    def begin(kind):
        return record(0x809, struct.pack("<HHHHII", 0x600, kind, 0, 1997, 0, 6))

    def cell(line, place, value):
        at = struct.pack("<HHH", line, place, 0)
        if isinstance(value, str):
            return record(0x204, at + struct.pack("<HB", len(value), 1) + value.encode("utf-16-le"))
        return record(0x203, at + struct.pack("<d", value))

    def entry(name, kind, child, start, size):
        text = f"{name}\0".encode("utf-16-le")
        links = struct.pack("<HBBIII", len(text), kind, 1, FREE, FREE, child)
        return text.ljust(64, b"\0") + links + bytes(36) + struct.pack("<IQ", start, size)

    cells = [
        cell(line, place, value)
        for line, row in enumerate(rows)
        for place, value in enumerate(row)
        if value is not None
    ]
    first = begin(5) + (record(0x2F, struct.pack("<H", 1) + bytes(52)) if password else b"")
    # The name of the sheet has one character.
    place_of_sheet = len(first) + 13 + 4
    first += record(0x85, struct.pack("<IBBBB", place_of_sheet, 0, 0, 1, 0) + b"S") + record(0xA)
    book = b"".join((first, begin(0x10), *cells, record(0xA)))
    # Smaller files would be stored in another way.
    book = book.ljust(-(-max(4096, len(book)) // 512) * 512, b"\0")
    sectors = len(book) // 512
    table = [0xFFFFFFFD, END, *range(3, 2 + sectors), END]
    table += [FREE] * (128 - len(table))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<5H6x9I", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, END, 0, END, 0)
    header += struct.pack("<109I", 0, *[FREE] * 108)
    folder = entry("Root Entry", 5, 1, END, 0) + entry("Workbook", 2, FREE, 2, len(book))
    return header + struct.pack("<128I", *table) + folder.ljust(512, b"\0") + book


FREE, END = 0xFFFFFFFF, 0xFFFFFFFE
SHEET = [["School list"], [], ["First name", "Surname", "Phone"], ["Zoë", "0007", 8010483043.0]]


@pytest.mark.parametrize(("form", "write"), [("ods", ods), ("xls", xls)])
def test_other_spreadsheets_are_read_as_well(form, write):
    _, [line] = read(write(SHEET), form=form)
    assert dict(line.cells) == {"first_name": "Zoë", "last_name": "0007", "phone": "8010483043"}
    assert (line.number, line.types) == (4, {"phone": "number"})


# Formulas, as `workbook` and `ods` write them.
MISSING, BROKEN = ("=NA()", None, "#N/A"), ("=#REF!", None, "#REF!")


@pytest.mark.parametrize(("form", "write"), [("xlsx", workbook), ("ods", ods)])
def test_an_error_in_a_cell_is_named_and_not_taken_for_an_empty_cell(form, write):
    rows = [
        ["First name", "Surname", "Class", "Remark", "Phone"],
        ["Ada", BROKEN, "4b", BROKEN, MISSING],
        ["Zoë", "x", "4b", MISSING, "0007"],
    ]
    _, [first, second] = read(write(rows), form=form)
    assert {name: list(map(worded, each)) for name, each in first.errors.items()} == {
        name: [
            f"This cell has an error: {error}. Correct it in the spreadsheet, and send the file"
            " again."
        ]
        for name, error in (("last_name", "#REF!"), ("phone", "#N/A"))
    }
    assert dict(first.cells) == {
        "first_name": "Ada",
        "last_name": "#REF!",
        "group": "4b",
        "phone": "#N/A",
    }
    # The column "Remark" is ignored.
    assert (second.errors, second.cells["phone"]) == ({}, "0007")


@pytest.mark.parametrize(("form", "write"), [("xlsx", workbook), ("ods", ods)])
def test_a_row_that_has_nothing_but_errors_is_empty(form, write):
    rows = [["First name", "Surname"], [MISSING, None], ["Ada", "Lovelace"], [MISSING, MISSING]]
    assert cells(write(rows), form=form) == [ADA]


PERCENT = kind(column("score", required=True), column("text"), column("n"))


@pytest.mark.parametrize(("form", "write"), [("xlsx", workbook), ("ods", ods)])
def test_a_percentage_is_read_as_the_sheet_shows_it(form, write):
    rows = [
        ["Score", "Text", "N"],
        *([Share(value), "50%", 0.5] for value in (1, 2, 0, 0.875, 0.07, 0.57, -0.5)),
        [MISSING, "50%", Share(1)],
    ]
    _, found = read(write(rows), PERCENT, form)
    shown = ["100%", "200%", "0%", "87.5%", "7%", "57%", "-50%"]
    assert [each.cells for each in found[:-1]] == [
        {"score": score, "text": "50%", "n": "0.5"} for score in shown
    ]
    assert found[-1].cells == {"score": "#N/A", "text": "50%", "n": "100%"}
    assert [*found[-1].errors] == ["score"]


@pytest.mark.parametrize(
    ("share", "means"),
    [
        *(("0.00%", "50%"), ("0.0 %", "50%"), ("[Red]-0%;0%", "50%"), ('0" of "%', "50%")),
        *(('0.0"%"', "0.5"), (r"0.0\%", "0.5"), ("0.00", "0.5"), ("General", "0.5")),
    ],
)
def test_a_number_format_says_whether_a_cell_is_a_percentage(share, means):
    content = workbook([["Score", "Text"], [Share(0.5), 7]], share=share)
    assert cells(content, PERCENT, "xlsx") == [{"score": means, "text": "7"}]


def raised_xlsx():
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        raised, lowered = (book.add_format({"font_script": each}) for each in (1, 2))
        bold = book.add_format({"bold": True})
        sheet.write_row(0, 0, ["Text", "N", "Remark"])
        sheet.write_rich_string(1, 0, "What is 5", raised, "2", "?")
        sheet.write(1, 1, 7, raised)
        sheet.write_rich_string(2, 0, "log", lowered, "2", bold, "8")
        sheet.write_string(3, 0, "2nd", raised)
        sheet.write_rich_string(4, 0, "What ", bold, "is", " 52?")
        sheet.write_rich_string(4, 2, "a", raised, "1")
    return content.getvalue()


def raised_ods():
    content = io.BytesIO()
    rows = "".join(
        '<table:table-row><table:table-cell office:value-type="string"'
        f"{attributes}>{inside}</table:table-cell></table:table-row>"
        for attributes, inside in (
            ("", "<text:p>Text</text:p>"),
            ("", '<text:p>What is 5<text:span text:style-name="T1">2</text:span>?</text:p>'),
            ("", '<text:p>log<text:span text:style-name="T2">2</text:span>8</text:p>'),
            (' table:style-name="T3"', "<text:p>2nd</text:p>"),
            (
                ' table:style-name="T1"',
                '<office:annotation><text:p><text:span text:style-name="T1">2</text:span></text:p>'
                "</office:annotation><text:p>What is "
                '<text:span text:style-name="T4">52</text:span>?</text:p>',
            ),
        )
    )
    styles = "".join(
        f'<style:style style:name="T{number}" style:family="{family}">'
        f'<style:text-properties style:text-position="{position}"/></style:style>'
        for number, family, position in (
            (1, "text", "super 58%"),
            (2, "text", "-33% 58%"),
            (3, "table-cell", "super"),
            (4, "text", "0% 100%"),
        )
    )
    with zipfile.ZipFile(io.BytesIO(ods([]))) as before, zipfile.ZipFile(content, "w") as after:
        for each in before.infolist():
            text = before.read(each).decode()
            text = text.replace(" xmlns:text", f' xmlns:style="{OASIS}style:1.0" xmlns:text')
            text = text.replace("<office:body>", f"{styles}<office:body>")
            text = text.replace("</table:table>", f"{rows}</table:table>")
            after.writestr(each, text)
    return content.getvalue()


@pytest.mark.parametrize(("form", "content"), [("xlsx", raised_xlsx()), ("ods", raised_ods())])
def test_a_text_with_raised_or_lowered_characters_has_this_type(form, content):
    of = kind(column("text", required=True), column("n"))
    _, found = read(content, of, form)
    assert [each.cells["text"] for each in found] == ["What is 52?", "log28", "2nd", "What is 52?"]
    assert [each.types.get("text") for each in found] == ["shifted", "shifted", "shifted", None]
    assert found[0].types.get("n") == ("number" if form == "xlsx" else None)


@pytest.mark.parametrize(
    ("shown", "value", "means"),
    [
        ("000", 7, "007"),
        ("000", 1234, "1234"),
        ("00000", 0, "00000"),
        ('0#" "##" "##" "##" "##', 612345678, "0612345678"),
        (r"00\-00 (00)", 12345, "012345"),
    ],
)
def test_zeros_that_a_number_format_shows_are_read(shown, value, means):
    """Without them, 7 could be the number of another pupil."""
    content = workbook([["Score", "Text"], [Share(value), 7]], share=shown)
    _, [line] = read(content, PERCENT, "xlsx")
    assert dict(line.cells) == {"score": means, "text": "7"}
    assert line.types == {"text": "number"}


@pytest.mark.parametrize(
    ("shown", "value", "means"),
    [
        ("000", 7.5, "7.5"),
        ("000", -7, "-7"),
        ("0", 7, "7"),
        ("##0", 7, "7"),
        ("0.00", 7, "7"),
        ("General", 7, "7"),
    ],
)
def test_other_number_formats_change_no_number(shown, value, means):
    content = workbook([["Score"], [Share(value)]], share=shown)
    _, [line] = read(content, PERCENT, "xlsx")
    assert (dict(line.cells), line.types) == ({"score": means}, {"score": "number"})


def test_zeros_that_an_opendocument_spreadsheet_shows_are_read():
    cells_of_row = "".join(
        f'<table:table-cell office:value-type="float" office:value="{value}">'
        f"<text:p>{shown}</text:p></table:table-cell>"
        for value, shown in ((7, "007"), (612345678, "06 12 34 56 78"), (0, "0.00"))
    )
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(ods([["Text", "Score", "N"]]))) as before,
        zipfile.ZipFile(content, "w") as after,
    ):
        for each in before.infolist():
            text = before.read(each).decode()
            text = text.replace(" xmlns:text", f' xmlns:number="{OASIS}datastyle:1.0" xmlns:text')
            style = '<number:number number:min-integer-digits="3"/>'
            text = text.replace("<office:body>", f"{style}<office:body>")
            row = f"<table:table-row>{cells_of_row}</table:table-row></table:table>"
            after.writestr(each, text.replace("</table:table>", row))
    _, [line] = read(content.getvalue(), PERCENT, "ods")
    assert dict(line.cells) == {"text": "007", "score": "0612345678", "n": "0"}
    assert line.types == {"n": "number"}


@pytest.mark.parametrize(("form", "write"), [("xlsx", workbook), ("ods", ods), ("xls", xls)])
def test_a_number_of_more_than_15_digits_is_wrong(form, write):
    rows = [
        ["First name", "Surname", "Phone", "Remark"],
        ["Ada", "Lovelace", 999999999999999.0, 123456789012345678.0],
        ["Zoë", "x", 1234567890123456.0, "x"],
        ["Zoë", "x", "1234567890123456", "x"],
    ]
    _, lines = read(write(rows), form=form)
    message = (
        "Spreadsheets change the last digits of a number with more than 15 digits. Format the cell"
        " as text, and enter the number again."
    )
    assert [line_errors(each) for each in lines] == [{}, {"phone": [message]}, {}]
    assert [each.cells["phone"] for each in lines][::2] == ["999999999999999", "1234567890123456"]


def test_a_text_like_an_error_stays_a_text():
    _, [line] = read(workbook([["First name", "Surname"], ["Ada", "#N/A"]]), form="xlsx")
    assert (line.errors, line.cells["last_name"]) == ({}, "#N/A")


def test_cells_of_an_opendocument_spreadsheet_may_stand_for_several():
    """Here each empty cell stands for three."""
    rows = [["First name", "Surname", None, "Phone"], ["Ada", "x", None, MISSING]]
    _, [line] = read(ods(rows), form="ods")
    assert (list(line.errors), line.cells["phone"]) == (["phone"], "#N/A")


def test_a_workbook_that_is_not_well_formed_is_still_read():
    """The library that reads workbooks is more patient than the parser that finds errors."""
    whole = workbook([["First name", "Surname"], ["Ada", MISSING], ["Zoë", "x"]])
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as before, zipfile.ZipFile(content, "w") as after:
        for each in before.infolist():
            text = before.read(each)
            if each.filename.startswith("xl/worksheets/"):
                text = text.replace(b'<row r="3"', b'<row r="3" x="1" x="2"')
            after.writestr(each, text)
    _, [ada, zoe] = read(content.getvalue(), form="xlsx")
    assert (list(ada.errors), zoe.errors) == (["last_name"], {})


def test_a_text_of_an_old_workbook_may_end_with_nul():
    assert cells(xls([["First name\0", "Surname"], ["Ada\0", "Lovelace"]]), form="xls") == [ADA]


def test_a_long_first_line_is_read_in_one_go():
    """If all of it were compared with each header, this would take a minute."""
    content = "é x-" * 500_000 + "\nFirst name,Surname\nAda,Lovelace\n"
    assert cells(content) == [ADA]


def test_a_day_in_an_opendocument_spreadsheet_is_in_iso_form():
    [found] = cells(ods([*SHEET[2:3], ["Ada", "x", date(2026, 3, 1), None]]), form="ods")
    assert found["phone"] == "2026-03-01"


@pytest.mark.parametrize(
    ("form", "content"),
    [("ods", ods(SHEET, manifest=ENCRYPTED)), ("xls", xls(SHEET, password=True))],
)
def test_other_spreadsheets_with_a_password_say_so(form, content):
    with pytest.raises(Unreadable, match=r"This workbook has a password\.") as raised:
        read(content, form=form)
    assert raised.value.is_rejected


def test_rows_and_columns_above_and_beside_a_table_do_not_count():
    rows = [[], [], [None, None, "First name", "Surname"], [], [None, None, "Ada", "Lovelace"]]
    _, [line] = read(workbook(rows), form="xlsx")
    assert (dict(line.cells), line.number) == (ADA, 5)


def test_a_header_of_two_merged_lines_counts_as_one():
    rows = [
        ["Pupil", None, "E-mail", "Parent", None],
        ["Surname", "Other names", None, "Name", "E-mail"],
        ["Lovelace", "Ada", "a@b.example", "Lord Byron", "p@b.example"],
    ]
    spans = [(0, 0, 0, 1, "Pupil"), (0, 2, 1, 2, "E-mail"), (0, 3, 0, 4, "Parent")]
    found, [line] = read(workbook(rows, merged=spans), form="xlsx")
    assert dict(line.cells) == {**ADA, "email": "a@b.example"}
    assert found.ignored == ["Parent Name", "Parent E-mail"]


def test_a_parents_address_below_a_merged_cell_is_not_that_of_the_pupil():
    rows = [
        ["Pupil", None, "Parent"],
        ["Surname", "Other names", "E-mail"],
        ["Lovelace", "Ada", "p@b.example"],
    ]
    spans = [(0, 0, 0, 1, "Pupil")]
    assert cells(workbook(rows, merged=spans), form="xlsx") == [ADA]


def test_two_lines_of_a_text_file_can_be_the_header():
    content = "Pupil,,Class,E-mail\nSurname,Other names,,\nLovelace,Ada,6B,a@b.example\n"
    assert cells(content) == [{**ADA, "group": "6B", "email": "a@b.example"}]


def test_a_line_above_the_header_is_no_part_of_it():
    rows = [["St. Mary’s, list", None], ["First name", "Surname"], ["Ada", "Lovelace"]]  # noqa: RUF001
    found, _ = read(workbook(rows, merged=[(0, 0, 0, 1, "St. Mary's")]), form="xlsx")
    assert [*found.columns] == ["First name", "Surname"]


def test_a_missing_column_is_named_with_the_line_that_came_closest():
    text = problem("School list\nEmail,First name,Town\na@b.example,Ada,London\n")
    assert "Line 2 came closest: Email | First name | Town" in text
    assert "last_name" in text
    assert "first_name" not in text
    assert "/imports/templates/pupils/" in text


def test_a_name_in_one_column_cannot_be_split():
    text = problem("No,Name,E-mail\n1,Ada Lovelace,a@b.example\n")
    assert "“Name” can't be split" in text
    assert "first_name, last_name" in text


@pytest.mark.parametrize("content", ["", "\n\n", ",,\n,\n"])
def test_a_file_without_rows_says_so(content):
    assert problem(content).startswith("This file has no rows.")


def test_an_empty_workbook_says_so():
    assert problem(workbook([]), form="xlsx").startswith("This file has no rows.")


NICKNAMES = "first_name,last_name,group,Nickname\n"


@pytest.mark.parametrize(
    "content",
    [
        'Ann,Bee,6B,Anny\nBob,Two,6B,"Bobby\nCid,Dee,6B,Cid\nDan,X,6B,Danny\n',
        'Ann,Bee,6B,Anny\nBob,Two,6B,"Bobby',
        'Ann,Bee,6B,Anny\n"Bob,Two,6B,Bobby\n',
        'Ann,Bee,6B,Anny\nBob,Two,6B,"\n',
    ],
)
def test_a_quote_that_is_open_at_the_end_of_the_file_is_an_error(content):
    assert problem(NICKNAMES + content) == "Line 3 can't be read. Is a quote missing?"


def test_a_missing_quote_below_the_first_lines_is_found_too():
    content = NICKNAMES + "Ann,Bee,6B,Anny\n" * 50 + 'Bob,Two,6B,"Bobby\n'
    assert problem(content) == "Line 52 can't be read. Is a quote missing?"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("content", "last"),
    [
        # The two wrong quotes are both before a value.
        ('Bob,Two,6B,"Bobby\nCid,Dee,6B,Cid\nDan,X,6B,"Danny\n', 4),
        ('"Bob,Two,6B,Bobby\n"Cid,Dee,6B,Cid\n', 3),
        # One is before a value, and the other one after a value.
        ('Bob,Two,6B,"Bobby\nCid,Dee,6B,Cid\nDan,X,6B,Danny"\n', 4),
        ('Bob,Two,6B,"Bobby\nDan,X,6B,Danny"\n', 3),
        ('"Bob,Two,6B,Bobby\nDan",X,6B,Danny\n', 3),
        ('Bob,"Two,6B,Bobby\nCid,Dee,6B,\nDan,X",6B,Danny\n', 4),
    ],
)
def test_lines_that_a_wrong_quote_joins_are_wrong(content, last, separator):
    """The column “Nickname” is ignored."""
    content = f"{NICKNAMES}{content}Eve,Y,6B,Eve\n".replace(",", separator)
    _, [wrong, right] = read(content)
    assert line_errors(wrong) == {
        "line": [
            f"The lines 2 to {last} are read as one, because a quote joins them. Correct the quote."
            " If it is right, remove the line breaks."
        ]
    }
    assert (right.number, right.errors) == (last + 1, {})


@pytest.mark.parametrize(
    "text",
    [
        "What is\nit?",
        "Which of 1, 2, 3, 4, 5 and 6\nis prime?",
        "Look:\n1, 2, 3, 4, 5, 6\n\n7, 8, 9, 10, 11, 12\n",
        "A point \\((1,2)\\),\na point \\((3,4)\\) and\na comma, x",
        'He said: ""Yes"",\r\nand left.',
    ],
)
@pytest.mark.parametrize("place", [0, 2, 5])
def test_line_ends_and_commas_in_quotes_are_a_part_of_the_value(text, place):
    of = kind(*(column(each, required=True) for each in "abcdef"))
    values = ["x"] * 5
    values.insert(place, f'"{text}"')
    _, [line, after] = read(f"a,b,c,d,e,f\n{','.join(values)}\n1,2,3,4,5,6\n", of)
    assert line.errors == {}
    assert line.cells["abcdef"[place]] == text.replace('""', '"').strip()
    assert (after.errors, after.cells["f"]) == ({}, "6")


def test_a_row_of_ignored_columns_stays_a_row():
    _, lines = read("S/N,First name,Surname\n1,Ada,Lovelace\nTotal,,\n")
    assert [(each.number, dict(each.cells)) for each in lines] == [(2, ADA), (3, {})]


def test_numbered_columns():
    of = kind(column("email", required=True), column("answers", required=True), numbered="answers")
    content = "email,1,2,03,x\na@b.example,A,,C,D\n"
    assert cells(content, of) == [{"email": "a@b.example", "1": "A", "3": "C"}]
    content = "email,Q1,Q.2,Question 03,Question\na@b.example,A,B,C,D\n"
    assert cells(content, of) == [{"email": "a@b.example", "1": "A", "2": "B", "3": "C"}]
    assert "answers" in problem("email,x\na@b.example,A\n", of)


def test_spaces_at_the_ends_of_answers_stay():
    of = kind(column("email", required=True), column("answers", required=True), numbered="answers")
    content = "email,answers\n a@b.example , BC \nb@b.example,   \n"
    assert cells(content, of) == [
        {"email": "a@b.example", "answers": " BC "},
        {"email": "b@b.example"},
    ]


def test_one_of_several_columns_is_enough():
    of = kind(
        column("percent", required=True),
        column("email"),
        column("candidate_id"),
        one_of=("candidate_id", "email"),
    )
    assert cells("email,percent\na@b.example,25\n", of) == [
        {"email": "a@b.example", "percent": "25"}
    ]
    assert "no column candidate_id / email." in problem("school,percent\nx,25\n", of)


# The files that people really have.


def test_a_class_list_with_a_title_and_merged_cells():
    found, lines = read((FILES / "school-200-merged-header.xlsx").read_bytes(), form="xlsx")
    assert found.columns == {
        "Pupil SURNAME": "last_name",
        "Pupil Other names": "first_name",
        "Class": "group",
        "E-mail": "email",
        "Tel.": "phone",
    }
    assert found.ignored == ["S/N", "Date of birth", "Parent / guardian (e-mail)"]
    # 200 pupils in the lines 5 to 204, and a total.
    assert [each.number for each in lines] == [*range(5, 205), 206]
    assert dict(lines[0].cells) == {
        "last_name": "GARCÍA MÁRQUEZ",
        "first_name": "Emeka",
        "group": "SS1B",
        "email": "pupil001@sheet.example",
        "phone": "+234 802 058 2095",
    }
    assert dict(lines[-1].cells) == {}
    # This number has lost its zero, because the spreadsheet stores it as a number.
    assert (lines[2].cells["phone"], lines[2].types) == ("8010483043", {"phone": "number"})


def test_a_french_file_in_windows_1252_with_semicolons():
    content = (FILES / "excel-french-semicolon-cp1252.csv").read_bytes()
    of = kind(*PEOPLE, column("school", "Établissement", required=True))
    found, lines = read(content, of)
    assert found.columns == {
        "Adresse e-mail": "email",
        "Nom": "last_name",
        "Prénom": "first_name",
        "Établissement": "school",
        "Téléphone": "phone",
    }
    assert found.ignored == ["Né(e) le"]
    assert len(lines) == 25
    assert dict(lines[0].cells) == {
        "email": "xpupil001@sheet.example",
        "last_name": "García Márquez",
        "first_name": "Emeka",
        "school": "Lycée Émile Zola; Cotonou",
        "phone": "06.12.34.56.78",
    }
    assert lines[9].cells["last_name"] == "wa Thiong’o"  # noqa: RUF001
    assert not any(each.warnings for each in lines)


def test_a_file_that_names_its_separator_and_protects_its_numbers():
    content = (FILES / "excel-sep-line.csv").read_bytes()
    of = kind(*PEOPLE, column("school", required=True))
    found, lines = read(content, of)
    assert [*found.columns] == ["email", "first name", "Last-Name", "SCHOOL", "phone"]
    assert [each.number for each in lines] == [*range(3, 13)]
    assert lines[0].cells["phone"] == "+234 802 058 2095"
    assert "phone" not in lines[1].cells
    assert lines[2].cells["phone"] == "08010483043"
    assert lines[8].cells["last_name"] == "Ńnọ̀ŕọ̀m"


def test_a_registration_with_names_in_one_column_is_not_split():
    text = problem((FILES / "competition-registration.csv").read_bytes())
    assert "Line 1 is the header, but its column “Name” can't be split" in text
