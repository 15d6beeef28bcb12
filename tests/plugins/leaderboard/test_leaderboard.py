"""Publishing and reading ranks."""

from time import monotonic

import pytest
from sqlalchemy import text

from competition.core import flags
from competition.core.audit import AuditEntry
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.plugins.leaderboard.services.reading import BoardPages
from competition.testing.exam_day import (
    answers,
    make_exam,
    publish,
    score_by_hand,
    season,
    sit,
    submit,
)
from competition.testing.races import together
from tests.support.statements import above, counts


def board(person, query="stage=screening&round=1"):
    return person.get(f"/leaderboard/?{query}", status=200).json


def ranks(reply):
    rows = [*reply["top_three"], *reply["remaining_candidates"]]
    return [(row["rank"], row["candidate"]["id"], row["score"]) for row in rows]


SHEETS = ["ABCD      ", "ABCDABCDAB", "ABCD      ", "ABCDABCDAB", "          "]


class TestPublishing:
    def test_equal_scores_share_a_rank_and_the_earlier_submission_comes_first(self, app, admin):
        _, people = season(app, admin, SHEETS)
        publish(app, admin)
        first, best, second, also_best, last = (person.number for person in people)
        assert ranks(board(admin)) == [
            (1, best, 100.0),
            (1, also_best, 100.0),
            (3, first, 40.0),
            (3, second, 40.0),
            (5, last, 0.0),
        ]

    def test_in_a_tie_of_the_same_time_the_name_decides_and_then_the_id(self, app, admin):
        exam_id = make_exam(app, admin)
        names = [("Zoe", "Abel"), ("Ann", "Zuse"), ("Ann", "Abel"), ("Ann", "Abel")]
        people = [app.candidate(first_name=a, last_name=b) for a, b in names]
        for person in people:
            sit(app, person, exam_id, "A")
        admin.post(f"/exams/{exam_id}/conclude/")
        publish(app, admin)
        twins = sorted(people[2:], key=lambda person: str(person.id))
        expected = [*twins, people[1], people[0]]
        assert [row[1] for row in ranks(board(admin))] == [person.number for person in expected]

    def test_publishing_scores_unscored_submissions_first(self, app, admin):
        exam_id, _ = season(app, admin, ["ABCDABCDAB"])
        assert admin.get(f"/exams/{exam_id}/results/").json == []
        from competition.plugins.leaderboard.services import publishing

        with begin(app.runtime) as work:
            publishing.publish(work)
        assert ranks(board(admin))[0][2] == 100.0

    def test_a_publication_requested_twice_runs_once(self, app, admin):
        season(app, admin, ["A"])
        admin.post("/leaderboard/publish/")
        publish(app, admin)
        first = admin.get("/leaderboard/").json["snapshot_id"]
        publish(app, admin)
        assert admin.get("/leaderboard/").json["snapshot_id"] == first + 1

    def test_a_published_snapshot_never_changes_and_the_next_one_replaces_it(self, app, admin):
        exam_id, [person] = season(app, admin, ["ABCD"])
        publish(app, admin)
        before = board(admin)
        body = {"candidate_id": str(person.id), "score": 99.5}
        admin.put(f"/exams/{exam_id}/submit-exam-score/", body)
        with begin(app.runtime) as work:
            work.db.get_one(User, person.id).first_name = "Changed"
            work.db.get_one(Exam, exam_id).title = "Changed"
        assert board(admin) == before
        publish(app, admin)
        after = board(admin)
        assert after["top_three"][0]["score"] == 99.5
        assert after["top_three"][0]["candidate"]["full_name"].startswith("Changed ")
        assert after["exam_details"]["title"] == "Changed"

    def test_an_exam_that_can_still_be_submitted_is_not_published(self, app, admin):
        exam_id = make_exam(app, admin)
        done, sitting = app.candidate(), app.candidate()
        sit(app, done, exam_id, "ABCD")
        sitting.get(f"/exams/{exam_id}/take-exam/")
        admin.post(f"/exams/{exam_id}/conclude/")
        app.clock.advance(minutes=5)
        publish(app, admin)
        assert admin.get("/leaderboard/").json["available_leaderboards"] == []
        app.clock.advance(seconds=1)
        publish(app, admin)
        assert [row[1] for row in ranks(board(admin))] == [done.number]

    def test_an_ongoing_exam_is_not_published(self, app, admin):
        sit(app, app.candidate(), make_exam(app, admin), "A")
        publish(app, admin)
        board_query = "/leaderboard/?stage=screening&round=1"
        admin.get(board_query, status=404, code="not_found")

    def test_nobody_can_start_once_the_answer_key_may_be_public(self, app, admin):
        exam_id, _ = season(app, admin, ["A"])
        publish(app, admin)
        body = {"open_duration_hours": 24}
        admin.patch(f"/exams/{exam_id}/", body, status=400, code="invalid")
        # Even if the exam is open: a request that began before its end may be processed late.
        with begin(app.runtime) as work:
            work.db.get_one(Exam, exam_id).closes_at = app.clock.now.replace(year=2027)
        late = app.candidate()
        late.get(f"/exams/{exam_id}/take-exam/", status=403, code="exam_not_open")
        sheet = answers(app, exam_id, "A")
        path = f"/exams/{exam_id}/submit-exam-answers/"
        late.post(path, sheet, status=403, code="exam_not_open")

    @pytest.mark.parametrize(
        "change",
        [
            {"scheduled_date": "2026-03-01T09:30:00Z", "countdown_minutes": 10_000},
            {"is_active": False, "open_duration_hours": 100, "countdown_minutes": 10_000},
        ],
    )
    def test_a_published_exam_can_not_be_reopened(self, app, admin, change):
        exam_id = make_exam(app, admin)
        late = app.candidate()
        late.get(f"/exams/{exam_id}/take-exam/")
        sit(app, app.candidate(), exam_id, "A")
        admin.post(f"/exams/{exam_id}/conclude/")
        app.clock.advance(minutes=6)
        publish(app, admin)
        admin.patch(f"/exams/{exam_id}/", change, status=400, code="invalid")
        with begin(app.runtime) as work:
            exam = work.db.get_one(Exam, exam_id)
            exam.closes_at = app.clock.now.replace(year=2027)
            exam.countdown_minutes = 10_000
        path = f"/exams/{exam_id}/submit-exam-answers/"
        late.post(path, answers(app, exam_id, "ABCD"), status=403, code="exam_not_open")

    def test_the_later_of_two_exams_of_a_round_counts(self, app, admin):
        _, [_early] = season(app, admin, ["A"], scheduled_date="2026-03-01T08:00:00Z")
        _, [_late] = season(app, admin, ["A"], scheduled_date="2026-03-01T08:30:00Z")
        _, [same] = season(app, admin, ["A"], scheduled_date="2026-03-01T08:30:00Z")
        publish(app, admin)
        assert [row[1] for row in ranks(board(admin))] == [same.number]

    def test_a_deleted_exam_is_not_published(self, app, admin):
        exam_id, _ = season(app, admin, ["A"])
        admin.delete(f"/exams/{exam_id}/")
        publish(app, admin)
        assert admin.get("/leaderboard/").json["available_leaderboards"] == []

    def test_the_leaderboard_of_a_deleted_exam_stays_until_the_next_publication(self, app, admin):
        exam_id, [person] = season(app, admin, ["A"])
        publish(app, admin)
        published = board(person)
        admin.delete(f"/exams/{exam_id}/", status=204)
        assert board(person) == published
        first = admin.get("/leaderboard/").json["snapshot_id"]
        publish(app, admin)
        assert admin.get("/leaderboard/").json["available_leaderboards"] == []
        person.get(f"/leaderboard/?exam_id={exam_id}", status=404, code="not_found")
        earlier = admin.get(f"/leaderboard/?exam_id={exam_id}&snapshot={first}", status=200).json
        assert ranks(earlier) == [(1, person.number, 10.0)]

    def test_a_deactivated_candidate_is_left_out(self, app, admin):
        _, people = season(app, admin, ["ABCDABCDAB", "A"])
        with begin(app.runtime) as work:
            work.db.get_one(User, people[0].id).is_active = False
        publish(app, admin)
        reply = board(admin)
        assert ranks(reply) == [(1, people[1].number, 10.0)]
        assert reply["exam_details"]["average_score"] == 10.0

    def test_publish_scores_publishes_leaderboards_if_its_flag_is_on(self, app, admin):
        season(app, admin, ["A"])
        admin.post("/publish-scores/", status=403, code="permission_denied")
        with begin(app.runtime) as work:
            flags.switch(work, "score_publication", True)
        assert set(admin.post("/publish-scores/", status=202).json) == {"message"}
        app.run_jobs()
        assert len(ranks(board(admin))) == 1

    def test_publishing_is_audited(self, app, admin):
        publish(app, admin)
        with begin(app.runtime) as work:
            [entry] = work.db.query(AuditEntry).filter_by(action="leaderboard.publish")
        assert entry.actor_id == admin.id

    def test_two_workers_publish_one_after_the_other(self, live):
        admin = live.staff("admin")
        season(live, admin, SHEETS)
        from competition.plugins.leaderboard.services import publishing

        def act(_):
            with begin(live.runtime) as work:
                publishing.publish(work)

        together(2, act)
        assert len(ranks(board(admin))) == len(SHEETS)

    def test_submitting_during_the_publication_is_all_or_nothing(self, live):
        admin, person = live.staff("admin"), live.candidate()
        exam_id = make_exam(live, admin)
        person.get(f"/exams/{exam_id}/take-exam/")
        admin.post(f"/exams/{exam_id}/conclude/")
        sheet = answers(live, exam_id, "ABCDABCDAB")
        from competition.plugins.leaderboard.services import publishing

        def act(index):
            if index == 0:
                path = f"/exams/{exam_id}/submit-exam-answers/"
                return person.post(path, sheet, status=201).status_int
            with begin(live.runtime) as work:
                publishing.publish(work)
            return None

        together(2, act)
        boards = admin.get("/leaderboard/").json["available_leaderboards"]
        assert [each["total_candidates"] for each in boards] in ([], [1])
        live.run_jobs()
        publish(live, admin)
        assert ranks(board(admin)) == [(1, person.number, 100.0)]


class TestReading:
    def test_the_summary_lists_the_leaderboards(self, app, admin):
        season(app, admin, ["ABCDA", "ABC"], title="League", stage="league", round=2)
        exam_id, _ = season(app, admin, ["ABCD"], title="First")
        publish(app, admin)
        summary = admin.get("/leaderboard/").json
        assert summary["available_leaderboards"] == [
            {
                "stage": "screening",
                "round": 1,
                "stage_display": "screening_1",
                "exam_id": exam_id,
                "exam_title": "First",
                "total_candidates": 1,
                "average_score": 40.0,
            },
            {
                **summary["available_leaderboards"][1],
                "stage_display": "league_2",
                "total_candidates": 2,
                "average_score": 40.0,
            },
        ]

    def test_the_remaining_candidates_are_paged(self, app, admin):
        exam_id, _people = season(app, admin, ["ABCDABCDAB"[:count] for count in range(10, 2, -1)])
        publish(app, admin)
        first = board(admin, "stage=screening&round=1&limit=2")
        assert [row["rank"] for row in first["top_three"]] == [1, 2, 3]
        assert [row["rank"] for row in first["remaining_candidates"]] == [4, 5]
        assert first["pagination"]["count"] == 5
        assert first["pagination"]["next"] == (
            "https://league.example/v1/leaderboard/?stage=screening&round=1&limit=2&page=2"
        )
        last = board(admin, f"exam_id={exam_id}&page=3&page_size=2&offset=7")
        assert [row["rank"] for row in last["remaining_candidates"]] == [8]
        assert last["top_three"] == first["top_three"]
        details = last["exam_details"]
        assert (details["total_questions"], details["total_candidates"]) == (10, 8)
        beyond = "/leaderboard/?stage=screening&round=1&limit=2&page=4"
        admin.get(beyond, status=404, code="not_found")

    def test_a_ranked_candidate_has_both_ids_and_no_email(self, app, admin):
        _, [person] = season(app, admin, ["A"])
        publish(app, admin)
        [row] = board(admin)["top_three"]
        assert row["candidate"] == {
            "id": person.number,
            "user_id": str(person.id),
            "full_name": app.user(person).full_name,
            "school": "Hillside School",
            "role": "screening",
        }

    def test_the_school_on_a_leaderboard_is_the_one_that_counts(self, app, admin):
        """The name that an approved candidate types later counts once staff have approved it. The
        name of a candidate who was never approved is the typed one."""
        exam_id, [approved] = season(app, admin, ["A"])
        pending = app.candidate(verification="pending")
        score_by_hand(admin, exam_id, pending, 0, status=200)
        for person in (approved, pending):
            person = app.new_session(person)
            person.patch("/account-management/", {"school": "Delta"}, status=200)
        publish(app, admin)
        shown = [each["candidate"] for each in board(admin)["top_three"]]
        assert {each["user_id"]: each["school"] for each in shown} == {
            str(approved.id): "Hillside School",
            str(pending.id): "Delta",
        }

    def test_before_the_first_publication_there_is_no_leaderboard(self, app, admin):
        for query in ("", "?stage=screening&round=1", "?exam_id=1"):
            admin.get(f"/leaderboard/{query}", status=404, code="leaderboard_not_published")

    @pytest.mark.parametrize("query", ["stage=winner&round=1", "stage=league", "round=1"])
    def test_stage_and_round_must_be_sent_together(self, app, admin, query):
        publish(app, admin)
        admin.get(f"/leaderboard/?{query}", status=400, code="invalid")

    def test_an_unknown_round_is_not_found(self, app, admin):
        publish(app, admin)
        admin.get("/leaderboard/?stage=league&round=9", status=404, code="not_found")

    def test_a_screening_candidate_sees_only_screening(self, app, admin):
        league_id, _ = season(app, admin, ["A"], stage="league")
        season(app, admin, ["A"])
        publish(app, admin)
        screening = app.candidate()
        assert len(ranks(board(screening))) == 1
        for query in ("stage=league&round=1", f"exam_id={league_id}", "stage=final&round=1"):
            path = f"/leaderboard/?{query}"
            screening.get(path, status=403, code="permission_denied")
        [only] = screening.get("/leaderboard/").json["available_leaderboards"]
        assert only["stage"] == "screening"
        for role in ("league", "final", "winner"):
            assert len(ranks(board(app.candidate(role), "stage=league&round=1"))) == 1

    def test_a_hidden_leaderboard_is_visible_only_to_staff(self, app, admin):
        _, [person] = season(app, admin, ["A"])
        publish(app, admin)
        # From now on the entries of the board are cached.
        assert len(ranks(board(person))) == 1
        with begin(app.runtime) as work:
            flags.switch(work, "leaderboard_visible", False)
        for query in ("", "?stage=screening&round=1"):
            path = f"/leaderboard/{query}"
            person.get(path, status=403, code="leaderboard_hidden")
        own = f"/leaderboard/screening/1/candidate/{person.id}/"
        person.get(own, status=403, code="leaderboard_hidden")
        assert len(ranks(board(admin))) == 1

    def test_an_entry_that_changes_shows_within_a_minute(self, app, admin):
        season(app, admin, SHEETS)
        publish(app, admin)
        path = "/leaderboard/?stage=screening&round=1"
        first = admin.get(path)
        known = {"If-None-Match": first.headers["ETag"]}
        with begin(app.runtime) as work:
            work.db.execute(text("update board_entry set school = 'Another' where position = 2"))
        admin.get(path, headers=known, status=304)
        pages = app.runtime.part(BoardPages)
        pages.cache.expire(monotonic() + 60)
        assert admin.get(path, headers=known, status=200).json != first.json

    def test_a_changed_leaderboard_is_shown_immediately(self, app, admin):
        season(app, admin, SHEETS)
        publish(app, admin)
        assert board(admin)["exam_details"]["title"] != "Another"
        with begin(app.runtime) as work:
            work.db.execute(text("update board set exam_title = 'Another'"))
        assert board(admin)["exam_details"]["title"] == "Another"

    def test_a_cached_page_takes_one_statement_besides_the_callers(self, app, admin, statements):
        season(app, admin, SHEETS)
        publish(app, admin)
        acts = {
            "summary": lambda: admin.get("/leaderboard/", status=200),
            "page": lambda: board(admin),
        }
        board(admin)
        limits = {"summary": 2, "page": 2}
        assert above(limits, counts(statements, acts)) == {}

    def test_cached_pages_are_not_mixed_up(self, app, admin):
        exam_id, _ = season(app, admin, SHEETS)
        publish(app, admin)
        for _ in range(2):
            first, second = (
                board(admin, f"exam_id={exam_id}&page_size=1&page={page}") for page in (1, 2)
            )
            assert [row["rank"] for row in first["remaining_candidates"]] == [3]
            assert [row["rank"] for row in second["remaining_candidates"]] == [5]
            assert first["top_three"] == second["top_three"]


class TestPerformance:
    def test_the_performance_shows_each_answer_beside_the_right_one(self, app, admin):
        exam_id = make_exam(app, admin, "ABC")
        person = app.candidate()
        sit(app, person, exam_id, "AC ")
        admin.post(f"/exams/{exam_id}/conclude/")
        publish(app, admin)
        path = f"/leaderboard/screening/1/candidate/{person.number}/"
        reply = person.get(path, status=200).json
        assert reply["exam_details"]["id"] == exam_id
        found = reply["candidate_performance"]
        assert (found["rank"], found["score"]) == (1, 33.33)
        assert found["participated_at"] == "2026-03-01T09:00:00Z"
        assert [
            (row["correct_answer"], row["selected_option"], row["is_correct"])
            for row in found["submissions"]
        ] == [("A", "A", True), ("B", "C", False), ("C", "", False)]
        assert found["submissions"][0]["question_text"] == "Question 0 of ABC"

        assert [row["withheld"] for row in found["submissions"]] == [False] * 3

    def test_the_performance_is_found_by_either_id(self, app, admin):
        _, [person] = season(app, admin, ["A"])
        publish(app, admin)
        replies = [
            admin.get(f"/leaderboard/screening/1/candidate/{each}/").json
            for each in (person.id, person.number)
        ]
        assert replies[0] == replies[1]

    def test_a_score_by_hand_has_no_answers(self, app, admin):
        exam_id, [person] = season(app, admin, ["A"])
        app.run_jobs()
        body = {"candidate_id": str(person.id), "score": 50}
        admin.put(f"/exams/{exam_id}/submit-exam-score/", body)
        publish(app, admin)
        path = f"/leaderboard/screening/1/candidate/{person.id}/"
        found = admin.get(path).json["candidate_performance"]
        assert found["submissions"] == []
        assert found["participated_at"] == "2026-03-01T09:01:00Z"

    def test_a_screening_candidate_sees_only_themselves(self, app, admin):
        _, [own, other] = season(app, admin, ["A", "A"])
        publish(app, admin)
        path = f"/leaderboard/screening/1/candidate/{own.id}/"
        known = {"If-None-Match": own.get(path, status=200).headers["ETag"]}
        own.get(path, headers=known, status=304)
        for candidate in (other.id, 999_999):
            path = f"/leaderboard/screening/1/candidate/{candidate}/"
            own.get(path, status=403, code="permission_denied")
        app.candidate("league").get(f"/leaderboard/screening/1/candidate/{other.id}/", status=200)
        own.get(f"/leaderboard/league/1/candidate/{own.id}/", status=403, code="permission_denied")

    def test_a_candidate_who_is_not_ranked_has_no_performance(self, app, admin):
        season(app, admin, ["A"])
        publish(app, admin)
        absent = app.candidate()
        for own in (absent.id, absent.number):
            path = f"/leaderboard/screening/1/candidate/{own}/"
            absent.get(path, status=404, code="not_found")

    @pytest.mark.parametrize(
        ("path", "status", "code"),
        [
            ("screening/1/candidate/999999", 404, "not_found"),
            ("screening/1/candidate/99999999999999999999", 404, "not_found"),
            ("screening/1/candidate/somebody", 404, "not_found"),
            ("screening/1/candidate/00000000-0000-0000-0000-000000000000", 404, "not_found"),
            ("screening/2/candidate/1", 404, "not_found"),
            ("screening/one/candidate/1", 404, "not_found"),
            ("screening/99999999999/candidate/1", 404, "not_found"),
            ("winner/1/candidate/1", 400, "invalid"),
        ],
    )
    def test_unknown_stages_rounds_and_candidates_are_not_found(
        self, app, admin, path, status, code
    ):
        season(app, admin, ["A"])
        publish(app, admin)
        admin.get(f"/leaderboard/{path}/", status=status, code=code)


class TestWithheldKeys:
    """The answer key of a question is withheld while another exam uses the question."""

    @pytest.fixture
    def person(self, app, admin):
        """A candidate who answered the three questions of a published exam."""
        exam_id = make_exam(app, admin, "ABC")
        self.questions = [each["question"] for each in answers(app, exam_id, "ABC")["answers"]]
        person = app.candidate()
        sit(app, person, exam_id, "AC ")
        admin.post(f"/exams/{exam_id}/conclude/")
        publish(app, admin)
        return person

    def other(self, app, admin, **fields):
        """Another exam that contains the second question."""
        fields = {"stage": "league", "questions": [self.questions[1]], **fields}
        return make_exam(app, admin, "", **fields)

    def seen(self, reader, person):
        reply = reader.get(f"/leaderboard/screening/1/candidate/{person.number}/", status=200)
        return [
            (row["correct_answer"], row["is_correct"], row["withheld"])
            for row in reply.json["candidate_performance"]["submissions"]
        ]

    ALL = [("A", True, False), ("B", False, False), ("C", False, False)]  # noqa: RUF012  # a constant
    WITHOUT_THE_SECOND = [ALL[0], (None, None, True), ALL[2]]  # noqa: RUF012  # a constant

    @pytest.mark.parametrize("reader", ["candidate", "moderator", "superadmin"])
    def test_the_key_of_a_question_in_an_open_exam_is_withheld_from_all_readers(
        self, app, admin, person, reader
    ):
        reader = person if reader == "candidate" else app.staff(reader)
        assert self.seen(reader, person) == self.ALL
        self.other(app, admin)
        assert self.seen(reader, person) == self.WITHOUT_THE_SECOND

    def test_only_the_candidate_sees_the_answers_to_withheld_questions(self, app, admin, person):
        """The answers of the best candidates would reveal the answer key."""
        path = f"/leaderboard/screening/1/candidate/{person.number}/"

        def chosen(reader):
            found = reader.get(path, status=200).json["candidate_performance"]["submissions"]
            return [(row["selected_option"], row["is_correct"]) for row in found]

        everything = [("A", True), ("C", False), ("", False)]
        readers = person, app.candidate("league"), app.staff("superadmin")
        assert [chosen(reader) for reader in readers] == [everything] * 3
        self.other(app, admin)
        own, others, staffs = map(chosen, readers)
        assert own == [("A", True), ("C", None), ("", False)]
        assert others == [("", None)] * 3
        assert staffs == [("A", True), ("", None), ("", False)]

    def test_a_hidden_answer_does_not_look_like_a_blank_one(self, app, admin, person):
        path = f"/leaderboard/screening/1/candidate/{person.number}/"

        def hidden(reader):
            found = reader.get(path, status=200).json["candidate_performance"]["submissions"]
            return [row["answer_hidden"] for row in found]

        readers = person, app.candidate("league"), app.staff("superadmin")
        assert [hidden(reader) for reader in readers] == [[False] * 3] * 3
        self.other(app, admin)
        assert [*map(hidden, readers)] == [[False] * 3, [True] * 3, [False, True, False]]

    def test_the_key_of_a_question_in_a_scheduled_exam_is_withheld(self, app, admin, person):
        self.other(app, admin, scheduled_date="2026-09-01T09:00:00Z")
        assert self.seen(person, person) == self.WITHOUT_THE_SECOND

    @pytest.mark.parametrize("fields", [{"scheduled_date": None}, {"is_active": False}])
    def test_a_draft_or_a_cancelled_exam_withholds_nothing(self, app, admin, person, fields):
        self.other(app, admin, **fields)
        assert self.seen(person, person) == self.ALL

    def test_a_deleted_exam_withholds_nothing(self, app, admin, person):
        other = self.other(app, admin)
        ben = app.candidate("league")
        ben.get(f"/exams/{other}/take-exam/", status=200)
        submit(ben, other, answers(app, other, "A"), status=201)
        admin.delete(f"/exams/{other}/", status=204)
        assert self.seen(person, person) == self.ALL

    @pytest.mark.parametrize("end", ["conclude", "switch off"])
    def test_the_key_is_withheld_until_the_other_exam_is_sealed(self, app, admin, person, end):
        """Until then, extra time can reopen it for a candidate who has started it."""
        other = self.other(app, admin, open_duration_hours=2)
        app.candidate("league").get(f"/exams/{other}/take-exam/", status=200)
        if end == "conclude":
            admin.post(f"/exams/{other}/conclude/")
        else:
            admin.patch(f"/exams/{other}/", {"is_active": False})
        for minutes in (6, 60):
            app.clock.advance(minutes=minutes)
            assert self.seen(person, person) == self.WITHOUT_THE_SECOND
        publish(app, admin)
        assert self.seen(person, person) == self.ALL

    def test_the_key_is_withheld_as_long_as_extra_time_can_reopen_the_other_exam(
        self, app, admin, person
    ):
        other = self.other(app, admin, open_duration_hours=2)
        sitting = app.candidate("league")
        sitting.get(f"/exams/{other}/take-exam/", status=200)
        app.clock.advance(minutes=66)
        assert self.seen(person, person) == self.WITHOUT_THE_SECOND
        reason = "The projector failed."
        given = {"candidate_id": str(sitting.id), "extra_minutes": 120, "reason": reason}
        admin.post(f"/exams/{other}/allowances/", given, status=201)
        sitting.get(f"/exams/{other}/take-exam/", status=200)
        assert self.seen(person, person) == self.WITHOUT_THE_SECOND

    def test_an_exam_that_nobody_started_withholds_nothing_once_it_is_over(
        self, app, admin, person
    ):
        """Such an exam is never sealed. Scores on paper don't change this."""
        other = self.other(app, admin)
        on_paper = app.candidate("league")
        score_by_hand(admin, other, on_paper, 50, status=200)
        assert self.seen(person, person) == self.WITHOUT_THE_SECOND
        admin.post(f"/exams/{other}/conclude/")
        assert self.seen(person, person) == self.ALL

    def test_the_etag_changes_when_a_withheld_key_becomes_visible(self, app, admin, person):
        """The key becomes visible although no row is written."""
        path = f"/leaderboard/screening/1/candidate/{person.number}/"
        self.other(app, admin, open_duration_hours=2)
        withheld = {"If-None-Match": person.get(path).headers["ETag"]}
        person.get(path, headers=withheld, status=304)
        app.clock.advance(minutes=59)
        person.get(path, headers=withheld, status=304)
        app.clock.advance(minutes=1)
        shown = {"If-None-Match": person.get(path, headers=withheld, status=200).headers["ETag"]}
        assert self.seen(person, person) == self.ALL
        self.other(app, admin, scheduled_date="2026-09-01T09:00:00Z")
        person.get(path, headers=shown, status=200)


class TestSnapshots:
    def test_snapshots_list_their_leaderboards_newest_first(self, app, admin):
        moderator = app.staff("moderator")
        assert moderator.get("/leaderboard/snapshots/", status=200).json["results"] == []
        first, _ = season(app, admin, ["ABCD"])
        publish(app, admin)
        second, _ = season(app, admin, ["ABCD"], stage="league")
        admin.post("/leaderboard/publish/", {"exams": [second]}, status=202)
        app.run_jobs()
        listed = moderator.get("/leaderboard/snapshots/", status=200).json
        changed = [
            [board["exam_id"] for board in each["published_leaderboards"]]
            for each in listed["results"]
        ]
        assert changed == [[second], [first]]
        assert listed["pagination"]["count"] == 2
        latest, earliest = (each["snapshot_id"] for each in listed["results"])
        assert latest > earliest
        moderator.get("/leaderboard/snapshots/?page=9", status=404, code="not_found")
        reply = moderator.get(f"/leaderboard/snapshots/?exam_id={first}", status=200).json
        assert [each["snapshot_id"] for each in reply["results"]] == [earliest]
        assert reply["results"][0]["published_leaderboards"][0]["stage_display"] == "screening_1"
        assert reply["results"][0]["season"] == admin.get(f"/exams/{first}/").json["season"]
        summary = moderator.get(f"/leaderboard/?snapshot={earliest}", status=200).json
        assert summary["published_at"] == reply["results"][0]["published_at"]
