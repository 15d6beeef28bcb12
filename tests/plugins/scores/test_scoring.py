"""Scores: computed from the answers, or entered by hand."""

import pytest

from competition.core.jobs import jobs
from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.questions.models import Question
from competition.plugins.scores.models import Score
from competition.testing.exam_day import (
    answers,
    make_exam,
    score_by_hand,
    score_of,
    sit,
    submit,
    take,
)
from competition.testing.races import together


@pytest.fixture
def candidate(app):
    return app.candidate()


class TestScoring:
    def test_the_score_is_the_percentage_of_right_answers(self, app, admin, candidate):
        exam_id = make_exam(app, admin, "ABC")
        take(candidate, exam_id)
        reply = submit(candidate, exam_id, answers(app, exam_id, "AB "), status=201)
        assert "score" not in reply.json
        assert score_of(app, candidate, exam_id) == 66.67

    def test_a_right_answer_changed_in_the_bank_does_not_change_the_score(
        self, app, admin, candidate
    ):
        exam_id = make_exam(app, admin, "A")
        sit(app, candidate, exam_id, "A")
        with begin(app.runtime) as work:
            for question in work.db.query(Question):
                question.correct_answer = "B"
        assert score_of(app, candidate, exam_id) == 100.0

    def test_scoring_twice_changes_nothing(self, app, admin, candidate):
        exam_id = make_exam(app, admin)
        sit(app, candidate, exam_id, "ABCD")
        score_of(app, candidate, exam_id)
        [before] = admin.get(f"/exams/{exam_id}/results/").json
        app.clock.advance(minutes=1)
        with begin(app.runtime) as work:
            jobs.enqueue(
                work,
                "scores.score",
                key=str(exam_id),
                exam_id=exam_id,
                candidate_id=str(candidate.id),
            )
        app.run_jobs()
        assert admin.get(f"/exams/{exam_id}/results/").json == [before]

    def test_many_submissions_are_scored_in_one_run(self, app, admin):
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
        # A score by hand is not a submission, so the candidate can still submit.
        sit(app, candidate, exam_id, "ABCDABCDAB")
        assert score_of(app, candidate, exam_id) == 12.35
        [row] = admin.get(f"/exams/{exam_id}/results/").json
        assert row["auto_score"] is False
        assert row["score_submitted_by"] == app.user(admin).full_name

    def test_a_score_by_hand_replaces_an_automatic_one(self, app, admin, candidate):
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
    def test_an_unknown_candidate_is_an_error_of_its_field(self, app, admin, wrong):
        exam_id = make_exam(app, admin)
        path = f"/exams/{exam_id}/submit-exam-score/"
        reply = admin.put(path, {"candidate_id": wrong, "score": 1}, status=400, code="invalid")
        assert "candidate_id" in reply.json["errors"]
        staff = {"candidate_id": str(admin.id), "score": 1}
        admin.put(path, staff, status=400, code="invalid")
        admin.put("/exams/999999/submit-exam-score/", {}, status=404, code="not_found")

    def test_only_a_candidate_who_has_joined_the_season_gets_a_score(self, app, admin, candidate):
        """A score that was given before can still be corrected."""
        scored = app.candidate()
        app.staff("superadmin").post("/seasons/", {"name": "2027"}, status=201)
        exam_id = make_exam(app, admin)
        refused = score_by_hand(admin, exam_id, candidate, 97, status=400, code="invalid")
        [message] = refused.json["errors"]["candidate_id"]
        assert "join in the portal" in message
        candidate.post("/seasons/join/", {}, status=200)
        score_by_hand(admin, exam_id, candidate, 97, status=200)
        with begin(app.runtime) as work:
            work.db.add(
                Score(
                    exam_id=exam_id,
                    candidate_id=scored.id,
                    value=50,
                    is_auto=False,
                    recorded_at=work.now,
                )
            )
        score_by_hand(admin, exam_id, scored, 60, status=200)


def test_the_results_list_all_scores_highest_first(app, admin):
    exam_id = make_exam(app, admin)
    best, worst = app.candidate(), app.candidate()
    sit(app, worst, exam_id, "AAAAAAAAAA")
    sit(app, best, exam_id, "ABCDABCDAB")
    app.run_jobs()
    results = admin.get(f"/exams/{exam_id}/results/").json
    assert [row["candidate_id"] for row in results] == [str(best.id), str(worst.id)]
    assert results[0]["score"] == 100.0
    assert results[0]["auto_score"] is True
    assert results[0]["score_submitted_by"] == "Auto Score"
    assert results[0]["handed_in_by"] == "candidate"
    assert admin.get(f"/exams/{exam_id}/").json["average_score"] == 65.0
    admin.get("/exams/999999/results/", status=404, code="not_found")


def test_an_erased_candidate_gets_no_score(app, admin):
    person = app.candidate()
    exam_id = make_exam(app, admin)
    with begin(app.runtime) as work:
        personal_data.erase(work, person.id)
    body = {"candidate_id": str(person.id), "score": 100}
    path = f"/exams/{exam_id}/submit-exam-score/"
    refused = admin.put(path, body, status=400, code="invalid").json
    assert list(refused["errors"]) == ["candidate_id"]
    assert admin.get(f"/exams/{exam_id}/results/").json == []


class TestRaces:
    def test_a_score_by_hand_during_a_deletion_is_stored_or_not_found(self, live):
        admins, person = [live.staff("admin"), live.staff("admin")], live.candidate()
        exam_id = make_exam(live, admins[0])
        body = {"candidate_id": str(person.id), "score": 1}
        acts = [
            lambda: admins[0].delete(f"/exams/{exam_id}/", status=204),
            lambda: admins[1].put(f"/exams/{exam_id}/submit-exam-score/", body, status="any"),
        ]
        _, reply = together(2, lambda index: acts[index]())
        assert reply.status_int in (200, 404)

    def test_simultaneous_scores_by_hand_leave_one_with_its_author(self, live):
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
