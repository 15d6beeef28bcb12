"""Imports of scores, and of answers from paper (organisers.md, O1)."""

import io
import json

import pytest
import xlsxwriter
from sqlalchemy import update

from competition.core.users import personal_data
from competition.core.users.models import Candidate
from competition.core.work import begin
from competition.plugins.scores.models import Score
from competition.testing.exam_day import make_exam, score_of, sit, take
from tests.support.imports import apply, bring, check, rows, send

KEY = "ABCD"


@pytest.fixture
def exam(app, admin):
    """An exam with four questions that opened an hour ago, for one hour."""
    return make_exam(app, admin, KEY, countdown_minutes=30, open_duration_hours=2)


@pytest.fixture
def over(app, admin, exam):
    """The same exam, when its time is over."""
    wait(app, admin, hours=2)
    return exam


@pytest.fixture
def admin(app):
    return app.staff("admin")


def wait(app, person, **time):
    """Move the clock. The person logs in again, because the token expires."""
    app.clock.advance(**time)
    person.client = app.new_session(person)


def found(app, person, kind, exam, content):
    return rows(person, check(app, person, kind, content, exam=exam))


def states(listed):
    return [each["state"] for each in listed]


# Scores.


def test_scores_are_manual_scores(app, admin, exam):
    ada = app.candidate()
    [row] = bring(app, admin, "scores", f'email,score\n{ada.email},"87,5"\n', exam=exam)
    assert (row["state"], row["values"]["score"]) == ("new", 87.5)
    assert score_of(app, ada, exam) == 87.5
    [entry] = app.staff("manager").get("/audit/?action=score.record").json["results"]
    assert (entry["old"], entry["new"]) == (None, 87.5)


def test_no_score_is_imported_for_a_candidate_who_has_not_joined_the_season(app, admin):
    """Scores don't let a candidate join. A score that was given before can still be corrected."""
    absent, scored = app.candidate(), app.candidate()
    app.staff("superadmin").post("/seasons/", {"name": "2027"}, status=201)
    exam = make_exam(app, admin, KEY)
    with begin(app.runtime) as work:
        stored = {"exam_id": exam, "candidate_id": scored.id, "value": 50, "is_auto": False}
        work.db.add(Score(**stored, recorded_at=work.now))
    content = f"email,score\n{absent.email},97\n{scored.email},60\n{app.candidate().email},70\n"
    listed = found(app, admin, "scores", exam, content)
    assert states(listed) == ["invalid", "changed", "new"]
    assert "join in the portal" in str(listed[0]["errors"])
    absent.post("/seasons/join/", {}, status=200)
    assert states(found(app, admin, "scores", exam, content)) == ["new", "changed", "new"]


def test_the_export_of_personal_data_has_no_score_that_the_candidate_cannot_see(app, admin, exam):
    ada = app.candidate()
    for score in (50, 60):
        bring(app, admin, "scores", f"email,score\n{ada.email},{score}\n", exam=exam)
    with begin(app.runtime) as work:
        exported = personal_data.export(work, ada.id)["imports"]
    assert [(each["values"], each["before"]) for each in exported] == [
        ({"email": ada.email}, {})
    ] * 2


def test_a_score_may_have_a_percent_sign(app, admin, exam):
    ada, bob = app.candidate(), app.candidate()
    content = f"email;score\n{ada.email};90 %\n{bob.email};66,67%\n"
    assert [each["values"]["score"] for each in found(app, admin, "scores", exam, content)] == [
        90,
        66.67,
    ]


def test_an_error_in_a_cell_is_no_missing_score(app, admin, exam):
    ada, bob = app.candidate(), app.candidate()
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["email", "score"])
        sheet.write_row(1, 0, [ada.email, 90])
        sheet.write(2, 0, bob.email)
        sheet.write_formula(2, 1, "=#REF!*2", None, "#REF!")
    asked = check(app, admin, "scores", content.getvalue(), "list.xlsx", exam=exam)
    first, second = rows(admin, asked)
    assert (first["state"], second["state"]) == ("new", "invalid")
    [message] = second["errors"].pop("score")
    assert message.startswith("This cell has an error: #REF!.") and second["errors"] == {}
    assert second["values"]["score"] == "#REF!"
    admin.post(f"/imports/{asked['id']}/apply/", {}, status=400, code="invalid")


def test_a_score_is_the_percentage_that_its_cell_shows(app, admin, exam):
    people = [app.candidate(), app.candidate()]
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["email", "score"])
        percent = book.add_format({"num_format": "0.0%"})
        for line, (person, value) in enumerate(zip(people, (0.875, 1), strict=True), start=1):
            sheet.write(line, 0, person.email)
            sheet.write(line, 1, value, percent)
    listed = rows(admin, check(app, admin, "scores", content.getvalue(), "list.xlsx", exam=exam))
    assert [each["values"]["score"] for each in listed] == [87.5, 100]
    assert [each["warnings"] for each in listed] == [[], []]


@pytest.mark.parametrize("cell", ["", "abs", "Abs.", "ABSENT", "-"])
def test_a_candidate_without_a_score_stays_as_before(app, admin, exam, cell):
    ada = app.candidate()
    [row] = bring(app, admin, "scores", f"email,score\n{ada.email},{cell}\n", exam=exam)
    assert (row["state"], len(row["warnings"])) == ("unchanged", 1)
    assert score_of(app, ada, exam) is None


@pytest.mark.parametrize("cell", ["101", "-1", "x", "NaN", "1e999", "1_0", "1e1", '"8,7.5"', "inf"])
def test_a_score_is_a_number_from_0_to_100(app, admin, exam, cell):
    ada = app.candidate()
    [row] = found(app, admin, "scores", exam, f"email,score\n{ada.email},{cell}\n")
    assert [*row["errors"]] == ["score"]
    is_number = cell in ("101", "-1")
    assert is_number or row["errors"]["score"][0].startswith("Write only a number from 0 to 100")


@pytest.mark.parametrize("scores", [("20", "13,5"), ("0", "1.2"), ("20.5", "3"), ("0", "20%")])
def test_marks_out_of_20_have_a_warning(app, admin, exam, scores):
    people = [app.candidate() for _ in scores]
    lines = zip(people, scores, strict=True)
    content = "email;Note\n" + "".join(f"{each.email};{score}\n" for each, score in lines)
    first, second = found(app, admin, "scores", exam, f"{content}{app.candidate().email};abs\n")[:2]
    assert (first["state"], second["state"], second["warnings"]) == ("new", "new", [])
    expected = 0 if scores in (("20.5", "3"), ("0", "20%")) else 1
    assert len(first["warnings"]) == expected
    assert all("marks out of 20, convert them first" in each for each in first["warnings"])


def test_an_automatic_score_stays_automatic_if_it_is_the_same(app, admin, exam):
    ada, bob = app.candidate(), app.candidate()
    for person in (ada, bob):
        sit(app, person, exam, "ABC ")
    assert score_of(app, ada, exam) == 75
    content = f"email,score\n{ada.email},75.00\n{bob.email},80\n"
    one, two = bring(app, admin, "scores", content, exam=exam)
    assert one["state"] == "unchanged"
    assert (two["state"], two["before"]) == ("changed", {"score": 75.0})
    assert score_of(app, bob, exam) == 80


def test_candidates_are_known_by_id_address_and_number(app, admin, exam):
    ada = app.candidate(external_id="N1", school="Hillside School")
    bob = app.candidate(external_id="n1", school="Seaside School")
    eve = app.candidate(external_id="N2")
    staff = app.staff("moderator")
    header = "candidate_id,email,external_id,school,score\n"
    listed = found(
        app,
        admin,
        "scores",
        exam,
        header
        + f"{ada.id},,,,1\n"
        + ",,N1,SEASIDE SCHOOL,1\n"
        + ",,n2,,1\n"
        + ",,N1,,1\n"
        + ",,N3,,1\n"
        + ",,N2,Seaside School,1\n"
        + f"{ada.id},{bob.email},,,1\n"
        + f",{staff.email},,,1\n"
        + ",unknown@x.example,,,1\n"
        + ",bcd234@slip.invalid,,,1\n"
        + ",,,,1\n"
        + f"{staff.id},,,,1\n",
    )
    assert states(listed) == ["new"] * 3 + ["invalid"] * 9
    assert [[*each["errors"]] for each in listed[3:]] == [
        *(["school"], ["external_id"], ["external_id"], ["email"], ["email"], ["email"]),
        *(["email"], ["line"], ["candidate_id"]),
    ]
    assert "login" in listed[9]["errors"]["email"][0]
    assert eve.id


def test_who_waits_for_the_deletion_of_the_account_gets_no_score(app, admin, exam):
    ada = app.candidate(external_id="N1")
    app.staff("manager").delete(f"/users/{ada.id}/")
    listed = found(app, admin, "scores", exam, f"email,external_id,score\n{ada.email},,1\n,N1,1\n")
    assert states(listed) == ["invalid", "invalid"]
    assert "waiting for its deletion" in listed[0]["errors"]["line"][0]


def test_a_line_with_the_name_of_another_candidate_has_a_warning(app, admin, exam):
    """Rows whose numbers and names were shifted against each other would give people the scores of
    others."""
    ada = app.candidate(first_name="Ada Marie", last_name="Müller-O'Hara", external_id="N1")
    names = {
        "Ada Marie,,": 0,
        ",Müller-O'Hara,": 0,
        "Ada,Muller O\u2019Hara,": 0,
        ',,"MÜLLER-O\'HARA, Ada"': 0,
        ",,Ada Marie Therese Müller-O'Hara": 0,
        "Ada,Miller,": 1,
        ",,Eve Müller-O'Hara": 1,
        ",,\u202e": 0,
        f",,{'x' * 302}": 0,
    }
    for cells, count in names.items():
        content = f"Number,first_name,last_name,name,score\nN1,{cells},50\n"
        named = '{"Number": "external_id"}'
        [row] = rows(admin, check(app, admin, "scores", content, exam=exam, columns=named))
        assert (row["state"], len(row["warnings"])) == ("new", count), (cells, row)
    assert row["values"] == {"external_id": "N1", "name": "x" * 302, "score": 50}
    assert ada.id


def test_an_answer_sheet_whose_ids_were_shifted_has_warnings(app, admin, over):
    people = [app.candidate(first_name="Zero", last_name=name) for name in ("Eight", "Seven")]
    text = admin.get(f"/exports/exams/{over}/answer-sheet/").text
    lines = text.replace(",,,,\r\n", ",A,,,\r\n")
    assert [each["warnings"] for each in found(app, admin, "answers", over, lines)] == [[], []]
    first, second = (str(each.id) for each in people)
    shifted = lines.replace(first, "FIRST").replace(second, first).replace("FIRST", second)
    listed = found(app, admin, "answers", over, shifted)
    assert states(listed) == ["new", "new"]
    assert [each["warnings"] for each in listed] == [
        [
            f"The id, the address or the number in this line is that of Zero {name}, but the line"
            " has another name. Check the line."
        ]
        for name in ("Seven", "Eight")
    ]


def test_headers_are_those_of_lists_of_people(app, admin, exam):
    ada = app.candidate()
    [row] = found(app, admin, "scores", exam, f"Adresse mail;Score (%)\n{ada.email};50\n")
    assert (row["state"], row["values"]["score"]) == ("new", 50)


def test_a_candidate_twice_names_the_earlier_line(app, admin, exam):
    ada = app.candidate()
    content = f"candidate_id,email,score\n{ada.id},,1\n,{ada.email},2\n"
    _, row = found(app, admin, "scores", exam, content)
    assert row["errors"] == {
        "line": ["Line 2 is about the same person. Delete one of the two lines."]
    }


def test_scores_need_an_exam(app, admin, exam):
    content = "email,score\nx@x.example,1\n"
    assert [*send(admin, "scores", content, status=400)["errors"]] == ["exam"]
    send(admin, "scores", content, exam=999_999, status=404)
    moderator = app.staff("moderator")
    send(moderator, "scores", content, exam=exam, status=403, code="permission_denied")


# Answers from paper.


def test_answers_become_a_submission_of_staff(app, admin, over):
    ada, bob = app.candidate(), app.candidate()
    content = f'email,answers\n{ada.email},abc-\n{bob.email},"A.C_"\n'
    listed = bring(app, admin, "answers", content, exam=over)
    assert states(listed) == ["new", "new"]
    assert (score_of(app, ada, over), score_of(app, bob, over)) == (75, 50)
    seats = admin.get(f"/exams/{over}/invigilation/").json["results"]
    assert {each["state"] for each in seats} == {"submitted"}
    assert {each["handed_in_by"] for each in seats} == {"staff"}
    receipt = ada.get(f"/exams/{over}/receipt/").json
    assert receipt["handed_in_by"] == "staff"
    spaced = f"email,answers\n{ada.email},ABC \n{bob.email}, A.C-\n"
    for same in (content, spaced):
        again = found(app, admin, "answers", over, same)
        assert states(again) == ["unchanged", "unchanged"]


def test_columns_named_by_position_have_the_answers(app, admin, over):
    ada, bob = app.candidate(), app.candidate()
    content = f"email,2,1,3,4\n{ada.email},B,A,,D\n{bob.email},,-,,\n"
    one, two = bring(app, admin, "answers", content, exam=over)
    assert one["values"] == {"email": ada.email, "1": "A", "2": "B", "4": "D"}
    assert two["state"] == "new"
    assert score_of(app, ada, over) == 75
    assert score_of(app, bob, over) == 0


@pytest.mark.parametrize(
    ("header", "missing"), [("1,2,3", "4"), ("1,2,3,3", "4"), ("2,3,x", "1, 4"), ("1,2,3,5", "4")]
)
def test_a_missing_column_of_a_question_makes_every_row_invalid(app, admin, over, header, missing):
    """Otherwise the question would count as blank for all candidates."""
    ada, bob = app.candidate(), app.candidate()
    content = f"email,{header}\n{ada.email}" + ",A" * len(header.split(",")) + f"\n{bob.email}\n"
    for row in found(app, admin, "answers", over, content):
        assert row["state"] == "invalid"
        [message] = row["errors"]["line"]
        assert message.startswith(f"The file has no column for these questions: {missing}. If")


def test_the_answer_sheet_of_an_exam_has_all_columns(app, admin, over):
    ada = app.candidate()
    text = admin.get(f"/exports/exams/{over}/answer-sheet/").text
    lines = text.replace(",,,,\r\n", ",A,,,\r\n")
    [row] = found(app, admin, "answers", over, lines)
    assert (row["state"], row["errors"]) == ("new", {})
    assert row["values"]["candidate_id"] == str(ada.id)


def test_answers_of_both_kinds_of_columns_have_to_be_the_same(app, admin, over):
    ada, bob, eve = app.candidate(), app.candidate(), app.candidate()
    content = (
        "email,answers,1,2,3,4\n"
        f"{ada.email},AB-D,a,,.,D\n"
        f"{bob.email},ABCD,A,B,D,D\n"
        f"{eve.email},AB-D,A,B,C,D\n"
    )
    first, *others = found(app, admin, "answers", over, content)
    assert (first["state"], first["errors"]) == ("new", {})
    assert [each["errors"] for each in others] == [
        {
            "3": [
                f"Answer 3 is {one} in the column answers, but {other} in the column of the"
                " question. Correct one of the two."
            ]
        }
        for one, other in (("C", "D"), ("-", "C"))
    ]


def test_columns_of_questions_can_be_mapped(app, admin, over):
    ada = app.candidate()
    content = f"email,I1,I2,I3,I4\n{ada.email},A,B,C,D\n"
    named = {f"I{place}": str(place) for place in range(1, 5)}
    found = check(app, admin, "answers", content, exam=over, columns=json.dumps(named))
    assert found["counts"]["new"] == 1
    for name in ("0", "²", "10000", "9" * 5_000):
        columns = json.dumps({"I1": name})
        refused = send(admin, "answers", content, exam=over, columns=columns, status=400)
        assert [*refused["errors"]] == ["columns"]


def test_a_line_without_any_answer_is_about_an_absent_candidate(app, admin, over):
    ada = app.candidate()
    [row] = bring(app, admin, "answers", f"email,1,2,3,4\n{ada.email},,,,\n", exam=over)
    assert (row["state"], row["errors"]) == ("unchanged", {})
    assert row["warnings"][0].startswith("This line has no answers")
    ada.get(f"/exams/{over}/receipt/", status=404)


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ("email,answers\n{},ABC\n", "answers"),
        ("email,answers\n{},ABCDA\n", "answers"),
        ("email,answers\n{},ABCX\n", "answers"),
        ("email,answers\n{},\n", "answers"),
        ("email,1,2,3,4\n{},A,E,C,D\n", "2"),
        ("email,1,2,3,4,5\n{},A,B,C,D,A\n", "5"),
        ("email,answers,submitted_at\n{},ABCD,2026-03-01T07:00:00Z\n", "submitted_at"),
        ("email,answers,submitted_at\n{},ABCD,2026-03-02T07:00:00Z\n", "submitted_at"),
    ],
)
def test_wrong_answers_are_beside_their_cells(app, admin, over, content, field):
    ada = app.candidate()
    [row] = found(app, admin, "answers", over, content.format(ada.email))
    assert [*row["errors"]] == [field]


def test_who_cannot_have_sat_on_paper_is_named(app, admin, exam):
    ada, bob, eve = app.candidate(), app.candidate(), app.candidate()
    other, sitting = app.candidate("league"), app.candidate()
    sit(app, ada, exam, "ABCD")
    take(eve, exam)
    app.clock.advance(minutes=58)
    sitting.client = app.new_session(sitting)
    take(sitting, exam)
    wait(app, admin, minutes=3)
    sheets = [(ada, "ABC-"), (ada, "ABCD"), (bob, "AAAA"), (eve, "AAAA"), (other, "AAAA")]
    header = "email,answers\n"
    listed = [
        found(app, admin, "answers", exam, f"{header}{person.email},{sheet}\n")[0]
        for person, sheet in [*sheets, (sitting, "AAAA")]
    ]
    assert states(listed) == ["invalid", "unchanged", "new", "new", "invalid", "invalid"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"role": "league"}, ["stage screening", "stage league"]),
        ({"is_active": False}, ["deactivated"]),
        ({"verification": "pending"}, ["identity is not approved"]),
        ({"verification": "not_submitted"}, ["identity is not approved"]),
        ({"is_email_verified": False}, ["not verified the email address", "Forgotten your"]),
    ],
)
def test_a_row_of_who_may_not_take_the_exam_says_why(app, admin, over, fields, words):
    ada = app.candidate()
    with begin(app.runtime) as work:
        work.db.execute(update(Candidate).where(Candidate.id == ada.id).values(fields))
    [row] = found(app, admin, "answers", over, f"email,answers\n{ada.email},AAAA\n")
    assert row["state"] == "invalid"
    [message] = row["errors"]["line"]
    assert all(each in message for each in [*words, "eep the answers"]), message
    # The sheet for answers from paper leaves the same candidates out.
    assert ada.email not in admin.get(f"/exports/exams/{over}/answer-sheet/", status=200).text


def test_a_row_of_who_has_not_joined_the_season_says_so(app, admin):
    ada = app.candidate()
    app.staff("superadmin").post("/seasons/", {"name": "Next"}, status=201)
    admin.client = app.new_session(admin)
    exam_id = make_exam(app, admin, KEY, countdown_minutes=30, open_duration_hours=2)
    wait(app, admin, hours=2)
    [row] = found(app, admin, "answers", exam_id, f"email,answers\n{ada.email},AAAA\n")
    assert "not joined the season" in row["errors"]["line"][0]


def test_only_an_exam_that_is_over_and_not_sealed_takes_answers(app, admin, exam):
    content = f"email,answers\n{app.candidate().email},ABCD\n"
    sit(app, app.candidate(), exam, "ABCD")
    assert [*send(admin, "answers", content, exam=exam, status=400)["errors"]] == ["exam"]
    wait(app, admin, hours=2)
    checked = check(app, admin, "answers", content, exam=exam)
    admin.post("/leaderboard/publish/", {"exams": [exam]})
    app.run_jobs()
    send(admin, "answers", content, exam=exam, status=400, code="invalid")
    assert apply(app, admin, checked)["status"] == "failed"


def test_a_manual_score_stays(app, admin, over):
    ada = app.candidate()
    bring(app, admin, "scores", f"email,score\n{ada.email},10\n", exam=over)
    [row] = bring(app, admin, "answers", f"email,answers\n{ada.email},ABCD\n", exam=over)
    assert (row["state"], len(row["warnings"])) == ("new", 1)
    assert score_of(app, ada, over) == 10


def test_another_order_of_the_paper_fails_the_import(app, admin, over):
    content = f"email,answers\n{app.candidate().email},ABCD\n"
    checked = check(app, admin, "answers", content, exam=over)
    ids = [each["id"] for each in admin.get(f"/exams/{over}/").json["questions"]["results"]]
    admin.patch(f"/exams/{over}/", {"questions": ids[::-1]})
    applied = apply(app, admin, checked)
    assert applied["status"] == "failed"
    assert "questions have changed" in applied["detail"]


def test_answers_from_paper_fix_the_questions(app, admin, over):
    bring(app, admin, "answers", f"email,answers\n{app.candidate().email},ABCD\n", exam=over)
    admin.patch(f"/exams/{over}/", {"questions": []}, status=400)
