"""Upload, check, apply and cancel (organisers.md, O1)."""

import csv
import hashlib
import io
import zipfile
from dataclasses import replace
from datetime import date

import pytest
import xlsxwriter
from sqlalchemy import func, select, update

from competition.core.errors import StorageUnavailable
from competition.core.jobs.models import Job
from competition.core.storage.contract import Storage
from competition.core.storage.models import File
from competition.core.users import personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.imports.models import Import, ImportRow
from competition.plugins.imports.services.reading import formats, headers, tables
from tests.support.dead_workers import take_and_die_until_it_is_given_up
from tests.support.imports import apply, check, rows, send

HEADER = "first_name,last_name,school,email\n"
ADA = "Ada,Lovelace,Hillside School,ada@x.example\n"
ALAN = "Alan,Turing,Hillside School,alan@x.example\n"
WRONG = "Emmy,Noether,Hillside School,no address\n"


def workbook(count=1, width=4):
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for place, text in enumerate(HEADER.strip().split(",")):
            sheet.write_string(0, place, text)
        for line in range(1, count + 1):
            for place in range(width):
                sheet.write_string(line, place, "x")
    return content.getvalue()


def stored(app, model):
    with begin(app.runtime) as work:
        return work.db.scalar(select(func.count()).select_from(model))


def accounts(app):
    with begin(app.runtime) as work:
        return {*work.db.scalars(select(User.email))}


def test_an_upload_is_checked_in_the_background_and_then_applied(app, manager):
    sent = send(manager, "candidates", HEADER + ADA + ALAN, "class\x07 list.csv")
    assert sent["status"] == "checking"
    assert sent["filename"] == "class list.csv"
    assert sent["counts"]["rows"] == 0
    app.run_jobs()
    found = manager.get(f"/imports/{sent['id']}/").json
    assert found["status"] == "checked"
    assert found["progress"] == {"done": 2, "total": 2}
    assert found["counts"] == {
        "rows": 2,
        "new": 2,
        "changed": 0,
        "unchanged": 0,
        "invalid": 0,
        "applied": 0,
    }
    assert (found["kind"], found["format"], found["exam"]) == ("candidates", "csv", None)
    assert found["columns"] == {name: name for name in HEADER.strip().split(",")}
    assert found["created_by"]["user"]["id"] == str(manager.id)
    assert (found["applied_by"], found["applied_at"], found["detail"]) == (None, None, None)
    assert "ada@x.example" not in accounts(app)
    first, _ = rows(manager, found)
    assert first == {
        "line": 2,
        "state": "new",
        "values": {
            "first_name": "Ada",
            "last_name": "Lovelace",
            "school": "Hillside School",
            "email": "ada@x.example",
        },
        "before": {},
        "errors": {},
        "warnings": [],
    }
    found = apply(app, manager, found)
    assert (found["status"], found["counts"]["applied"]) == ("applied", 2)
    assert found["applied_by"]["user"]["id"] == str(manager.id)
    assert found["applied_at"] is not None
    assert "ada@x.example" in accounts(app)
    [entry] = manager.get("/audit/?action=import.apply").json["results"]
    assert entry["subject"] == f"import {found['id']}"
    assert entry["new"]["counts"]["applied"] == 2


PEOPLE = "email,first_name,last_name,school\n"


@pytest.mark.parametrize(
    ("kind", "content", "count"),
    [
        ("candidates", HEADER + ADA + "Alan,Turing,Hillside School,\n" + WRONG, 1),
        ("candidates", HEADER + "Alan,Turing,Hillside School,\n", 0),
        ("staff", f"{PEOPLE}ada@x.example,Ada,Lovelace,\nknown@x.example,Kurt,Known,\n", 1),
        ("teachers", f"{PEOPLE}ada@x.example,Ada,L,West\nknown@x.example,Kurt,Known,West\n", 1),
    ],
)
def test_an_import_says_how_many_new_people_get_an_email(app, manager, kind, content, count):
    app.staff("volunteer", email="known@x.example")
    manager.post("/schools/", {"name": "West"}, status=201)
    assert send(manager, kind, content)["invitations"] == 0
    found = check(app, manager, kind, content)
    assert found["invitations"] == count
    before = len(app.mails())
    applied = apply(app, manager, found, invalid="skip")
    assert (applied["status"], applied["invitations"]) == ("applied", count)
    assert len(app.mails()) - before == count


def test_the_file_is_deleted_once_it_is_checked(app, manager):
    before = stored(app, File)
    send(manager, "candidates", HEADER + ADA)
    assert stored(app, File) == before + 1
    app.run_jobs()
    assert stored(app, File) == before


def test_a_failed_import_offers_the_columns_of_its_header(app, manager):
    content = "Schulliste 2026;;;\nVorname;Nachname;School;E-mail\nAda;Lovelace;Hillside School;\n"
    found = check(app, manager, "candidates", content)
    assert found["status"] == "failed"
    assert found["columns"] == {"School": "school", "E-mail": "email"}
    assert found["ignored_columns"] == ["Vorname", "Nachname"]
    named = '{"Vorname": "first_name", "Nachname": "last_name"}'
    assert check(app, manager, "candidates", content, columns=named)["counts"]["new"] == 1


def test_without_a_known_column_the_line_with_most_texts_is_offered(app, manager):
    content = "Schulliste, 2026\nVorname;Nachname;Schule\nAda;Lovelace;Hillside School\n"
    found = check(app, manager, "candidates", content)
    assert found["ignored_columns"] == ["Vorname", "Nachname", "Schule"]


def test_the_kinds_that_the_caller_may_import_have_their_columns(manager, moderator):
    assert [each["name"] for each in moderator.get("/imports/kinds/").json["results"]] == [
        "questions"
    ]
    kinds = {each["name"]: each for each in manager.get("/imports/kinds/").json["results"]}
    assert {*kinds} >= {"candidates", "staff", "questions", "scores", "answers", "allowances"}
    school = kinds["candidates"]["fields"][2]
    assert (school["name"], school["is_required"]) == ("school", True)
    assert "Établissement" in school["headers"]
    assert kinds["scores"]["endings"] == ["csv", "tsv", "txt", "xlsx", "ods", "xls"]
    assert kinds["questions"]["formats"][-3:] == ["gift", "aiken", "moodle_xml"]
    assert [kinds[name]["exam"] for name in ("candidates", "questions", "answers")] == [
        None,
        "optional",
        "required",
    ]
    assert (kinds["answers"]["numbered"], kinds["scores"]["numbered"]) == ("answers", None)
    accounts = {
        name: (each["invites"], each["creates_without_email"])
        for name, each in kinds.items()
        if each["invites"] or each["creates_without_email"]
    }
    assert accounts == {
        "candidates": ("optional", True),
        "staff": ("optional", False),
        "teachers": ("always", False),
    }


def test_rows_can_be_filtered_by_state(app, manager):
    found = check(app, manager, "candidates", HEADER + ADA + WRONG)
    [row] = rows(manager, found, "invalid")
    assert (row["line"], [*row["errors"]]) == (3, ["email"])
    assert row["values"]["email"] == "no address"
    manager.get(f"/imports/{found['id']}/rows/?state=other", status=400)
    path = f"/imports/{found['id']}/rows/"
    listed = manager.get(f"{path}?search=LOVELACE&ordering=-line").json["results"]
    assert [each["line"] for each in listed] == [2]


def test_messages_are_in_the_language_of_the_reader(app, manager):
    found = check(app, manager, "candidates", HEADER + ADA + ",,Total,\n")
    french = {"Accept-Language": "fr"}
    [row] = manager.get(f"/imports/{found['id']}/rows/?state=invalid", headers=french).json[
        "results"
    ]
    assert row["errors"]["line"][0].startswith("Cette ligne")


def test_invalid_rows_are_refused_or_skipped(app, manager):
    found = check(app, manager, "candidates", HEADER + ADA + WRONG)
    path = f"/imports/{found['id']}/apply/"
    for body in (None, {}, {"invalid": "refuse"}):
        refused = manager.post(path, body, status=400, code="invalid")
        assert [*refused.json["errors"]] == ["invalid"]
    assert apply(app, manager, found, invalid="skip")["counts"]["applied"] == 1


def test_a_number_or_class_that_a_spreadsheet_stores_as_a_date_is_a_warning(app, manager):
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        header = ("first_name", "last_name", "school", "external_id", "group", "verified")
        sheet.write_row(0, 0, header)
        sheet.write_row(1, 0, ["Ada", "Lovelace", "Hillside School", "1/3/26", "6b", True])
        sheet.write_row(2, 0, ["Alan", "Turing", "Hillside School"])
        day = book.add_format({"num_format": "dd/mm/yyyy"})
        sheet.write_datetime(2, 3, date(2026, 3, 1), day)
        sheet.write_datetime(2, 4, date(2026, 2, 6), day)
        sheet.write(2, 5, True)
    ada, alan = rows(manager, check(app, manager, "candidates", content.getvalue(), "list.xlsx"))
    assert (ada["state"], ada["warnings"]) == ("new", [])
    assert (alan["state"], alan["values"]["external_id"]) == ("new", "2026-03-01")
    assert alan["warnings"] == [
        f"The spreadsheet stores {name} as {value}. Is that what you have typed?"
        for name, value in (("external_id", "2026-03-01"), ("group", "2026-02-06"))
    ]


def test_a_character_that_cannot_be_read_is_a_warning(app, manager):
    """No character of Windows-1252 has the byte 0x81."""
    content = (HEADER + ADA).encode() + ALAN.replace("Alan", "Jos").encode("cp1252")
    ada, jos = rows(manager, check(app, manager, "candidates", content.replace(b"Jos", b"Jos\x81")))
    assert (ada["state"], ada["warnings"]) == ("new", [])
    assert (jos["state"], jos["values"]["first_name"]) == ("new", "Jos\ufffd")
    assert jos["warnings"] == [
        "first_name has a character that can't be read (\ufffd). Correct the cell, or save the file"
        " as UTF-8, and send it again."
    ]


def test_letters_that_another_encoding_may_have_made_are_a_warning(app, manager):
    content = (HEADER + "Ayşe,Kaya,Hillside School,ayse@x.example\n" + ALAN).encode("cp1254")
    found = check(app, manager, "candidates", content)
    ayse, alan = rows(manager, found)
    assert (ayse["state"], ayse["values"]["first_name"]) == ("new", "Ayþe")
    assert ayse["warnings"] == [
        "Is “Ayþe” right? The file is not UTF-8, so letters may be wrong. If they are, save the"
        " file as UTF-8 (in Excel: CSV UTF-8), and send it again."
    ]
    assert alan["warnings"] == []
    assert apply(app, manager, found)["status"] == "applied"


def test_a_comma_in_a_text_without_quotes_makes_the_row_invalid(app, manager):
    content = "first_name,last_name,school\nAnn,Bee,St. Mary, Lagos\nAda,Lovelace,Hillside School\n"
    found = check(app, manager, "candidates", content)
    ann, ada = rows(manager, found)
    assert (ann["state"], ada["state"]) == ("invalid", "new")
    assert ann["errors"] == {
        "line": [
            "This line has 4 values, the header has 3. If a value contains a comma, write it in"
            " quotes."
        ]
    }
    assert apply(app, manager, found, invalid="skip")["counts"]["applied"] == 1


def test_an_applied_import_is_returned_as_it_is(app, manager):
    found = check(app, manager, "candidates", HEADER + ADA)
    path = f"/imports/{found['id']}/apply/"
    assert manager.post(path, {}, status=202).json["status"] == "applying"
    assert manager.post(path, {}, status=202).json["status"] == "applying"
    app.run_jobs()
    assert manager.post(path, {}, status=202).json["status"] == "applied"
    assert app.run_jobs() == 0


def test_an_import_that_is_not_checked_cannot_be_applied(app, manager):
    sent = send(manager, "candidates", HEADER + ADA)
    manager.post(f"/imports/{sent['id']}/apply/", {}, status=400, code="invalid")


def test_the_same_file_again_changes_nothing(app, manager):
    apply(app, manager, check(app, manager, "candidates", HEADER + ADA + ALAN))
    again = check(app, manager, "candidates", HEADER + ADA + ALAN)
    assert again["counts"]["unchanged"] == 2
    assert apply(app, manager, again)["counts"]["applied"] == 0


def test_a_row_that_would_do_something_else_by_now_fails_the_import(app, manager):
    found = check(app, manager, "candidates", HEADER + ALAN + ADA)
    app.candidate(email="ada@x.example", first_name="Ada", last_name="Byron")
    found = apply(app, manager, found)
    assert found["status"] == "failed"
    assert "line 3" in found["detail"]
    assert found["counts"]["applied"] == 0
    assert "alan@x.example" not in accounts(app)


@pytest.mark.parametrize("change", [{"role": "admin"}, {"is_active": False}])
def test_a_creator_without_the_rank_cannot_apply_any_longer(app, manager, change):
    found = check(app, manager, "candidates", HEADER + ADA)
    manager.post(f"/imports/{found['id']}/apply/", {}, status=202)
    with begin(app.runtime) as work:
        work.db.execute(update(User).where(User.id == manager.id).values(**change))
    app.run_jobs()
    other = app.staff("superadmin")
    found = other.get(f"/imports/{found['id']}/").json
    assert found["status"] == "failed"
    assert found["detail"]
    assert "ada@x.example" not in accounts(app)


def test_two_uploads_at_once_are_two_imports(app, manager):
    one, other = (send(manager, "candidates", HEADER + each) for each in (ADA, ADA))
    app.run_jobs()
    found = manager.get("/imports/").json["results"]
    assert [each["id"] for each in found] == [other["id"], one["id"]]
    for each, status in ((one, "applied"), (other, "failed")):
        assert apply(app, manager, each)["status"] == status


def test_a_cancelled_import_has_no_rows(app, manager):
    found = check(app, manager, "candidates", HEADER + ADA)
    for _ in range(2):
        manager.delete(f"/imports/{found['id']}/", status=204)
    assert manager.get(f"/imports/{found['id']}/").json["status"] == "cancelled"
    assert rows(manager, found) == []
    manager.post(f"/imports/{found['id']}/apply/", {}, status=400)


def test_an_import_is_cancelled_while_it_is_checked(app, manager):
    sent = send(manager, "candidates", HEADER + ADA)
    manager.delete(f"/imports/{sent['id']}/", status=204)
    app.run_jobs()
    assert manager.get(f"/imports/{sent['id']}/").json["status"] == "cancelled"
    assert rows(manager, sent) == []


def test_an_applied_import_cannot_be_cancelled(app, manager):
    found = check(app, manager, "candidates", HEADER + ADA)
    manager.post(f"/imports/{found['id']}/apply/", {})
    manager.delete(f"/imports/{found['id']}/", status=400, code="invalid")
    app.run_jobs()
    manager.delete(f"/imports/{found['id']}/", status=400, code="invalid")


@pytest.mark.parametrize("step", ["check", "apply"])
def test_when_every_worker_dies_the_import_says_that_nothing_was_changed(app, manager, step):
    sent = send(manager, "candidates", HEADER + ADA)
    if step == "apply":
        app.run_jobs()
        manager.post(f"/imports/{sent['id']}/apply/", {})
    with begin(app.runtime) as work:
        job = work.db.scalars(select(Job.id).where(Job.name == f"imports.{step}")).one()
    take_and_die_until_it_is_given_up(app, job)
    found = manager.get(f"/imports/{sent['id']}/").json
    assert (found["status"], found["counts"]["applied"]) == ("failed", 0)
    assert "Nothing was changed" in found["detail"]
    assert "ada@x.example" not in accounts(app)


def test_a_check_that_was_interrupted_begins_again(app, manager):
    sent = send(manager, "candidates", HEADER + ADA)
    with begin(app.runtime) as work:
        row = {name: {} for name in ("source", "values", "before", "errors", "files")}
        row |= {"import_id": sent["id"], "position": 0, "line": 9, "state": "new", "warnings": []}
        work.db.add(ImportRow(**row))
    app.run_jobs()
    assert [each["line"] for each in rows(manager, sent)] == [2]


# Files that are not accepted.


def archive(name="xl/workbook.xml", content=b"x", more=()):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as found:
        found.writestr(name, content)
        for each in more:
            found.writestr(each, b"x")
    return packed.getvalue()


def encrypted():
    return (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2_000 + "EncryptedPackage".encode("utf-16-le")
    )


@pytest.mark.parametrize(
    ("filename", "content"),
    [
        ("list.pdf", b"%PDF-1.7 %%EOF"),
        ("list.csv", b"%PDF-1.7 %%EOF"),
        ("list.csv", b"a,b\0c\n"),
        ("list.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le")),
        ("list.docx", archive("word/document.xml")),
        ("list.xlsx", archive("word/document.xml")),
        ("list.xlsm", workbook()),
        ("list.xlsx", archive(more=["xl/vbaProject.bin"])),
        ("list.xlsx", workbook()[:-100]),
        ("list.xls", b"<html><table></table></html>"),
        ("list.gift", b"x {=1 ~2 ~3 ~4}"),
        ("list.xlsx", HEADER.encode()),
        ("list", archive("word/document.xml")),
    ],
)
def test_other_files_are_not_accepted(manager, filename, content):
    send(manager, "candidates", content, filename, status=400, code="invalid_file_type")


def test_digits_after_a_dot_are_no_type_of_a_file(app, manager):
    found = check(app, manager, "candidates", HEADER + ADA, filename="List of 14.03")
    assert (found["status"], found["format"]) == ("checked", "csv")


def test_a_file_must_have_the_format_that_is_named(manager):
    send(manager, "candidates", HEADER, format="xlsx", status=400, code="invalid_file_type")
    refused = send(manager, "candidates", HEADER, format="gift", status=400, code="invalid")
    assert [*refused["errors"]] == ["format"]


def test_a_workbook_with_a_password_says_so(manager):
    refused = send(manager, "candidates", encrypted(), "list.xlsx", status=400, code="invalid")
    assert refused["errors"]["file"][0].startswith("This workbook has a password.")


def test_an_archive_that_is_too_large_unpacked_is_rejected(manager, monkeypatch):
    assert formats.MOST_UNPACKED == 100 * 1024 * 1024
    monkeypatch.setattr(formats, "MOST_UNPACKED", 1024 * 1024)
    bomb = archive(content=b"0" * (1024 * 1024 + 1))
    refused = send(manager, "candidates", bomb, "list.xlsx", status=400, code="invalid")
    [explained] = refused["errors"]["file"]
    assert "unpacked" in explained


def test_a_file_of_more_than_10_mib_is_too_large(manager):
    large = b"x" * (10 * 1024 * 1024 + 1)
    send(manager, "candidates", large, status=400, code="file_size_exceeded")


def test_a_file_has_at_most_20_000_rows(manager):
    content = HEADER + "x\n" * 20_001
    refused = send(manager, "candidates", content, status=400, code="invalid")
    assert "20000 rows" in refused["errors"]["file"][0]


def test_a_workbook_has_as_many_rows(app, manager, monkeypatch):
    monkeypatch.setattr(tables, "MOST_ROWS", 30)
    monkeypatch.setattr(headers, "MOST_ROWS", 30)
    assert check(app, manager, "candidates", workbook(30), "list.xlsx")["counts"]["rows"] == 30
    send(manager, "candidates", workbook(31), "list.xlsx", status=400, code="invalid")


@pytest.mark.parametrize("filename", ["list.csv", "list.xlsx"])
def test_a_file_has_at_most_100_columns(manager, filename):
    content = HEADER + ",".join(["x"] * 101) if filename == "list.csv" else workbook(1, 101)
    refused = send(manager, "candidates", content, filename, status=400, code="invalid")
    assert "100 columns" in refused["errors"]["file"][0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "no rows"),
        ("\n,,\n", "no rows"),
        (HEADER, "no rows below"),
        ("a,b\n1,2\n", "came closest: a | b"),
        (HEADER.replace(",school", "") + ADA, "school"),
        (HEADER + ADA + 'Alan,Turing,"Hillside School,alan@x.example\n', "Line 3 can't be read"),
    ],
)
def test_a_file_that_cannot_be_read_fails(app, manager, content, words):
    found = check(app, manager, "candidates", content)
    assert found["status"] == "failed"
    assert words in found["detail"]
    assert rows(manager, found) == []
    manager.delete(f"/imports/{found['id']}/", status=204)


def test_a_long_cell_is_shown_in_part(app, manager):
    rest = "".join(hashlib.sha512(bytes([number])).hexdigest() for number in range(200))
    [row] = rows(manager, check(app, manager, "candidates", HEADER + f'Ada,L,H,"{rest}"\n'))
    assert (row["state"], [*row["errors"]]) == ("invalid", ["email"])
    assert row["values"]["email"] == f"{rest[:500]}…"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("columns", "x"),
        ("columns", "[]"),
        ("columns", '{"a": 1}'),
        ("columns", '{"a": "salary"}'),
        ("exam", "1"),
        ("exam", "x"),
        ("format", "doc"),
    ],
)
def test_wrong_fields_are_named(manager, name, value):
    fields = {name: value}
    refused = send(manager, "candidates", HEADER + ADA, status=400, code="invalid", **fields)
    assert [*refused["errors"]] == [name]


def test_a_file_is_required(manager):
    refused = manager.upload("POST", "/imports/candidates/", {"format": "csv"}, status=400)
    assert [*refused.json["errors"]] == ["file"]


# The tests below are about who sees which imports.


def test_a_rank_below_that_of_the_kind_is_denied(app, admin):
    send(admin, "candidates", HEADER + ADA, status=403, code="permission_denied")
    admin.get("/imports/templates/candidates/", status=403)


def test_an_unknown_kind_is_not_found(manager):
    send(manager, "prefects", HEADER + ADA, status=404)
    manager.get("/imports/templates/prefects/", status=404)


def test_others_do_not_see_an_import(app, manager, admin):
    found = check(app, manager, "candidates", HEADER + ADA)
    for path in ("", "rows/"):
        admin.get(f"/imports/{found['id']}/{path}", status=404)
    admin.post(f"/imports/{found['id']}/apply/", {}, status=404)
    admin.delete(f"/imports/{found['id']}/", status=404)
    assert admin.get("/imports/").json["results"] == []
    assert app.staff("manager").get(f"/imports/{found['id']}/").json["id"] == found["id"]


@pytest.mark.parametrize("name", ["0", "x", "candidates", "99999999999"])
def test_a_malformed_id_is_not_found(manager, name):
    manager.get(f"/imports/{name}/", status=404)
    manager.delete(f"/imports/{name}/", status=404)


def test_the_list_is_filtered_by_kind_and_status(app, manager):
    found = check(app, manager, "candidates", HEADER + ADA)

    def listed(query):
        return [each["id"] for each in manager.get(f"/imports/?{query}").json["results"]]

    assert listed("kind=candidates&status=checked") == [found["id"]]
    assert listed("kind=staff") == listed("status=applied") == []


def test_templates_can_be_imported(app, manager):
    for form in ("csv", "xlsx"):
        reply = manager.get(f"/imports/templates/candidates/?format={form}")
        assert reply.headers["Content-Disposition"] == f'attachment; filename="candidates.{form}"'
        found = check(app, manager, "candidates", reply.body, f"candidates.{form}")
        [row] = rows(manager, found)
        assert (row["state"], row["warnings"]) == ("new", [])
        assert found["ignored_columns"] == []


def test_a_template_has_all_columns_and_names_their_synonyms(app):
    boss = app.staff("superadmin")
    for kind in boss.get("/imports/kinds/").json["results"]:
        text = boss.get(f"/imports/templates/{kind['name']}/").body.decode("utf-8-sig")
        header, example = csv.reader(io.StringIO(text, newline=""))
        assert header == [each["name"] for each in kind["fields"]]
        needed = [each["example"] for each in kind["fields"] if each["is_required"]]
        assert needed and all(needed)
        assert {*needed} <= {*example}
    sheet = boss.get("/imports/templates/scores/?format=xlsx").body
    with zipfile.ZipFile(io.BytesIO(sheet)) as archive:
        assert "Matricule" in archive.read("xl/sharedStrings.xml").decode()


# How long rows are kept.


def session(app, person):
    """The person with a new login, after the earlier one has expired."""
    return replace(person, client=app.new_session(person))


def test_an_import_that_nobody_applies_is_cancelled_after_a_week(app, manager):
    found = check(app, manager, "candidates", HEADER + ADA)
    app.clock.advance(days=6)
    app.forget("imports.rows")
    manager = session(app, manager)
    assert manager.get(f"/imports/{found['id']}/").json["status"] == "checked"
    app.clock.advance(days=1)
    app.forget("imports.rows")
    manager = session(app, manager)
    assert manager.get(f"/imports/{found['id']}/").json["status"] == "cancelled"
    assert len(rows(manager, found)) == 1


def test_rows_are_deleted_30_days_after_the_import_ended(app, manager):
    found = apply(app, manager, check(app, manager, "candidates", HEADER + ADA))
    app.clock.advance(days=29)
    app.forget("imports.rows")
    manager = session(app, manager)
    assert len(rows(manager, found)) == 1
    app.clock.advance(days=1)
    app.forget("imports.rows")
    manager = session(app, manager)
    assert rows(manager, found) == []
    assert manager.get(f"/imports/{found['id']}/").json["counts"]["applied"] == 1


def test_a_person_gets_the_rows_about_them_and_an_erasure_deletes_them(app, manager):
    ada = app.candidate(email="ada@x.example", first_name="Ada", last_name="Byron")
    changed = check(app, manager, "candidates", HEADER + ADA)
    unknown = check(app, manager, "candidates", HEADER + ALAN)
    alan = app.candidate(email="alan@x.example")
    for person, found in ((ada, changed), (alan, unknown)):
        with begin(app.runtime) as work:
            [export] = personal_data.export(work, person.id)["imports"]
            assert export["values"]["email"] == person.email
            assert export["kind"] == "candidates"
            personal_data.erase(work, person.id)
        assert rows(manager, found) == []


def test_a_line_that_is_wrong_is_deleted_with_the_person_whose_number_it_has(app, manager):
    ada = app.candidate(first_name="Ada", last_name="Byron", school="Hill", external_id="N1")
    header = "first_name,last_name,school,external_id,email\n"
    same, other = "Ada,Byron,Hill,N1,\nAda,Byron,Hill,n1,\n", "Ada,Byron,Hill,N1,ada@x.example\n"
    found = [check(app, manager, "candidates", header + each) for each in (same, other)]
    assert [each["counts"]["invalid"] for each in found] == [1, 1]
    with begin(app.runtime) as work:
        personal_data.erase(work, ada.id)
    assert [rows(manager, each) for each in found] == [[], []]


def test_a_kind_of_a_disabled_plugin_is_not_found(app, manager):
    with begin(app.runtime) as work:
        work.db.add(
            Import(
                kind="other",
                format="csv",
                filename="x.csv",
                asked_columns={},
                created_by_id=manager.id,
                created_at=work.now,
            )
        )
    assert manager.get("/imports/").json["results"] == []


def test_a_file_that_can_not_be_stored_makes_no_import(app, manager):
    class Away:
        def put(self, *_):
            raise StorageUnavailable

    storage = app.runtime[Storage]
    app.runtime.provide(Storage, Away())
    form = {"file": ("people.csv", b"first_name,last_name,school\nEmmy,Noether,Hillside\n")}
    manager.upload("POST", "/imports/candidates/", form, status=502, code="storage_unavailable")
    app.runtime.provide(Storage, storage)
    assert manager.get("/imports/").json["results"] == []
