"""All statistics of exams and scores that the rest of the service uses."""

from contextlib import contextmanager

import pytest

from competition.core.auth.identity import Identity
from competition.core.jobs.ticks import Ticks
from competition.core.users.models import Candidate, User
from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters.records import exam_taken
from competition.plugins.scores.presenters.scores import score_record
from competition.plugins.scores.services import ending, records
from competition.plugins.scores.services.statistics import candidate as of_one
from competition.plugins.scores.services.statistics import exam as of_exam
from competition.plugins.scores.services.statistics import season
from competition.testing.exam_day import answers, make_exam, score, sit, submit, take


@contextmanager
def seen_by(app, person):
    """Context manager: the Work of a request by this person."""
    with begin(app.runtime) as work:
        user = work.db.get_one(User, person.id)
        work.actor = Identity(user.id, user.kind, user.role, user.full_name, True)
        yield work


def scored(app, admin, *values, **exam):
    """A candidate with these scores, each in another exam."""
    person = app.candidate()
    for value in values:
        score(app, admin, make_exam(app, admin, "AB", **exam), person, value)
    return person


def stats(app, person, viewer=None):
    with seen_by(app, viewer or person) as work:
        return of_one.stats(of_one.scores(work, person.id), of_one.ranking(work, person.id))


def ranking(app, person, viewer=None):
    return tuple(stats(app, person, viewer)["leaderboard_ranking"].values())


def refresh(app):
    """Move the clock by half a minute, and run the periodic tasks that are due."""
    app.clock.advance(seconds=30)
    Ticks(app.runtime).make()
    app.run_jobs()


class TestCandidateStats:
    def test_without_a_score_the_total_is_zero(self, app):
        found = stats(app, app.candidate())
        assert (found["total_score"], found["latest_score"]) == (0.0, None)

    def test_the_stats_of_several_scores(self, app, admin):
        person = scored(app, admin, 50, 95.5, 20)
        found = stats(app, person)
        assert (found["total_score"], found["average_score"]) == (165.5, 55.17)
        assert (found["highest_score"], found["lowest_score"]) == (95.5, 20.0)
        assert found["total_exams_taken"] == 3
        assert found["latest_score"] == {
            "score": 20.0,
            "exam_title": "Screening",
            "date": app.clock.now.replace(second=2),
        }

    def test_averages_of_a_candidate_and_of_an_exam_are_rounded_the_same(self, app, admin):
        person, other = scored(app, admin, 33.32, 33.33), app.candidate()
        exam_id = make_exam(app, admin, "AB")
        score(app, admin, exam_id, other, 33.32)
        score(app, admin, exam_id, app.candidate(), 33.33)
        with begin(app.runtime) as work:
            average = of_exam.average_scores(work, [exam_id])[exam_id]
        assert stats(app, person)["average_score"] == float(average) == 33.33

    def test_a_corrected_score_is_the_latest_one(self, app, admin):
        person = app.candidate()
        first, second = (make_exam(app, admin, "AB", title=title) for title in ("One", "Two"))
        for exam_id, value in ((first, 10), (second, 20), (first, 30)):
            score(app, admin, exam_id, person, value)
        assert stats(app, person)["latest_score"]["exam_title"] == "One"
        assert stats(app, person)["total_score"] == 50.0

    def test_scores_in_a_deleted_exam_still_count(self, app, admin):
        person = app.candidate()
        exam_id = make_exam(app, admin, "AB")
        score(app, admin, exam_id, person, 80)
        admin.delete(f"/exams/{exam_id}/")
        refresh(app)
        assert stats(app, person)["total_score"] == 80.0
        assert ranking(app, person) == (1, 1)
        with seen_by(app, person) as work:
            assert len(records.exams_taken(work, person.id)) == 1


class TestRanking:
    def test_equal_totals_share_a_rank_and_the_next_rank_is_skipped(self, app, admin):
        people = [scored(app, admin, *values) for values in ([40, 50], [90], [60], [10, 10])]
        refresh(app)
        assert [ranking(app, person) for person in people] == [(1, 4), (1, 4), (3, 4), (4, 4)]

    def test_without_a_score_there_is_no_rank(self, app, admin):
        scored(app, admin, 10)
        assert ranking(app, app.candidate()) == (None, 1)

    def test_only_scores_in_the_stage_of_the_role_count(self, app, admin):
        person, rival = scored(app, admin, 99), scored(app, admin, 50)
        score(app, admin, make_exam(app, admin, "AB", stage="league"), rival, 100)
        refresh(app)
        assert (ranking(app, person), ranking(app, rival)) == ((1, 2), (2, 2))

    def test_candidates_are_ranked_among_candidates_of_the_same_role(self, app, admin):
        promoted, stayed = scored(app, admin, 99), scored(app, admin, 50)
        with begin(app.runtime) as work:
            work.db.get_one(User, promoted.id).role = "league"
        refresh(app)
        assert (ranking(app, promoted), ranking(app, stayed)) == ((None, 0), (1, 1))
        score(app, admin, make_exam(app, admin, "AB", stage="league"), promoted, 1)
        refresh(app)
        assert ranking(app, promoted) == (1, 1)

    def test_a_winner_has_no_stage_and_no_rank(self, app, admin):
        person = app.candidate("winner")
        score(app, admin, make_exam(app, admin, "AB", stage="final"), person, 90)
        refresh(app)
        assert ranking(app, person) == (None, 0)

    def test_deactivated_candidates_are_left_out(self, app, admin):
        gone, person = scored(app, admin, 99), scored(app, admin, 50)
        with begin(app.runtime) as work:
            work.db.get_one(User, gone.id).is_active = False
        refresh(app)
        assert (ranking(app, person), ranking(app, gone)) == ((1, 1), (None, 1))

    def test_new_scores_change_no_rank_until_all_are_refreshed(self, app, admin):
        people = [scored(app, admin, value) for value in (90, 80, 70)]
        late = app.candidate()
        refresh(app)
        exam_id = make_exam(app, admin, "AB", round=2)
        for person in (*people, late):
            score(app, admin, exam_id, person, 60)
        ranks = [ranking(app, person) for person in (*people, late)]
        assert ranks == [(1, 3), (2, 3), (3, 3), (None, 3)]
        refresh(app)
        ranks = [ranking(app, person) for person in (*people, late)]
        assert ranks == [(1, 4), (2, 4), (3, 4), (4, 4)]

    def test_between_refreshes_no_rank_is_lower_than_the_number_of_candidates(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        person, rival, inactive = app.candidate(), app.candidate(), app.candidate(is_active=False)
        for each, value in ((person, 90), (rival, 80), (inactive, 10)):
            score(app, admin, exam_id, each, value)
        refresh(app)
        score(app, admin, exam_id, person, 70)
        assert ranking(app, person) == (2, 2)
        with begin(app.runtime) as work:
            work.db.get_one(User, inactive.id).is_active = True
        assert ranking(app, inactive) == (2, 2)

    def test_a_reactivated_candidate_is_ranked_before_the_next_refresh(self, app, admin):
        person = scored(app, admin, 50)
        with begin(app.runtime) as work:
            work.db.get_one(User, person.id).is_active = False
        refresh(app)
        with begin(app.runtime) as work:
            work.db.get_one(User, person.id).is_active = True
        assert ranking(app, person) == (1, 1)

    def test_without_a_worker_the_ranks_are_at_most_a_minute_old(self, app, admin):
        person = scored(app, admin, 50)
        assert ranking(app, person) == (1, 1)
        scored(app, admin, 60)
        assert ranking(app, person) == (1, 1)
        app.clock.advance(minutes=1)
        assert ranking(app, person) == (2, 2)

    def test_a_lower_score_replaces_the_higher_one_in_the_ranking(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        person, rival = app.candidate(), app.candidate()
        score(app, admin, exam_id, person, 90)
        score(app, admin, exam_id, rival, 80)
        refresh(app)
        score(app, admin, exam_id, person, 70)
        refresh(app)
        assert (ranking(app, person), ranking(app, rival)) == ((2, 2), (1, 2))


class TestWhenCandidatesSeeTheirScores:
    """The setting `competition.scores.visible` (decisions G25)."""

    def season(self, app_with, when, **fields):
        app = app_with({"competition.scores.visible": when})
        admin = app.staff("admin")
        exam_id = make_exam(app, admin, "AB", **fields)
        person = app.candidate()
        sit(app, person, exam_id, "AB")
        app.run_jobs()
        refresh(app)
        return app, admin, exam_id, person

    def shown(self, app, person, viewer=None):
        """The total, the rank, and the number of scores that the viewer sees."""
        with seen_by(app, viewer or person) as work:
            lists = [each(work, person.id) for each in (records.exams_taken, of_one.scores)]
        counts = {len(each) for each in lists}
        assert len(counts) == 1
        return stats(app, person, viewer)["total_score"], ranking(app, person, viewer), counts.pop()

    HIDDEN = (0.0, (None, 0), 0)
    VISIBLE = (100.0, (1, 1), 1)

    def conclude(self, app, admin, exam_id):
        app.clock.advance(minutes=1)
        admin.post(f"/exams/{exam_id}/conclude/")
        app.clock.advance(minutes=10)

    def publish(self, app):
        with begin(app.runtime) as work:
            assert len(ending.seal_and_score(work)) == 1
        refresh(app)

    def test_scores_visible_at_once(self, app_with):
        app, _, _, person = self.season(app_with, "at_once")
        assert self.shown(app, person) == self.VISIBLE

    def test_scores_visible_at_conclusion(self, app_with):
        app, admin, exam_id, person = self.season(app_with, "at_conclusion")
        assert self.shown(app, person) == self.HIDDEN
        self.conclude(app, admin, exam_id)
        assert self.shown(app, person) == self.VISIBLE

    def test_scores_visible_at_conclusion_stay_hidden_in_the_grace_period(self, app_with):
        app, admin, exam_id, person = self.season(app_with, "at_conclusion")
        other = app.candidate()
        take(other, exam_id, status=200)
        app.clock.advance(minutes=1)
        admin.post(f"/exams/{exam_id}/conclude/", status=200)
        refresh(app)
        assert self.shown(app, person) == self.HIDDEN
        app.clock.advance(minutes=5)
        refresh(app)
        assert self.shown(app, person) == self.VISIBLE

    @pytest.mark.parametrize("kind", ["minutes", "percent"])
    def test_scores_visible_at_conclusion_stay_hidden_during_extra_time(self, app_with, kind):
        app, admin, exam_id, person = self.season(app_with, "at_conclusion", open_duration_hours=2)
        other = app.candidate()
        if kind == "percent":
            given = {"percent": 50, "reason": "Writes slowly."}
            admin.put(f"/candidates/{other.id}/allowance/", given, status=200)
        take(other, exam_id, status=200)
        if kind == "minutes":
            time = {"candidate_id": str(other.id), "extra_minutes": 30, "reason": "Fire alarm."}
            admin.post(f"/exams/{exam_id}/allowances/", time, status=201)
        app.clock.advance(minutes=70)
        refresh(app)
        assert self.shown(app, person) == self.HIDDEN
        submit(other, exam_id, answers(app, exam_id, "A "), status=201)
        refresh(app)
        app.clock.advance(minutes=1)
        assert self.shown(app, person) == (100.0, (1, 2), 1)

    def test_scores_visible_at_conclusion_appear_at_once_if_nobody_can_submit(self, app_with):
        app, admin, exam_id, person = self.season(app_with, "at_conclusion")
        app.clock.advance(minutes=1)
        admin.post(f"/exams/{exam_id}/conclude/", status=200)
        assert self.shown(app, person) == self.VISIBLE

    def test_scores_visible_at_publication(self, app_with):
        app, admin, exam_id, person = self.season(app_with, "at_publication")
        self.conclude(app, admin, exam_id)
        assert self.shown(app, person) == self.HIDDEN
        self.publish(app)
        assert self.shown(app, person) == self.VISIBLE

    def test_the_publication_refreshes_all_ranks(self, app_with):
        app, admin, exam_id, person = self.season(app_with, "at_publication")
        other = app.candidate()
        score(app, admin, exam_id, other, 30)
        self.conclude(app, admin, exam_id)
        refresh(app)
        assert (ranking(app, person), ranking(app, other)) == ((None, 0), (None, 0))
        with begin(app.runtime) as work:
            ending.seal_and_score(work)
        assert (ranking(app, person), ranking(app, other)) == ((1, 2), (2, 2))

    def test_the_conclusion_leaves_all_ranks_until_the_next_refresh(self, app_with):
        app, admin, exam_id, person = self.season(app_with, "at_conclusion")
        other = app.candidate()
        score(app, admin, exam_id, other, 30)
        self.conclude(app, admin, exam_id)
        refresh(app)
        second = make_exam(app, admin, "AB", round=2)
        score(app, admin, second, person, 10)
        score(app, admin, second, other, 75)
        refresh(app)
        app.clock.advance(seconds=1)
        admin.post(f"/exams/{second}/conclude/")
        # The new scores are shown, but the ranks of both candidates are still those of the old
        # scores.
        assert stats(app, other)["total_score"] == 105.0
        assert (ranking(app, person), ranking(app, other)) == ((1, 2), (2, 2))
        refresh(app)
        assert (ranking(app, person), ranking(app, other)) == ((1, 2), (2, 2))

    @pytest.mark.parametrize("when", ["at_once", "at_conclusion", "at_publication"])
    def test_staff_see_scores_immediately(self, app_with, when):
        app, admin, _, person = self.season(app_with, when)
        assert self.shown(app, person, admin) == self.VISIBLE

    def test_a_hidden_score_does_not_raise_a_visible_rank(self, app_with):
        app, admin, _, person = self.season(app_with, "at_publication")
        other, exam_id = app.candidate(), make_exam(app, admin, "AB", round=2)
        score(app, admin, exam_id, other, 30)
        score(app, admin, exam_id, person, 20)
        self.conclude(app, admin, exam_id)
        self.publish(app)
        assert (ranking(app, person), ranking(app, other)) == ((2, 2), (1, 2))
        assert ranking(app, person, admin) == (1, 2)

    def test_an_exam_is_done_before_its_score_is_visible(self, app_with):
        app, _, _, person = self.season(app_with, "at_publication")
        with seen_by(app, person) as work:
            [(_, enrollment)] = records.progress(work, person.id).available
        assert enrollment == "done"


def taken(app, person):
    with seen_by(app, person) as work:
        return [exam_taken(*each) for each in records.exams_taken(work, person.id)]


class TestExamsTaken:
    def test_the_answers_are_shown_with_the_frozen_questions(self, app, admin):
        person, exam_id = app.candidate(), make_exam(app, admin, "ABC")
        sit(app, person, exam_id, "A D")
        answered_at = app.clock.now
        app.run_jobs()
        questions = admin.get(f"/exams/{exam_id}/questions/").json
        changed = questions[0]["id"]
        admin.patch(f"/questions/{changed}/", {"text": "Another one?", "option_a": "7"})
        [exam] = taken(app, person)
        answers = exam.pop("submission")
        assert exam == {
            "exam_id": exam_id,
            "exam_title": "Screening",
            "exam_stage": "screening",
            "scheduled_date": app.clock.now.replace(hour=8),
            "score": 33.33,
            "recorded_at": app.clock.now,
            "score_submitted_by": "Auto Score",
            "auto_score": True,
            "submitted_at": answered_at,
            "handed_in_by": "candidate",
        }
        assert [answer["question_id"] for answer in answers] == [q["id"] for q in questions]
        assert [answer["selected_option"] for answer in answers] == ["A", "", "D"]
        assert answers[0] == {
            "question_id": changed,
            "question_text": "Question 0 of ABC",
            "option_a": "1",
            "option_b": "2",
            "option_c": "3",
            "option_d": "4",
            "rendered": None,
            "spoken": None,
            "selected_option": "A",
            "answered_at": answered_at,
        }

    def test_each_candidate_sees_their_own_answers(self, app, admin):
        exam_id, people = make_exam(app, admin, "ABC"), [app.candidate(), app.candidate()]
        for person, sheet in zip(people, ("ABC", "DDD"), strict=True):
            sit(app, person, exam_id, sheet)
        app.run_jobs()
        for person, sheet in zip(people, ("ABC", "DDD"), strict=True):
            [exam] = taken(app, person)
            chosen = [answer["selected_option"] for answer in exam["submission"]]
            assert "".join(chosen) == sheet

    def test_omitted_questions_are_shown_as_unanswered(self, app, admin):
        person, exam_id = app.candidate(), make_exam(app, admin, "ABC")
        sit(app, person, exam_id, "A")
        app.run_jobs()
        [exam] = taken(app, person)
        assert [answer["selected_option"] for answer in exam["submission"]] == ["A", "", ""]

    def test_a_score_by_hand_has_no_answers(self, app, admin):
        [exam] = taken(app, scored(app, admin, 70))
        assert exam["submission"] == []
        assert exam["auto_score"] is False
        with begin(app.runtime) as work:
            assert exam["score_submitted_by"] == work.db.get_one(User, admin.id).full_name

    def test_a_score_by_hand_for_submitted_answers_shows_the_answers(self, app, admin):
        person, exam_id = app.candidate(), make_exam(app, admin, "AB")
        sit(app, person, exam_id, "AB")
        score(app, admin, exam_id, person, 60)
        [exam] = taken(app, person)
        assert (exam["score"], len(exam["submission"])) == (60.0, 2)

    def test_many_exams_take_as_many_statements_as_one(self, app, admin, statements):
        person = app.candidate()
        counts = []
        for round in (1, 2, 3):
            sit(app, person, make_exam(app, admin, "AB", round=round), "AB")
            app.run_jobs()
            with seen_by(app, person) as work, statements() as executed:
                assert len(records.exams_taken(work, person.id)) == round
            counts.append(len(executed))
        assert len(set(counts)) == 1

    def test_the_latest_exam_comes_first(self, app, admin):
        person = app.candidate()
        for title in ("One", "Two", "Three"):
            score(app, admin, make_exam(app, admin, "AB", title=title), person, 1)
        titles = [exam["exam_title"] for exam in taken(app, person)]
        assert titles == ["Three", "Two", "One"]


class TestScoreRecords:
    def test_a_score_record_has_the_candidate_and_the_exam(self, app, admin):
        person = scored(app, admin, 70)
        with begin(app.runtime) as work:
            candidate = work.db.get_one(Candidate, person.id)
            [row] = of_one.scores(work, person.id)
            found = score_record(work, candidate, row)
        assert isinstance(found["id"], int)
        assert found["candidate"]["user"]["id"] == person.id
        assert found["exam"]["question_count"] == 2
        assert (found["score"], found["exam"]["stage"]) == (70.0, "screening")

    def test_the_id_of_a_score_is_unique(self, app, admin):
        scored(app, admin, 1, 2)
        scored(app, admin, 3)
        with begin(app.runtime) as work:
            ids = [row.id for row in work.db.query(Score)]
        assert len(set(ids)) == 3


def score_counts(work):
    return season.score_counts(work, ["here"])["here"]


def exam_counts(work):
    return season.exam_counts(work, ["here"])["here"]


class TestOfTheSeason:
    def test_submissions_and_scores_are_counted(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        for sheet in ("AB", "A"):
            sit(app, app.candidate(), exam_id, sheet)
        app.run_jobs()
        score(app, admin, exam_id, app.candidate(), 0)
        with begin(app.runtime) as work:
            assert score_counts(work) == {
                "total_submissions": 2,
                "recent_submissions": 2,
                "average_score": 50.0,
                "highest_score": 100.0,
            }

    def test_without_data_all_counts_are_zero(self, app):
        with begin(app.runtime) as work:
            assert set(score_counts(work).values()) == {0}
            assert set(exam_counts(work).values()) == {0}

    def test_recent_means_the_last_seven_days(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        sit(app, app.candidate(), exam_id, "AB")
        app.clock.advance(days=7)
        with begin(app.runtime) as work:
            assert score_counts(work)["recent_submissions"] == 1
            assert exam_counts(work)["recent"] == 1
        app.clock.advance(seconds=1)
        with begin(app.runtime) as work:
            assert score_counts(work)["recent_submissions"] == 0
            assert exam_counts(work)["recent"] == 0

    def test_deleted_exams_are_not_counted(self, app, admin):
        make_exam(app, admin, "AB")
        make_exam(app, admin, "AB", is_active=False)
        deleted = make_exam(app, admin, "AB")
        with begin(app.runtime) as work:
            work.db.get_one(Exam, deleted).deleted_at = app.clock.now
        with begin(app.runtime) as work:
            assert exam_counts(work) == {"total": 2, "active": 1, "recent": 2}
