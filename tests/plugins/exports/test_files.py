"""The files of all exports: formats, names, the audit trail, and one at a time."""

import logging

import pytest
from sqlalchemy import func, select

from competition.core.audit import AuditEntry
from competition.core.users.models import USERS
from competition.core.work import begin
from competition.plugins.exports.services import formats, writing
from competition.plugins.exports.services.names import SchoolNames, file_name
from competition.plugins.exports.services.writing import Turn
from tests.support.exported import lines, sheet

CANDIDATES = "/exports/candidates/"
FULL_WIDTH = ["\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20x"]
RISKY = ["=1+1", "+1", "-1", "@x", "'x", "'", *FULL_WIDTH]


def entries(app):
    with begin(app.runtime) as work:
        found = select(AuditEntry).where(AuditEntry.action == "table.export")
        return work.db.scalars(found.order_by(AuditEntry.id)).all()


# --- CSV and XLSX


def test_a_text_that_a_spreadsheet_would_change_gets_an_apostrophe(app, admin):
    for text in RISKY:
        app.candidate(first_name=text)
    reply = admin.get(f"{CANDIDATES}?ordering=date_joined", status=200)
    assert {row["first_name"] for row in lines(reply)} == {f"'{text}" for text in RISKY}
    assert reply.body.count(b"\r\n") == len(RISKY) + 1
    assert reply.charset.lower() == "utf-8"


@pytest.mark.parametrize("text", ["\tx", "\rx", "\nx"])
def test_a_tab_and_line_ends_get_an_apostrophe(text):
    assert formats.quoted(text) == f"'{text}"


@pytest.mark.parametrize("value", [-5, 87.5, None, "5", "a=b"])
def test_numbers_and_harmless_texts_stay(value):
    assert formats.quoted(formats.cell(value)) == value


def test_in_a_spreadsheet_texts_are_strings_and_numbers_are_numbers(app, admin):
    app.candidate(first_name="=1+1", last_name="http://x.example", school="007")
    reply = admin.get(f"{CANDIDATES}?format=xlsx", status=200)
    header, row = sheet(reply.body)
    assert (header["A"], row["A"], row["B"], row["C"]) == (
        "first_name",
        "=1+1",
        "http://x.example",
        "007",
    )
    assert reply.headers["Content-Disposition"].endswith('.xlsx"')


def test_a_spreadsheet_has_at_most_20000_rows(app, admin, monkeypatch):
    assert formats.FORMATS["xlsx"].most_rows == 20_000
    monkeypatch.setitem(
        formats.FORMATS, "xlsx", formats.Format("xlsx", "text/csv", formats.write_xlsx, 2)
    )
    for count, status in ((2, 200), (3, 400)):
        while len(lines(admin.get(CANDIDATES))) < count:
            app.candidate()
        reply = admin.get(f"{CANDIDATES}?format=xlsx", status=status)
    assert [*reply.json["errors"]] == ["format"]
    # A file that was not written is not in the audit trail.
    assert [each.new["format"] for each in entries(app)].count("xlsx") == 1


def test_a_text_that_no_cell_can_hold_is_rejected(app, manager):
    with begin(app.runtime) as work:
        row = {"action": "long", "new": "x" * 40_000, "request_id": "-", "created_at": work.now}
        work.db.add(AuditEntry(**row))
    manager.get("/exports/audit/?action=long&format=xlsx", status=400, code="invalid")
    assert len(lines(manager.get("/exports/audit/?action=long"))[0]["new"]) == 40_000


def test_an_unknown_format_is_rejected(admin):
    for query in ("format=gift", "format=pdf", "format="):
        admin.get(f"{CANDIDATES}?{query}", status=400, code="invalid")


# --- Names


def test_a_file_name_has_kind_subject_and_date(app, admin):
    reply = admin.get(CANDIDATES, status=200)
    name = f"candidates-{app.clock.now.date()}.csv"
    assert reply.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert int(reply.headers["Content-Length"]) == len(reply.body)
    day = app.clock.now.date()
    assert file_name("results", "exam 7", day, "zip") == f"results-exam-7-{day}.zip"


def test_names_of_schools_are_names_of_files():
    names = SchoolNames("csv")
    schools = ["a", "A", "../../etc", "C:\\x", "", " . ", "é" * 300, "学" * 100]
    assert [names.name(each) for each in schools] == [
        "a.csv",
        "A (2).csv",
        "-..-etc.csv",
        "C-x.csv",
        "no school.csv",
        "no school (2).csv",
        f"{'é' * 100}.csv",
        f"{'学' * 80}.csv",
    ]


@pytest.mark.parametrize(
    ("school", "name"),
    [
        ("CON", "_CON.csv"),
        ("Nul. ", "_Nul.csv"),
        ("Aux. Academy", "_Aux. Academy.csv"),
        ("com1", "_com1.csv"),
        ("LPT²", "_LPT².csv"),
        ("conin$", "_conin$.csv"),
        ("Prn .", "_Prn.csv"),
        # Windows reserves none of these.
        ("Conrad", "Conrad.csv"),
        ("Con School", "Con School.csv"),
        ("com12", "com12.csv"),
    ],
)
def test_no_file_of_a_school_has_the_name_of_a_device(school, name):
    assert SchoolNames("csv").name(school) == name


# --- The audit trail and the security log


def test_an_export_is_in_the_audit_trail_and_in_the_security_log(app, admin, caplog):
    app.candidate()
    with caplog.at_level(logging.INFO, "competition.security"):
        admin.get(f"{CANDIDATES}?role=screening&format=csv", status=200)
    [entry] = entries(app)
    assert entry.actor_id == admin.id
    filters = {"role": "screening"}
    assert entry.new == {"table": "candidates", "format": "csv", "filters": filters, "rows": 1}
    assert any("event=table_exported" in line and "rows=1" in line for line in caplog.messages)


# --- One at a time


def test_one_export_of_a_process_runs_at_a_time(app):
    boss = app.staff("superadmin")
    with app.runtime.part(Turn).lock:
        reply = boss.get(CANDIDATES, status=503, code="service_unavailable")
        assert int(reply.headers["Retry-After"]) > 0
    boss.get(CANDIDATES, status=200)


def test_a_rejected_export_ends_its_turn(app, admin):
    admin.get("/exports/leaderboard/screening/1/", status=404)
    admin.get(CANDIDATES, status=200)


# --- One snapshot of the database


def test_a_file_is_of_one_snapshot_and_is_read_in_parts(live, monkeypatch):
    """A candidate who registers while the file is written is not in it."""
    monkeypatch.setattr(writing, "ROWS_AT_A_TIME", 2)
    admin = live.staff("admin")
    for _ in range(5):
        live.candidate()
    seen = []
    found = writing.rows_of

    def rows(work, table, query):
        before = work.db.scalar(select(func.count()).select_from(USERS))
        live.candidate()
        seen.append(before == work.db.scalar(select(func.count()).select_from(USERS)))
        return found(work, table, query)

    monkeypatch.setattr(writing, "rows_of", rows)
    assert len(lines(admin.get(CANDIDATES, status=200))) == 5
    assert seen == [True]
    assert len(lines(admin.get(CANDIDATES, status=200))) == 6


def test_a_link_downloads_an_export(app, admin):
    link = admin.post("/downloads/links/", {"path": CANDIDATES}, status=201).json["url"]
    reply = app.http.get(link.partition("league.example")[2], status=200)
    assert reply.content_type == "text/csv"
