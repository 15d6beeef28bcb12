"""Exports of an exam: results, answers and extra time."""

import pytest

from competition.testing.exam_day import answers, make_exam, publish, score_by_hand, sit, take
from tests.support.exported import lines, members
from tests.support.imports import check

HILL, LAKE = "Hillside School", "Lycée du Lac"


@pytest.fixture
def day(app, admin):
    """An exam with three candidates: one with all answers right, one with one, and one who has not
    come. The exam is over."""
    first = app.candidate(first_name="Ada", last_name="A", school=HILL)
    second = app.candidate(first_name="Bea", last_name="B", school=LAKE)
    absent = app.candidate(first_name="Cleo", last_name="C", school=HILL)
    exam_id = make_exam(app, admin, key="AB")
    sit(app, first, exam_id, "AB")
    sit(app, second, exam_id, "A ")
    app.run_jobs()
    return exam_id, first, second, absent


def over(app, admin, exam_id):
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    app.clock.advance(minutes=6)


def names(reply):
    return [row["name"] for row in lines(reply)]


class TestResults:
    def test_each_candidate_who_took_part_has_a_line(self, app, admin, day):
        exam_id, first, *_ = day
        rows = lines(admin.get(f"/exports/exams/{exam_id}/results/", status=200))
        assert [(row["name"], row["score"]) for row in rows] == [("Ada A", "100"), ("Bea B", "50")]
        [row, _] = rows
        assert (row["candidate_id"], row["school"]) == (str(first.id), HILL)
        assert (row["auto_score"], row["score_submitted_by"]) == ("yes", "Auto Score")
        assert row["handed_in_by"] == "candidate"
        assert row["submitted_at"].endswith("Z")

    def test_a_candidate_without_an_attempt_can_have_a_score(self, app, admin, day):
        exam_id, *_, absent = day
        score_by_hand(admin, exam_id, absent, 87.5)
        row = lines(admin.get(f"/exports/exams/{exam_id}/results/"))[1]
        assert (row["name"], row["score"], row["started_at"]) == ("Cleo C", "87.5", "")
        assert row["score_submitted_by"] == app.user(admin).full_name

    def test_absent_candidates_can_take_the_exam_but_did_not_come(self, app, admin, day):
        exam_id, *_, absent = day
        app.candidate("league")
        app.candidate(verification="pending")
        app.candidate(is_active=False)
        path = f"/exports/exams/{exam_id}/results/?absent=true"
        [row] = lines(admin.get(path))
        assert (row["candidate_id"], row["score"]) == (str(absent.id), "")
        score_by_hand(admin, exam_id, absent, 10)
        assert lines(admin.get(path)) == []

    def test_in_a_closed_season_the_absent_are_those_who_could_take_the_exam(self, app, admin, day):
        """Opening the next season sends everybody back to the stage screening."""
        exam_id, *_, absent = day
        app.candidate("league")
        app.candidate(verification="pending")
        over(app, admin, exam_id)
        publish(app, admin)
        app.staff("superadmin").post("/seasons/", {"name": "The next year"}, status=201)
        app.candidate()
        admin = app.new_session(admin)
        rows = lines(admin.get(f"/exports/exams/{exam_id}/results/?absent=true", status=200))
        assert [row["candidate_id"] for row in rows] == [str(absent.id)]

    def test_a_school_is_compared_by_its_key(self, app, admin, day):
        exam_id, *_ = day
        path = f"/exports/exams/{exam_id}/results/"
        assert names(admin.get(f"{path}?school={HILL}")) == ["Ada A"]
        assert names(admin.get(f"{path}?school={HILL.upper()}")) == ["Ada A"]
        assert names(admin.get(f"{path}?school=Hillside")) == []

    def test_each_school_gets_a_file(self, app, admin, day):
        exam_id, *_ = day
        for school in ("hillside school", "../a/b", ""):
            sit(app, app.candidate(first_name="Dora", school=school), exam_id, "AB")
        reply = admin.get(f"/exports/exams/{exam_id}/results/?per_school=true", status=200)
        assert reply.content_type == "application/zip"
        assert reply.headers["Content-Disposition"].endswith('.zip"')
        files = members(reply)
        assert {name.casefold() for name in files} == {
            "hillside school.csv",
            "lycée du lac.csv",
            "-a-b.csv",
            "no school.csv",
        }
        assert [row["school"] for row in lines(files[f"{LAKE}.csv"])] == [LAKE]
        # Names are compared by their key (organisers P1), so this is one school.
        [hill] = (text for name, text in files.items() if name.casefold() == "hillside school.csv")
        assert {row["school"] for row in lines(hill)} == {HILL, "hillside school"}

    def test_an_exam_that_does_not_exist_is_not_found(self, admin):
        for table in ("results", "answers", "answer-sheet", "allowances"):
            admin.get(f"/exports/exams/999999/{table}/", status=404, code="not_found")


class TestAnswers:
    def test_each_question_has_a_column(self, app, admin, day):
        exam_id, *_ = day
        over(app, admin, exam_id)
        rows = lines(admin.get(f"/exports/exams/{exam_id}/answers/", status=200))
        assert [(row["name"], row["1"], row["2"]) for row in rows] == [
            ("Ada A", "A", "B"),
            ("Bea B", "A", ""),
        ]

    def test_while_somebody_can_submit_they_are_secret(self, app, admin, day):
        exam_id, *_, late = day
        path = f"/exports/exams/{exam_id}/answers/"
        admin.get(path, status=403, code="permission_denied")
        take(late, exam_id)
        admin.post(f"/exams/{exam_id}/conclude/", status=200)
        # The grace period is not over.
        admin.get(path, status=403, code="permission_denied")
        app.clock.advance(minutes=6)
        admin.get(path, status=200)

    def test_while_a_draft_waits_they_are_secret(self, app, admin, day):
        exam_id, *_, late = day
        take(late, exam_id)
        draft = {"sequence": 1, **answers(app, exam_id, "BB")}
        late.put(f"/exams/{exam_id}/draft/", draft, status=200)
        over(app, admin, exam_id)
        path = f"/exports/exams/{exam_id}/answers/"
        admin.get(path, status=403, code="permission_denied")
        app.run_task("drafts.hand_in")
        assert lines(admin.get(path))[2]["handed_in_by"] == "service"


class TestAnswerSheet:
    def test_it_has_the_candidates_who_may_have_sat_on_paper(self, app, admin, day):
        exam_id, *_, absent = day
        app.candidate("league")
        reply = admin.get(f"/exports/exams/{exam_id}/answer-sheet/", status=200)
        [row] = lines(reply)
        assert (row["candidate_id"], row["1"], row["2"]) == (str(absent.id), "", "")
        over(app, admin, exam_id)
        # Each name, school and number stays as it is, and the sheet is read back.
        content = reply.body.decode("utf-8-sig")
        assert content.endswith(",,\r\n")
        filled = content.removesuffix(",,\r\n") + ",A,b\r\n"
        assert check(app, admin, "answers", filled, exam=exam_id)["counts"]["new"] == 1
        assert check(app, admin, "answers", content, exam=exam_id)["counts"]["unchanged"] == 1


class TestAllowances:
    def test_extra_time_says_to_whom_why_and_by_whom(self, app, admin, day):
        *_, absent = day
        later = make_exam(app, admin, key="AB")
        for given in ({"everyone": True}, {"school": LAKE}, {"candidate_id": str(absent.id)}):
            body = {"extra_minutes": 10, "reason": "=Noise", **given}
            admin.post(f"/exams/{later}/allowances/", body, status=201)
        admin.put(
            f"/candidates/{absent.id}/allowance/", {"percent": 25, "reason": "Reads"}, status=200
        )
        rows = lines(admin.get(f"/exports/exams/{later}/allowances/", status=200))
        shown = {
            (row["given_to"], row["name"], row["school"], row["extra_minutes"], row["percent"])
            for row in rows
        }
        assert shown == {
            ("everyone", "", "", "10", ""),
            ("school", "", LAKE, "10", ""),
            ("candidate", "Cleo C", HILL, "10", ""),
            ("candidate", "Cleo C", HILL, "", "25"),
        }
        assert {row["reason"] for row in rows} == {"'=Noise", "Reads"}
        assert {row["given_by"] for row in rows} == {app.user(admin).full_name}

    def test_a_closed_season_keeps_the_percentages_of_candidates_who_did_not_come(
        self, app, admin, day
    ):
        exam_id, *_, absent = day
        newer = app.candidate("league")
        for person in (absent, newer):
            body = {"percent": 25, "reason": "Reads"}
            admin.put(f"/candidates/{person.id}/allowance/", body, status=200)
        over(app, admin, exam_id)
        publish(app, admin)
        app.staff("superadmin").post("/seasons/", {"name": "The next year"}, status=201)
        admin = app.new_session(admin)
        [row] = lines(admin.get(f"/exports/exams/{exam_id}/allowances/", status=200))
        assert (row["candidate_id"], row["percent"]) == (str(absent.id), "25")
