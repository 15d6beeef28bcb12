"""Creating, changing, concluding and deleting exams."""

from datetime import timedelta

import pytest

from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import planning
from competition.plugins.questions.models import Question
from competition.testing.exam_day import answers, make_exam, make_questions, submit
from competition.testing.service import each_page


def archive(app, question_id):
    with begin(app.runtime) as work:
        work.db.get_one(Question, question_id).archived_at = work.now


def test_an_exam_needs_only_a_title_and_a_stage(app, admin):
    exam = admin.post("/exams/", {"title": " Opening ", "stage": "League"}, status=201).json
    assert exam["title"] == "Opening"
    assert exam["stage"] == "league"
    assert exam["stage_display"] == "league_1"
    assert exam["status"] == "draft"
    assert exam["concluded_at"] is None
    assert exam["scheduled_date"] is None
    assert (exam["round"], exam["countdown_minutes"], exam["open_duration_hours"]) == (1, 60, 12)
    assert exam["is_active"] is True
    assert exam["questions"] == []
    assert exam["question_count"] == 0
    assert exam["average_score"] == 0.0
    assert exam["created_by"]["user"]["id"] == str(admin.id)
    assert exam["updated_by"]["user"]["id"] == str(admin.id)


def test_the_order_of_the_questions_is_kept(app, admin):
    ids = make_questions(app)[::-1]
    exam = admin.post("/exams/", {"title": "x", "stage": "final", "questions": ids}).json
    assert exam["questions"] == ids
    listed = admin.get(f"/exams/{exam['id']}/questions/").json
    assert [question["id"] for question in listed] == ids
    assert listed[0]["correct_answer"] == "B"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", None),
        ("title", "  "),
        ("title", "x" * 256),
        ("stage", None),
        ("stage", "winner"),
        ("round", 0),
        ("round", 1.5),
        ("round", True),
        ("countdown_minutes", 0),
        ("open_duration_hours", -1),
        ("scheduled_date", "tomorrow"),
        ("scheduled_date", "9999-12-31T23:00:00Z"),
        ("is_active", "perhaps"),
        ("questions", [0]),
        ("questions", "1"),
        ("questions", [999_999_999]),
        ("description", "x" * 10_001),
    ],
)
def test_an_invalid_field_is_named(app, admin, field, value):
    body = {"title": "x", "stage": "screening", field: value}
    reply = admin.post("/exams/", body, status=400, code="invalid")
    assert field in reply.json["errors"]
    assert admin.get("/exams/").json["pagination"]["count"] == 0


def test_an_archived_question_can_not_be_put_into_an_exam(app, admin):
    ids = make_questions(app, "AB")
    archive(app, ids[1])
    body = {"title": "x", "stage": "final", "questions": ids}
    errors = admin.post("/exams/", body, status=400, code="invalid").json["errors"]
    assert list(errors["questions"]) == ["1"]


@pytest.mark.parametrize(
    ("starts_in_hours", "is_active", "status"),
    [
        (None, True, "draft"),
        (None, False, "draft"),
        (1, True, "scheduled"),
        (1, False, "cancelled"),
        (0, True, "ongoing"),
        (-11, True, "ongoing"),
        (-11, False, "cancelled"),
        (-12, True, "concluded"),
        (-12, False, "concluded"),
    ],
)
def test_the_status_follows_from_the_window(app, admin, starts_in_hours, is_active, status):
    starts = None
    if starts_in_hours is not None:
        starts = (app.clock.now + timedelta(hours=starts_in_hours)).isoformat()
    exam_id = make_exam(app, admin, scheduled_date=starts, is_active=is_active)
    exam = admin.get(f"/exams/{exam_id}/").json
    assert exam["status"] == status
    assert (exam["concluded_at"] is not None) == (status == "concluded")
    found = admin.get(f"/exams/?status={status}").json["results"]
    assert [(each["id"], each["status"]) for each in found] == [(exam_id, status)]


def test_upcoming_finds_scheduled_exams(app, admin):
    exam_id = make_exam(app, admin, scheduled_date="2027-01-01T00:00:00Z")
    [found] = admin.get("/exams/?status=upcoming").json["results"]
    assert (found["id"], found["status"]) == (exam_id, "scheduled")


def test_the_list_is_filtered(app, admin):
    first = make_exam(app, admin, title="Spring", scheduled_date="2026-04-01T23:59:59Z")
    second = make_exam(app, admin, title="Summer", stage="final", scheduled_date=None)
    third = make_exam(
        app, admin, title="Autumn", is_active=False, scheduled_date="2026-10-01T00:00:00Z"
    )

    def ids(query):
        return [exam["id"] for exam in admin.get(f"/exams/?{query}").json["results"]]

    assert ids("") == [third, second, first]
    assert ids("stage=final") == [second]
    assert ids("active=no") == [third]
    assert ids("search=SUM") == [second]
    assert ids("date_from=2026-04-01&date_to=2026-04-01") == [first]
    assert ids("date_from=2026-04-02") == [third]
    assert ids("ordering=title") == [third, first, second]
    assert ids("ordering=-scheduled_date&limit=1&date_to=2030-01-01") == [third]
    admin.get("/exams/?stage=winner", status=400, code="invalid")
    admin.get("/exams/?active=perhaps", status=400, code="invalid")
    admin.get("/exams/?date_from=1.4.2026", status=400, code="invalid")
    assert ids("date_to=9999-12-31") == [third, first]
    assert len(list(each_page(admin, "/exams/?limit=2"))) == 3


@pytest.mark.parametrize("name", planning.ORDERING)
def test_the_list_is_ordered_by_the_requested_field(app, admin, name):
    # Each field orders these exams differently.
    for title, stage, number, day, active in (
        ("b", "league", 4, 2, False),
        ("d", "screening", 1, 1, True),
        ("a", "final", 2, 4, False),
        ("c", "league", 3, 3, True),
    ):
        fields = {"title": title, "stage": stage, "round": number, "is_active": active}
        make_exam(app, admin, "", scheduled_date=f"2026-04-0{day}T09:00:00Z", **fields)
        app.clock.advance(minutes=1)
    for sign in ("", "-"):
        rows = admin.get(f"/exams/?ordering={sign}{name}").json["results"]
        values = [admin.get(f"/exams/{row['id']}/").json[name] for row in rows]
        assert values == sorted(values, reverse=sign == "-")


def test_the_list_counts_the_questions_of_the_bank(app, admin):
    archived = make_questions(app)[0]
    archive(app, archived)
    pool = admin.get("/exams/").json["question_pool_data"]
    assert pool == {
        "total_questions": 9,
        "hard_questions_count": 0,
        "moderate_questions_count": 0,
        "easy_questions_count": 9,
    }


def test_an_archived_question_of_a_draft_is_not_counted(app, admin):
    ids = make_questions(app, "ABC")
    exam_id = make_exam(app, admin, "", questions=ids)
    archive(app, ids[1])
    [listed] = admin.get("/exams/").json["results"]
    detail = admin.get(f"/exams/{exam_id}/").json
    assert (listed["question_count"], detail["question_count"]) == (2, 2)


def test_the_detail_pages_through_the_questions(app, admin):
    exam_id = make_exam(app, admin, "ABCDABCDABCD")
    first = admin.get(f"/exams/{exam_id}/").json["questions"]
    assert len(first["results"]) == 10
    assert first["pagination"]["count"] == 12
    assert first["question_pool_data"]["easy_questions_count"] == 12
    second = admin.get(f"/exams/{exam_id}/?page=2").json["questions"]
    assert len(second["results"]) == 2
    assert len(admin.get(f"/exams/{exam_id}/?page_size=3").json["questions"]["results"]) == 3
    admin.get(f"/exams/{exam_id}/?page=3", status=404, code="not_found")


def test_the_questions_of_an_exam_come_in_its_order_or_the_requested_one(app, admin):
    chosen = make_questions(app, "CAB")
    exam_id = make_exam(app, admin, "", questions=chosen[::-1])

    def ids(query=""):
        reply = admin.get(f"/exams/{exam_id}/?{query}").json["questions"]
        return [question["id"] for question in reply["results"]]

    assert ids() == ids("ordering=nothing") == chosen[::-1]
    assert ids("page_size=1&page=3") == chosen[:1]
    assert ids("ordering=id") == chosen
    assert ids("ordering=-correct_answer") == [chosen[0], chosen[2], chosen[1]]
    assert ids("created_before=2000-01-01T00:00:00") == []
    assert ids("search=question%201") == [chosen[1]]


def test_a_change_keeps_fields_that_are_not_sent(app, admin):
    exam_id = make_exam(app, admin, description="Bring a pen.")
    changed = admin.patch(f"/exams/{exam_id}/", {"title": "New"}).json
    assert (changed["title"], changed["description"]) == ("New", "Bring a pen.")
    assert changed["question_count"] == 10
    replaced = admin.put(f"/exams/{exam_id}/", {"title": "Newer", "stage": "final"}).json
    assert (replaced["title"], replaced["description"]) == ("Newer", "Bring a pen.")
    assert replaced["question_count"] == 10
    admin.put(f"/exams/{exam_id}/", {"title": "Newest"}, status=400, code="invalid")


def test_a_change_of_the_window_moves_its_end(app, admin):
    exam_id = make_exam(app, admin)
    assert admin.patch(f"/exams/{exam_id}/", {"open_duration_hours": 1}).json["status"] == (
        "concluded"
    )
    assert admin.patch(f"/exams/{exam_id}/", {"open_duration_hours": 2}).json["status"] == (
        "ongoing"
    )
    assert admin.patch(f"/exams/{exam_id}/", {"scheduled_date": None}).json["status"] == "draft"


def test_concluding_closes_the_window_now(app, admin):
    exam_id = make_exam(app, admin)
    concluded = admin.post(f"/exams/{exam_id}/conclude/").json
    assert concluded["status"] == "concluded"
    assert concluded["concluded_at"] == "2026-03-01T09:00:00Z"
    app.clock.advance(minutes=1)
    again = admin.post(f"/exams/{exam_id}/conclude/").json
    assert again["concluded_at"] == concluded["concluded_at"]
    # The same value changes nothing, so the exam stays concluded.
    assert admin.patch(f"/exams/{exam_id}/", {"open_duration_hours": 12}).json["status"] == (
        "concluded"
    )


@pytest.mark.parametrize("scheduled", [None, "2026-03-02T00:00:00Z"])
def test_an_exam_that_has_not_begun_can_not_be_concluded(app, admin, scheduled):
    exam_id = make_exam(app, admin, scheduled_date=scheduled)
    admin.post(f"/exams/{exam_id}/conclude/", status=400, code="invalid")


class TestOnceSomebodyHasStarted:
    @pytest.fixture
    def exam_id(self, app, admin):
        exam_id = make_exam(app, admin)
        app.candidate().get(f"/exams/{exam_id}/take-exam/")
        return exam_id

    def test_the_questions_of_a_started_exam_can_not_change(self, app, admin, exam_id):
        ids = admin.get(f"/exams/{exam_id}/").json
        body = {"questions": make_questions(app, "A")}
        reply = admin.patch(f"/exams/{exam_id}/", body, status=400, code="invalid")
        assert "questions" in reply.json["errors"]
        assert admin.get(f"/exams/{exam_id}/").json["question_count"] == ids["question_count"]

    def test_sending_the_same_questions_is_accepted(self, app, admin, exam_id):
        ids = [question["id"] for question in admin.get(f"/exams/{exam_id}/questions/").json]
        admin.patch(f"/exams/{exam_id}/", {"questions": ids, "title": "New"}, status=200)

    def test_the_order_of_the_sent_questions_does_not_matter(self, app, admin, exam_id):
        ids = [question["id"] for question in admin.get(f"/exams/{exam_id}/questions/").json]
        body = {"questions": [*ids[::-1], ids[0]]}
        changed = admin.patch(f"/exams/{exam_id}/", body, status=200).json
        assert changed["questions"] == ids

    def test_the_stage_of_a_started_exam_can_not_change(self, app, admin, exam_id):
        body = {"stage": "league"}
        reply = admin.patch(f"/exams/{exam_id}/", body, status=400, code="invalid")
        assert list(reply.json["errors"]) == ["stage"]
        admin.patch(f"/exams/{exam_id}/", {"stage": "screening"}, status=200)

    def test_the_countdown_of_a_started_exam_can_only_become_longer(self, app, admin, exam_id):
        admin.patch(f"/exams/{exam_id}/", {"countdown_minutes": 90}, status=200)
        admin.patch(f"/exams/{exam_id}/", {"countdown_minutes": 89}, status=400, code="invalid")

    def test_the_date_of_a_started_exam_can_not_be_removed(self, app, admin, exam_id):
        admin.patch(f"/exams/{exam_id}/", {"scheduled_date": None}, status=400, code="invalid")

    def test_an_archived_or_edited_question_stays_in_the_paper(self, app, admin, exam_id):
        before = admin.get(f"/exams/{exam_id}/questions/").json
        with begin(app.runtime) as work:
            question = work.db.get_one(Question, before[0]["id"])
            question.text, question.correct_answer, question.archived_at = "?", "D", work.now
        after = admin.get(f"/exams/{exam_id}/questions/").json
        assert [(q["text"], q["correct_answer"]) for q in after] == [
            (q["text"], q["correct_answer"]) for q in before
        ]
        assert admin.get(f"/exams/{exam_id}/").json["question_count"] == 10

    def test_an_exam_that_a_candidate_can_still_submit_is_not_deleted(self, app, admin, exam_id):
        path = f"/exams/{exam_id}/"
        refused = admin.delete(path, status=400, code="invalid").json
        assert refused["detail"].startswith("A candidate can still submit this exam. Conclude it")
        admin.post(f"{path}conclude/", status=200)
        # The candidate who has started can still submit in the grace period.
        admin.delete(path, status=400, code="invalid")
        app.clock.advance(minutes=6)
        admin.delete(path, status=204)

    def test_deleting_a_started_exam_hides_it_and_keeps_its_results(self, app, admin, exam_id):
        ada = app.candidate()
        submit(ada, exam_id, answers(app, exam_id, "ABCD"), status=201)
        app.run_jobs()
        admin.post(f"/exams/{exam_id}/conclude/", status=200)
        app.clock.advance(minutes=6)
        admin.delete(f"/exams/{exam_id}/", status=204)
        admin.get(f"/exams/{exam_id}/", status=404, code="not_found")
        admin.delete(f"/exams/{exam_id}/", status=404, code="not_found")
        app.candidate().get(f"/exams/{exam_id}/take-exam/", status=404, code="not_found")
        assert admin.get("/exams/").json["results"] == []
        [deleted] = admin.get("/exams/?deleted=true").json["results"]
        assert deleted["id"] == exam_id
        [result] = admin.get(f"/exams/{exam_id}/results/", status=200).json
        assert result["candidate_id"] == str(ada.id)
        assert len(admin.get(f"/exams/{exam_id}/scores/", status=200).json["results"]) == 1
        admin.get(f"/exams/{exam_id}/analysis/", status=200)


def test_deleting_an_exam_nobody_started_deletes_its_row(app, admin):
    exam_id = make_exam(app, admin)
    admin.delete(f"/exams/{exam_id}/", status=204)
    admin.get(f"/exams/{exam_id}/", status=404, code="not_found")
    with begin(app.runtime) as work:
        assert work.db.get(Exam, exam_id) is None


def test_a_list_takes_as_many_statements_for_many_exams_as_for_few(app, admin, statements):
    for _ in range(2):
        make_exam(app, admin, "A")
    with statements() as few:
        admin.get("/exams/")
    for _ in range(10):
        make_exam(app, admin, "A")
    with statements() as many:
        admin.get("/exams/")
    assert len(few) == len(many)
