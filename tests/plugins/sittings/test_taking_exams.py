"""Opening the paper and submitting the answers."""

from datetime import datetime, timedelta

import pytest

from competition.core.work import begin
from competition.plugins.questions.models import Question
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import answers, make_exam, score_of, sit, submit, take
from competition.testing.races import together


@pytest.fixture
def candidate(app):
    return app.candidate()


def time(text):
    return datetime.fromisoformat(text)


class TestOpeningThePaper:
    def test_the_paper_shows_neither_the_answers_nor_the_difficulty(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        paper = take(candidate, exam_id, status=200).json
        assert len(paper["questions"]) == paper["question_count"] == 10
        assert set(paper["questions"][0]) == {
            *("id", "text", "option_a", "option_b", "option_c", "option_d"),
            *("rendered", "spoken"),
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

    def test_the_end_of_the_window_ends_every_attempt(self, app, admin, candidate):
        exam_id = make_exam(app, admin, open_duration_hours=2, countdown_minutes=90)
        paper = take(candidate, exam_id).json
        assert time(paper["deadline"]) == app.clock.now + timedelta(hours=1)

    def test_the_paper_can_be_opened_again_until_the_grace_period_ends(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        app.clock.advance(minutes=65)
        assert take(candidate, exam_id).json["seconds_remaining"] == 0
        app.clock.advance(seconds=1)
        take(candidate, exam_id, status=403, code="exam_not_open")

    def test_a_longer_countdown_extends_running_attempts(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        admin.patch(f"/exams/{exam_id}/", {"countdown_minutes": 90})
        paper = take(candidate, exam_id).json
        assert time(paper["deadline"]) == app.clock.now + timedelta(minutes=90)

    def test_changing_a_question_does_not_change_the_paper(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        first = take(candidate, exam_id).json["questions"]
        with begin(app.runtime) as work:
            question = work.db.get_one(Question, first[0]["id"])
            question.text, question.archived_at = "Changed", work.now
        assert take(app.candidate(), exam_id).json["questions"] == first

    def test_questions_archived_before_the_first_start_are_left_out(self, app, admin, candidate):
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
    def test_candidates_of_another_stage_can_not_open_the_paper(self, app, admin, role):
        exam_id = make_exam(app, admin)
        take(app.candidate(role), exam_id, status=403, code="exam_not_eligible")

    def test_opening_the_paper_runs_its_checks_in_order(self, app, admin, candidate):
        concluded = make_exam(app, admin, open_duration_hours=1)
        league = make_exam(app, admin, stage="league", open_duration_hours=1)
        unverified = app.candidate(verification="pending")
        take(unverified, 999_999, status=403, code="unverified_candidate")
        take(candidate, 999_999, status=404, code="not_found")
        take(candidate, league, status=403, code="exam_not_eligible")
        take(candidate, concluded, status=403, code="exam_not_open")

    def test_the_paper_can_not_be_opened_after_the_submission(self, app, admin, candidate):
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
    def test_the_paper_can_be_opened_only_in_the_window(self, app, admin, candidate, fields):
        exam_id = make_exam(app, admin, **fields)
        take(candidate, exam_id, status=403, code="exam_not_open")


class TestSubmitting:
    def test_blank_null_and_omitted_answers_are_stored_as_unanswered(self, app, admin, candidate):
        exam_id = make_exam(app, admin, "ABCD")
        body = answers(app, exam_id, "ABC")
        for item, option in zip(body["answers"], ["a", "", None], strict=True):
            item["selected_option"] = option
        submit(candidate, exam_id, body, status=201)
        with begin(app.runtime) as work:
            assert work.db.get_one(Submission, (exam_id, candidate.id)).answers == "A---"

    def test_a_submission_is_accepted_once(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        sit(app, candidate, exam_id, "ABCDABCDAB")
        again = answers(app, exam_id, "DDDDDDDDDD")
        submit(candidate, exam_id, again, status=400, code="exam_already_submitted")
        assert score_of(app, candidate, exam_id) == 100.0

    def test_a_retry_returns_exam_already_submitted_even_after_the_window(
        self, app, admin, candidate
    ):
        exam_id = make_exam(app, admin)
        sit(app, candidate, exam_id, "A")
        app.clock.advance(days=2)
        fresh = app.new_session(candidate)
        submit(fresh, exam_id, {}, status=400, code="exam_already_submitted")

    def test_a_submission_is_accepted_until_the_grace_period_ends(self, app, admin, candidate):
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
    def test_an_early_end_leaves_the_grace_period(self, app, admin, candidate, change):
        exam_id = make_exam(app, admin)
        late = app.candidate()
        for person in (candidate, late):
            take(person, exam_id)
        admin.patch(f"/exams/{exam_id}/", change)
        app.clock.advance(minutes=5)
        submit(candidate, exam_id, answers(app, exam_id, "A"), status=201)
        app.clock.advance(seconds=1)
        submit(late, exam_id, answers(app, exam_id, "A"), status=403, code="exam_not_open")

    def test_an_edit_after_the_end_leaves_the_grace_period(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        admin.post(f"/exams/{exam_id}/conclude/")
        app.clock.advance(minutes=1)
        admin.patch(f"/exams/{exam_id}/", {"open_duration_hours": 1}, status=200)
        app.clock.advance(minutes=4)
        submit(candidate, exam_id, answers(app, exam_id, "A"), status=201)

    def test_a_candidate_who_is_promoted_during_an_exam_can_still_submit(
        self, app, admin, candidate
    ):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        admin.put(f"/candidates/{candidate.id}/roles/assign/", {"role": "league"})
        take(candidate, exam_id, status=200)
        submit(candidate, exam_id, answers(app, exam_id, "A"), status=201)

    def test_concluding_leaves_the_grace_period_to_candidates_who_started(
        self, app, admin, candidate
    ):
        exam_id = make_exam(app, admin)
        take(candidate, exam_id)
        admin.post(f"/exams/{exam_id}/conclude/")
        body = answers(app, exam_id, "A")
        submit(app.candidate(), exam_id, body, status=403, code="exam_not_open")
        app.clock.advance(minutes=5)
        submit(candidate, exam_id, body, status=201)

    def test_a_submission_without_opening_the_paper_is_accepted_in_the_window(
        self, app, admin, candidate
    ):
        exam_id = make_exam(app, admin)
        submit(candidate, exam_id, answers(app, exam_id, "ABCDABCDAB"), status=201)
        assert score_of(app, candidate, exam_id) == 100.0

    def test_submitting_runs_its_checks_in_order(self, app, admin, candidate):
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
            [{"question": 1, "option": "A"}],
            [{"question": 1, "selectedOption": "A"}],
            [{"question": 1, "selected_option": "A"}] * 501,
        ],
    )
    def test_an_invalid_body_does_not_use_up_the_attempt(self, app, admin, candidate, given):
        exam_id = make_exam(app, admin)
        body = {} if given is None else {"answers": given}
        reply = submit(candidate, exam_id, body, status=400, code="invalid")
        assert "answers" in reply.json["errors"]
        submit(candidate, exam_id, answers(app, exam_id, "A"), status=201)

    def test_an_error_has_the_index_of_its_answer(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        body = answers(app, exam_id, "AB")
        body["answers"][1]["selected_option"] = "X"
        errors = submit(candidate, exam_id, body, status=400).json["errors"]
        assert list(errors["answers"]) == ["1"]
        assert list(errors["answers"]["1"]) == ["selected_option"]

    def test_a_foreign_or_repeated_question_rejects_the_whole_submission(
        self, app, admin, candidate
    ):
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


class TestRaces:
    def test_one_of_twenty_simultaneous_submissions_is_stored(self, live):
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

    def test_simultaneous_starts_freeze_one_paper(self, live):
        exam_id = make_exam(live, live.staff("admin"))
        people = [live.candidate() for _ in range(8)]
        replies = together(8, lambda index: take(people[index], exam_id))
        assert len({str(reply.json["questions"]) for reply in replies}) == 1

    def test_simultaneous_first_calls_start_one_clock(self, live):
        exam_id = make_exam(live, live.staff("admin"))
        person = live.candidate()
        replies = together(6, lambda _: take(person, exam_id))
        assert len({reply.json["started_at"] for reply in replies}) == 1

    def test_either_the_questions_change_or_the_paper_is_frozen(self, live):
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

    def test_submitting_while_the_exam_is_being_concluded_is_all_or_nothing(self, live):
        admin, person, sitting = live.staff("admin"), live.candidate(), live.candidate()
        exam_id = make_exam(live, admin)
        take(sitting, exam_id)
        body = answers(live, exam_id, "ABCDABCDAB")
        acts = [
            lambda: admin.post(f"/exams/{exam_id}/conclude/", status=200),
            lambda: submit(person, exam_id, body, status="any"),
            # A candidate who has started has the grace period, whichever request comes first.
            lambda: submit(sitting, exam_id, body, status=201),
        ]
        _, reply, _ = together(3, lambda index: acts[index]())
        assert (reply.status_int, reply.json.get("code")) in ((201, None), (403, "exam_not_open"))
        live.run_jobs()
        scored = {row["candidate_id"] for row in admin.get(f"/exams/{exam_id}/results/").json}
        submitted = {str(sitting.id)} | ({str(person.id)} if reply.status_int == 201 else set())
        assert scored == submitted
