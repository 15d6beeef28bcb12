"""Exam day: opening the paper, handing in the answers, being scored."""

from datetime import datetime, timedelta

import pytest

from competition.core.work import begin
from competition.plugins.exams.models import Score, Submission
from competition.plugins.questions.models import Question
from tests.functional.exam_day import answers, make_exam, sit
from tests.service import together

pytestmark = pytest.mark.needs("exams")


@pytest.fixture
def candidate(app):
    return app.candidate()


def time(text):
    return datetime.fromisoformat(text)


def take(person, exam_id, **expected):
    return person.get(f"/exams/{exam_id}/take-exam/", **expected)


def submit(person, exam_id, body, **expected):
    return person.post(f"/exams/{exam_id}/submit-exam-answers/", body, **expected)


def score_of(app, person, exam_id):
    app.run_jobs()
    with begin(app.runtime) as work:
        score = work.db.get(Score, (exam_id, person.id))
        return None if score is None else float(score.value)


class TestOpeningThePaper:
    def test_it_shows_neither_the_answers_nor_the_difficulty(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        paper = take(candidate, exam_id, status=200).json
        assert len(paper["questions"]) == paper["question_count"] == 10
        assert set(paper["questions"][0]) == {
            *("id", "text", "option_a", "option_b", "option_c", "option_d")
        }

    def test_the_first_call_starts_the_clock(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        first = take(candidate, exam_id).json
        assert time(first["started_at"]) == app.clock.now == time(first["server_time"])
        assert time(first["deadline"]) == app.clock.now + timedelta(minutes=60)
        assert first["seconds_remaining"] == 3600
        app.clock.advance(minutes=20)
        later = take(candidate, exam_id).json
        assert later["questions"] == first["questions"]
        assert later["started_at"] == first["started_at"]
        assert later["deadline"] == first["deadline"]
        assert later["seconds_remaining"] == 2400

    def test_the_window_ends_every_attempt(self, app, admin, candidate):
        exam_id = make_exam(app, admin, open_duration_hours=2, countdown_minutes=90)
        paper = take(candidate, exam_id).json
        assert time(paper["deadline"]) == app.clock.now + timedelta(hours=1)

    def test_it_can_be_opened_again_until_the_end_of_the_grace(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        app.clock.advance(minutes=65)
        assert take(candidate, exam_id).json["seconds_remaining"] == 0
        app.clock.advance(seconds=1)
        take(candidate, exam_id, status=403, code="exam_not_open")

    def test_a_longer_countdown_reaches_who_is_sitting(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        admin.patch(f"/exams/{exam_id}/", {"countdown_minutes": 90})
        paper = take(candidate, exam_id).json
        assert time(paper["deadline"]) == app.clock.now + timedelta(minutes=90)

    def test_the_paper_is_the_same_for_all_whatever_becomes_of_a_question(
        self, app, admin, candidate
    ):
        exam_id = make_exam(app, admin)
        first = take(candidate, exam_id).json["questions"]
        with begin(app.runtime) as work:
            question = work.db.get_one(Question, first[0]["id"])
            question.text, question.archived_at = "Changed", work.now
        assert take(app.candidate(), exam_id).json["questions"] == first

    def test_questions_archived_before_are_left_out(self, app, admin, candidate):
        exam_id = make_exam(app, admin, "ABC")
        first = admin.get(f"/exams/{exam_id}/questions/").json[0]["id"]
        with begin(app.runtime) as work:
            work.db.get_one(Question, first).archived_at = work.now
        paper = take(candidate, exam_id).json
        assert first not in [question["id"] for question in paper["questions"]]
        assert paper["question_count"] == 2

    def test_an_exam_without_questions_is_not_open(self, app, admin, candidate):
        exam_id = make_exam(app, admin, "")
        take(candidate, exam_id, status=403, code="exam_not_open")

    @pytest.mark.parametrize("role", ["league", "final", "winner"])
    def test_it_is_for_the_stage_of_the_exam(self, app, admin, role):
        exam_id = make_exam(app, admin)
        take(app.candidate(role), exam_id, status=403, code="exam_not_eligible")

    def test_the_checks_come_in_order(self, app, admin, candidate):
        concluded = make_exam(app, admin, open_duration_hours=1)
        league = make_exam(app, admin, stage="league", open_duration_hours=1)
        unverified = app.candidate(verification="pending")
        take(unverified, 999_999, status=403, code="unverified_candidate")
        take(candidate, 999_999, status=404, code="not_found")
        take(candidate, league, status=403, code="exam_not_eligible")
        take(candidate, concluded, status=403, code="exam_not_open")

    def test_after_the_submission_there_is_nothing_to_open(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        sit(app, candidate, exam_id, "A")
        take(candidate, exam_id, status=400, code="exam_already_submitted")

    @pytest.mark.parametrize(
        "fields",
        [
            {"scheduled_date": None},
            {"scheduled_date": "2026-03-01T09:00:01Z"},
            {"open_duration_hours": 1},
            {"is_active": False},
        ],
    )
    def test_it_is_open_in_its_window_alone(self, app, admin, candidate, fields):
        exam_id = make_exam(app, admin, **fields)
        take(candidate, exam_id, status=403, code="exam_not_open")


class TestSubmitting:
    def test_the_score_is_the_percentage_of_right_answers(self, app, admin, candidate):
        exam_id = make_exam(app, admin, "ABC")
        take(candidate, exam_id)
        reply = submit(candidate, exam_id, answers(app, exam_id, "AB "), status=201)
        assert set(reply.json) == {"message"}
        assert score_of(app, candidate, exam_id) == 66.67

    def test_blank_null_lower_case_and_left_out_answers(self, app, admin, candidate):
        exam_id = make_exam(app, admin, "ABCD")
        body = answers(app, exam_id, "ABC")
        for item, option in zip(body["answers"], ["a", "", None], strict=True):
            item["selected_option"] = option
        submit(candidate, exam_id, body, status=201)
        with begin(app.runtime) as work:
            assert work.db.get_one(Submission, (exam_id, candidate.id)).answers == "A---"

    def test_it_is_accepted_once(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        sit(app, candidate, exam_id, "ABCDABCDAB")
        again = answers(app, exam_id, "DDDDDDDDDD")
        submit(candidate, exam_id, again, status=400, code="exam_already_submitted")
        assert score_of(app, candidate, exam_id) == 100.0

    def test_a_retry_hears_submitted_even_after_the_window_and_without_a_body(
        self, app, admin, candidate
    ):
        exam_id = make_exam(app, admin)
        sit(app, candidate, exam_id, "A")
        app.clock.advance(days=2)
        fresh = app.login(candidate)
        submit(fresh, exam_id, {}, status=400, code="exam_already_submitted")

    def test_it_is_taken_until_the_end_of_the_grace(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        late = app.candidate()
        for person in (candidate, late):
            take(person, exam_id)
        app.clock.advance(minutes=65)
        submit(candidate, exam_id, answers(app, exam_id, "A"), status=201)
        app.clock.advance(seconds=1)
        body = answers(app, exam_id, "A")
        submit(late, exam_id, body, status=403, code="exam_not_open")

    @pytest.mark.parametrize(
        "change",
        [
            {"is_active": False},
            {"open_duration_hours": 1},
            {"scheduled_date": "2026-02-01T00:00:00Z"},
        ],
    )
    def test_an_end_that_comes_early_leaves_the_grace(self, app, admin, candidate, change):
        exam_id = make_exam(app, admin)
        late = app.candidate()
        for person in (candidate, late):
            take(person, exam_id)
        admin.patch(f"/exams/{exam_id}/", change)
        app.clock.advance(minutes=5)
        submit(candidate, exam_id, answers(app, exam_id, "A"), status=201)
        app.clock.advance(seconds=1)
        submit(late, exam_id, answers(app, exam_id, "A"), status=403, code="exam_not_open")

    def test_an_edit_after_the_end_leaves_the_grace_too(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        admin.post(f"/exams/{exam_id}/conclude/")
        app.clock.advance(minutes=1)
        admin.patch(f"/exams/{exam_id}/", {"open_duration_hours": 1}, status=200)
        app.clock.advance(minutes=4)
        submit(candidate, exam_id, answers(app, exam_id, "A"), status=201)

    @pytest.mark.needs("people")
    def test_whoever_is_promoted_while_sitting_may_still_submit(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        admin.put(f"/candidates/{candidate.id}/roles/assign/", {"role": "league"})
        take(candidate, exam_id, status=200)
        submit(candidate, exam_id, answers(app, exam_id, "A"), status=201)

    def test_concluding_leaves_the_grace_to_those_who_sit(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        admin.post(f"/exams/{exam_id}/conclude/")
        body = answers(app, exam_id, "A")
        submit(app.candidate(), exam_id, body, status=403, code="exam_not_open")
        app.clock.advance(minutes=5)
        submit(candidate, exam_id, body, status=201)

    def test_without_opening_the_paper_it_is_taken_inside_the_window(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        submit(candidate, exam_id, answers(app, exam_id, "ABCDABCDAB"), status=201)
        assert score_of(app, candidate, exam_id) == 100.0

    def test_the_checks_come_in_order(self, app, admin, candidate):
        closed = make_exam(app, admin, open_duration_hours=1)
        league = make_exam(app, admin, stage="league", open_duration_hours=1)
        unverified = app.candidate(is_email_verified=False)
        submit(unverified, 999_999, {}, status=403, code="unverified_candidate")
        submit(candidate, 999_999, {}, status=404, code="not_found")
        submit(candidate, league, {}, status=403, code="exam_not_eligible")
        submit(candidate, closed, {}, status=403, code="exam_not_open")

    @pytest.mark.parametrize(
        "given",
        [
            None,
            [],
            {},
            "A",
            [None],
            [{"selected_option": "A"}],
            [{"question": True, "selected_option": "A"}],
            [{"question": "x", "selected_option": "A"}],
            [{"question": 10**30, "selected_option": "A"}],
            [{"question": 1, "selected_option": "E"}],
            [{"question": 1, "selected_option": "AB"}],
            [{"question": 1, "selected_option": 1}],
            [{"question": 1, "selected_option": "A"}] * 501,
        ],
    )
    def test_a_body_that_is_not_valid_does_not_use_up_the_attempt(
        self, app, admin, candidate, given
    ):
        exam_id = make_exam(app, admin)
        body = {} if given is None else {"answers": given}
        reply = submit(candidate, exam_id, body, status=400, code="invalid")
        assert "answers" in reply.json["errors"]
        submit(candidate, exam_id, answers(app, exam_id, "A"), status=201)

    def test_the_message_is_found_by_the_index_of_the_answer(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        body = answers(app, exam_id, "AB")
        body["answers"][1]["selected_option"] = "X"
        errors = submit(candidate, exam_id, body, status=400).json["errors"]
        assert list(errors["answers"]) == ["1"]
        assert list(errors["answers"]["1"]) == ["selected_option"]

    def test_a_foreign_or_repeated_question_refuses_the_whole(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        foreign = answers(app, make_exam(app, admin, "A"), "A")["answers"]
        body = answers(app, exam_id, "AB")
        errors = submit(
            candidate, exam_id, {"answers": body["answers"] + foreign}, status=400, code="invalid"
        ).json["errors"]
        assert list(errors["answers"]) == ["2"]
        twice = {"answers": body["answers"] + body["answers"][:1]}
        submit(candidate, exam_id, twice, status=400, code="invalid")
        with begin(app.runtime) as work:
            assert work.db.get(Submission, (exam_id, candidate.id)) is None

    def test_a_right_answer_changed_in_the_bank_does_not_change_the_score(
        self, app, admin, candidate
    ):
        exam_id = make_exam(app, admin, "A")
        sit(app, candidate, exam_id, "A")
        with begin(app.runtime) as work:
            for question in work.db.query(Question):
                question.correct_answer = "B"
        assert score_of(app, candidate, exam_id) == 100.0


class TestScoring:
    def test_scoring_twice_changes_nothing(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        sit(app, candidate, exam_id, "ABCD")
        score_of(app, candidate, exam_id)
        [before] = admin.get(f"/exams/{exam_id}/results/").json
        app.clock.advance(minutes=1)
        with begin(app.runtime) as work:
            work.enqueue(
                "exams.score", key=str(exam_id), exam_id=exam_id, candidate_id=str(candidate.id)
            )
        app.run_jobs()
        assert admin.get(f"/exams/{exam_id}/results/").json == [before]

    def test_a_burst_is_scored_in_one_run(self, app, admin):
        exam_id = make_exam(app, admin)
        for _ in range(5):
            sit(app, app.candidate(), exam_id, "ABCD")
        assert app.run_jobs() == 1
        assert [row["score"] for row in admin.get(f"/exams/{exam_id}/results/").json] == [40.0] * 5

    def test_a_score_by_hand_is_never_overwritten(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        path = f"/exams/{exam_id}/submit-exam-score/"
        reply = admin.put(path, {"candidate_id": str(candidate.id), "score": 12.345}).json
        assert "submitted" in reply["message"]
        assert reply["data"]["score"] == 12.35
        assert reply["data"]["candidate"]["user"]["id"] == str(candidate.id)
        assert reply["data"]["exam"]["id"] == exam_id
        # It is no submission: the answers may still be sent.
        sit(app, candidate, exam_id, "ABCDABCDAB")
        assert score_of(app, candidate, exam_id) == 12.35
        [row] = admin.get(f"/exams/{exam_id}/results/").json
        assert row["auto_score"] is False
        assert row["score_submitted_by"] == app.user(admin).full_name

    def test_a_score_by_hand_takes_the_place_of_an_automatic_one(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        sit(app, candidate, exam_id, "ABCDABCDAB")
        app.run_jobs()
        path = f"/exams/{exam_id}/submit-exam-score/"
        body = {"candidate_id": str(candidate.id), "score": 0}
        assert "updated" in admin.put(path, body).json["message"]
        assert score_of(app, candidate, exam_id) == 0.0

    @pytest.mark.parametrize("score", [None, "10", True, -0.01, 100.01, 10**400])
    def test_a_score_is_between_0_and_100(self, app, admin, candidate, score):
        exam_id = make_exam(app, admin)
        body = {"candidate_id": str(candidate.id), "score": score}
        path = f"/exams/{exam_id}/submit-exam-score/"
        assert "score" in admin.put(path, body, status=400, code="invalid").json["errors"]

    @pytest.mark.parametrize("wrong", ["x", "", 7, "00000000-0000-0000-0000-000000000000"])
    def test_an_unknown_candidate_is_named(self, app, admin, wrong):
        exam_id = make_exam(app, admin)
        path = f"/exams/{exam_id}/submit-exam-score/"
        reply = admin.put(path, {"candidate_id": wrong, "score": 1}, status=400, code="invalid")
        assert "candidate_id" in reply.json["errors"]
        staff = {"candidate_id": str(admin.id), "score": 1}
        admin.put(path, staff, status=400, code="invalid")
        admin.put("/exams/999999/submit-exam-score/", {}, status=404, code="not_found")


class TestRaces:
    def test_a_score_by_hand_for_an_exam_that_is_being_deleted(self, live):
        admins, person = [live.staff("admin"), live.staff("admin")], live.candidate()
        exam_id = make_exam(live, admins[0])
        body = {"candidate_id": str(person.id), "score": 1}
        acts = [
            lambda: admins[0].delete(f"/exams/{exam_id}/", status=204),
            lambda: admins[1].put(f"/exams/{exam_id}/submit-exam-score/", body, status="any"),
        ]
        _, reply = together(2, lambda index: acts[index]())
        assert reply.status_int in (200, 404)

    def test_of_twenty_submissions_at_once_one_is_stored(self, live):
        exam_id = make_exam(live, live.staff("admin"))
        person = live.candidate()
        take(person, exam_id)
        body = answers(live, exam_id, "ABCDABCDAB")
        replies = together(20, lambda _: submit(person, exam_id, body, status="any"))
        codes = sorted((reply.status_int, reply.json.get("code")) for reply in replies)
        assert codes == sorted(
            [(201, None)] + [(400, "exam_already_submitted")] * 19, key=lambda pair: pair[0]
        )
        assert score_of(live, person, exam_id) == 100.0

    def test_a_paper_is_frozen_once_for_all_who_start_together(self, live):
        exam_id = make_exam(live, live.staff("admin"))
        people = [live.candidate() for _ in range(8)]
        replies = together(8, lambda index: take(people[index], exam_id))
        assert len({str(reply.json["questions"]) for reply in replies}) == 1

    def test_two_first_calls_start_one_clock(self, live):
        exam_id = make_exam(live, live.staff("admin"))
        person = live.candidate()
        replies = together(6, lambda _: take(person, exam_id))
        assert len({reply.json["started_at"] for reply in replies}) == 1

    def test_the_questions_change_or_the_paper_is_frozen(self, live):
        admin, person = live.staff("admin"), live.candidate()
        exam_id, other = make_exam(live, admin), make_exam(live, admin, "DD")
        wanted = [q["id"] for q in admin.get(f"/exams/{other}/questions/").json]

        def act(index):
            if index == 0:
                return take(person, exam_id)
            return admin.patch(f"/exams/{exam_id}/", {"questions": wanted}, status="any")

        taken, changed = together(2, act)
        shown = [question["id"] for question in take(person, exam_id).json["questions"]]
        assert (changed.status_int == 200) == (shown == wanted)
        assert [question["id"] for question in taken.json["questions"]] == shown

    def test_submitting_while_it_is_concluded_is_all_or_nothing(self, live):
        admin, person, sitting = live.staff("admin"), live.candidate(), live.candidate()
        exam_id = make_exam(live, admin)
        take(sitting, exam_id)
        body = answers(live, exam_id, "ABCDABCDAB")
        acts = [
            lambda: admin.post(f"/exams/{exam_id}/conclude/", status=200),
            lambda: submit(person, exam_id, body, status="any"),
            # Who has started has the grace, whoever is first.
            lambda: submit(sitting, exam_id, body, status=201),
        ]
        _, reply, _ = together(3, lambda index: acts[index]())
        assert (reply.status_int, reply.json.get("code")) in ((201, None), (403, "exam_not_open"))
        live.run_jobs()
        scored = {row["candidate_id"] for row in admin.get(f"/exams/{exam_id}/results/").json}
        submitted = {str(sitting.id)} | ({str(person.id)} if reply.status_int == 201 else set())
        assert scored == submitted

    def test_two_scores_by_hand_leave_one_whole(self, live):
        exam_id = make_exam(live, live.staff("admin"))
        admins, person = [live.staff("admin"), live.staff("admin")], live.candidate()

        def act(index):
            body = {"candidate_id": str(person.id), "score": 10 * (index + 1)}
            return admins[index].put(f"/exams/{exam_id}/submit-exam-score/", body, status=200)

        messages = sorted(reply.json["message"] for reply in together(2, act))
        assert [("submitted" in text, "updated" in text) for text in messages] == [
            (True, False),
            (False, True),
        ]
        [row] = admins[0].get(f"/exams/{exam_id}/results/").json
        by = live.user(admins[0 if row["score"] == 10 else 1])
        assert row["score_submitted_by"] == by.full_name
