"""Both dashboards and the overview, which must all show the same numbers."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

import competition
from competition.core.jobs.ticks import Ticks
from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.todo import Todo
from competition.core.users.headcounts import CandidateCounts
from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.testing.exam_day import (
    answers,
    make_exam,
    make_questions,
    publish,
    score,
    sit,
    submit,
    take,
)
from competition.testing.identity_papers import documents
from tests.support import numbers


def conclude(app, admin, exam_id):
    app.clock.advance(seconds=1)
    admin.post(f"/exams/{exam_id}/conclude/")


def refresh(app):
    """Run the periodic tasks, half a minute later."""
    app.clock.advance(seconds=30)
    Ticks(app.runtime).make()
    app.run_jobs()


def reader(person):
    return lambda path: person.get(path, status=200).json


def of_candidate(person):
    return person.get("/dashboard/candidate/", status=200).json


def of_staff(person):
    return person.get("/dashboard/staff/", status=200).json


def overview(person):
    return person.get("/stats/overview/", status=200).json


class TestCandidateDashboard:
    def test_the_dashboard_of_a_new_candidate_is_empty(self, app):
        person = app.candidate(
            first_name="Ada",
            last_name="Byron",
            school="Hillside School",
            is_email_verified=False,
            verification="not_submitted",
        )
        [season] = person.get("/seasons/", status=200).json["results"]
        assert of_candidate(person) == {
            "candidate_info": {
                "name": "Ada Byron",
                "email": person.email,
                "phone": "+4912345678",
                "school": "Hillside School",
                "role": "screening",
                "is_user_verified": False,
                "is_email_verified": False,
                "is_active": True,
                "date_joined": "2026-03-01T09:00:00Z",
            },
            "exam_stats": {
                "total_exams_taken": 0,
                "available_exams_count": 0,
                "average_score": 0.0,
                "highest_score": 0.0,
                "lowest_score": 0.0,
                "latest_score": None,
            },
            "leaderboard_ranking": {"current_rank": None, "total_candidates": 0},
            "recent_scores": [],
            "available_exams": [],
            "upcoming_exams": [],
            "concluded_exams": [],
            "current_season": {"id": season["id"], "name": season["name"], "joined": True},
        }

    def test_own_scores_are_current(self, app, admin):
        person = app.candidate()
        exam_id = make_exam(app, admin, "ABC", title="First")
        assert of_candidate(person)["exam_stats"]["total_exams_taken"] == 0
        sit(app, person, exam_id, "AB")
        app.run_jobs()
        score(app, admin, make_exam(app, admin, "AB", title="Second"), person, 20)
        shown = of_candidate(person)
        assert shown["exam_stats"] == {
            "total_exams_taken": 2,
            "available_exams_count": 2,
            "average_score": 43.34,
            "highest_score": 66.67,
            "lowest_score": 20.0,
            "latest_score": {
                "score": 20.0,
                "exam_title": "Second",
                "date": "2026-03-01T09:00:00Z",
            },
        }
        # Ranks are cached and may be a minute old.
        assert shown["leaderboard_ranking"]["current_rank"] is None
        refresh(app)
        assert of_candidate(person)["leaderboard_ranking"]["current_rank"] == 1

    def test_the_last_five_scores_are_shown(self, app, admin):
        person = app.candidate()
        for value in range(6):
            score(app, admin, make_exam(app, admin, "AB", title=f"T{value}"), person, value)
        recent = of_candidate(person)["recent_scores"]
        assert [each["exam_title"] for each in recent] == ["T5", "T4", "T3", "T2", "T1"]
        assert recent[0] == {
            "exam_title": "T5",
            "score": 5.0,
            "date": "2026-03-01T09:00:05Z",
            "exam_stage": "screening",
        }

    def test_an_available_exam_is_shown_with_its_fields(self, app, admin):
        exam_id = make_exam(app, admin, "ABC", title="Now", description="Bring a pencil.", round=4)
        [exam] = of_candidate(app.candidate())["available_exams"]
        assert exam == {
            "id": exam_id,
            "title": "Now",
            "stage": "screening",
            "round": 4,
            "stage_display": "screening_4",
            "description": "Bring a pencil.",
            "open_duration_hours": 12,
            "scheduled_date": "2026-03-01T08:00:00Z",
            "closes_at": "2026-03-01T20:00:00Z",
            "countdown_minutes": 60,
            "question_count": 3,
            "enrollment": "not_done",
        }

    def test_a_concluded_exam_is_shown_with_its_fields(self, app, admin):
        person = app.candidate()
        exam_id = make_exam(app, admin, "ABC", title="Then", description="It was hard.")
        conclude(app, admin, exam_id)
        shown = of_candidate(person)
        assert shown["available_exams"] == []
        assert shown["concluded_exams"] == [
            {
                "id": exam_id,
                "title": "Then",
                "stage": "screening",
                "round": 1,
                "stage_display": "screening_1",
                "description": "It was hard.",
                "concluded_at": "2026-03-01T09:00:01Z",
                "question_count": 3,
                "enrollment": "missed",
            }
        ]

    def test_upcoming_exams_are_scheduled_exams_of_the_candidates_stage(self, app, admin):
        later, earlier = ((app.clock.now + timedelta(hours=hours)).isoformat() for hours in (2, 1))
        last = make_exam(app, admin, "AB", scheduled_date=later)
        first = make_exam(app, admin, "ABC", scheduled_date=earlier, title="Soon")
        make_exam(app, admin, "AB", scheduled_date=later, stage="league")
        make_exam(app, admin, "AB", scheduled_date=later, is_active=False)
        make_exam(app, admin, "AB", scheduled_date=None)
        admin.delete(f"/exams/{make_exam(app, admin, 'AB', scheduled_date=later)}/")
        make_exam(app, admin, "AB")
        shown = of_candidate(app.candidate())["upcoming_exams"]
        assert [exam["id"] for exam in shown] == [first, last]
        assert shown[0] == {
            "id": first,
            "title": "Soon",
            "stage": "screening",
            "round": 1,
            "stage_display": "screening_1",
            "description": "",
            "open_duration_hours": 12,
            "scheduled_date": "2026-03-01T10:00:00Z",
            "closes_at": "2026-03-01T22:00:00Z",
            "countdown_minutes": 60,
            "question_count": 3,
        }

    def test_available_exams_are_open_exams_of_the_candidates_stage(self, app, admin):
        """The rule is in decision G28."""
        wanted = make_exam(app, admin, "AB")
        later = (app.clock.now + timedelta(hours=1)).isoformat()
        make_exam(app, admin, "AB", stage="league")
        make_exam(app, admin, "AB", scheduled_date=later)
        make_exam(app, admin, "AB", scheduled_date=None)
        make_exam(app, admin, "AB", is_active=False)
        make_exam(app, admin, "")
        deleted, person = make_exam(app, admin, "AB"), app.candidate()
        score(app, admin, deleted, person, 50)
        admin.delete(f"/exams/{deleted}/")
        shown = of_candidate(person)
        assert [exam["id"] for exam in shown["available_exams"]] == [wanted]
        assert shown["exam_stats"]["available_exams_count"] == 1
        assert shown["concluded_exams"] == []

    @pytest.mark.parametrize(
        ("role", "stages"),
        [
            ("screening", ["screening"]),
            ("league", ["league", "screening"]),
            ("final", ["final", "league", "screening"]),
            ("winner", ["final", "league", "screening"]),
        ],
    )
    def test_concluded_exams_are_of_the_candidates_stage_and_earlier_ones(
        self, app, admin, role, stages
    ):
        for hours, stage in enumerate(["screening", "league", "final"]):
            begin = (app.clock.now - timedelta(hours=5 - hours)).isoformat()
            exam_id = make_exam(app, admin, "AB", stage=stage, scheduled_date=begin)
            conclude(app, admin, exam_id)
        shown = of_candidate(app.candidate(role))["concluded_exams"]
        assert [exam["stage"] for exam in shown] == stages

    def test_an_exam_is_done_after_the_submission(self, app, admin):
        exam_id, person = make_exam(app, admin, "AB"), app.candidate()
        person.get(f"/exams/{exam_id}/take-exam/")
        assert of_candidate(person)["available_exams"][0]["enrollment"] == "not_done"
        sit(app, person, exam_id, "AB")
        assert of_candidate(person)["available_exams"][0]["enrollment"] == "done"
        conclude(app, admin, exam_id)
        assert of_candidate(person)["concluded_exams"][0]["enrollment"] == "done"

    def test_an_exam_is_done_with_a_score(self, app, admin):
        exam_id, person = make_exam(app, admin, "AB"), app.candidate()
        score(app, admin, exam_id, person, 50)
        assert of_candidate(person)["available_exams"][0]["enrollment"] == "done"

    def test_an_exam_that_was_over_before_the_registration_is_not_missed(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        conclude(app, admin, exam_id)
        [exam] = of_candidate(app.candidate())["concluded_exams"]
        assert (exam["id"], exam["enrollment"]) == (exam_id, "not_done")

    def test_results_of_other_candidates_are_not_shown(self, app, admin):
        exam_id, person = make_exam(app, admin, "AB"), app.candidate()
        score(app, admin, exam_id, app.candidate(), 50)
        shown = of_candidate(person)
        assert shown["available_exams"][0]["enrollment"] == "not_done"
        assert shown["recent_scores"] == []
        assert shown["leaderboard_ranking"] == {"current_rank": None, "total_candidates": 1}

    def test_hidden_scores_are_not_shown_yet(self, app_with):
        """The rule is in decision G25. test_statistics tests each value of the setting."""
        app = app_with({"competition.scores.visible": "at_conclusion"})
        admin, person = app.staff("admin"), app.candidate()
        exam_id = make_exam(app, admin, "AB")
        score(app, admin, exam_id, person, 50)
        shown = of_candidate(person)
        assert (shown["recent_scores"], shown["exam_stats"]["total_exams_taken"]) == ([], 0)
        assert shown["leaderboard_ranking"] == {"current_rank": None, "total_candidates": 0}
        conclude(app, admin, exam_id)
        refresh(app)
        shown = of_candidate(person)
        assert [each["score"] for each in shown["recent_scores"]] == [50.0]
        assert shown["leaderboard_ranking"] == {"current_rank": 1, "total_candidates": 1}

    def test_many_exams_take_as_many_statements_as_one(self, app, admin, statements):
        person = app.candidate()
        counts = []
        for round in (1, 2, 3):
            sit(app, person, make_exam(app, admin, "AB", round=round), "AB")
            app.run_jobs()
            # The first two requests compute and cache the data that the third one reads.
            of_candidate(person)
            of_candidate(person)
            with statements() as executed:
                of_candidate(person)
            counts.append(len(executed))
        assert len(set(counts)) == 1


class TestNumbersByDay:
    def at(self, day, time):
        return datetime.fromisoformat(f"2026-02-{day}T{time}+00:00")

    def shown(self, service):
        refresh(service)
        by_day = of_staff(service.staff("moderator"))["by_day"]
        assert len(by_day) == 30
        return {each.pop("day"): each for each in by_day}

    def test_registrations_are_counted_on_their_day_for_thirty_days(self, app):
        for day, time in (("27", "23:59"), ("28", "00:00"), ("28", "23:59")):
            app.candidate(date_joined=self.at(day, time))
        app.candidate(date_joined=app.clock.now - timedelta(days=30))
        app.staff("admin", date_joined=self.at("27", "12:00"))
        shown = self.shown(app)
        assert (min(shown), max(shown)) == ("2026-01-31", "2026-03-01")
        counts = {day: each["registrations"] for day, each in shown.items() if any(each.values())}
        assert counts == {"2026-02-27": 1, "2026-02-28": 2}

    def test_submissions_are_counted_by_day_too(self, app):
        admin, ada = app.staff("admin"), app.candidate()
        sit(app, ada, make_exam(app, admin, key="AB"), "AB")
        assert self.shown(app)["2026-03-01"] == {"registrations": 1, "submissions": 1}

    def test_the_days_are_those_of_the_league(self, app_with):
        service = app_with({"competition.pages.time_zone": "Europe/Berlin"})
        # In Berlin, it is an hour later than in UTC in winter.
        service.candidate(date_joined=self.at("27", "23:30"))
        shown = self.shown(service)
        assert shown["2026-02-27"]["registrations"] == 0
        assert shown["2026-02-28"]["registrations"] == 1

    def test_a_day_may_have_23_hours(self, app_with):
        service = app_with({"competition.pages.time_zone": "Europe/Berlin"})
        service.clock.now = datetime(2026, 3, 30, 9, 0, tzinfo=UTC)
        # The clocks go forward in the night to the 29th, so the 30th begins at 22:00 UTC.
        for time in ("2026-03-28T23:00", "2026-03-29T21:59", "2026-03-29T22:00"):
            service.candidate(date_joined=datetime.fromisoformat(f"{time}+00:00"))
        shown = self.shown(service)
        assert [shown[f"2026-03-{day}"]["registrations"] for day in (28, 29, 30)] == [0, 2, 1]


class TestStaffDashboard:
    def test_the_staff_dashboard_without_data_has_zeros(self, app):
        person = app.staff("moderator", first_name="Emmy", last_name="Noether")
        shown = of_staff(person)
        assert shown["staff_info"] == {
            "name": "Emmy Noether",
            "email": person.email,
            "role": "moderator",
            "occupation": "Teacher",
            "is_user_verified": True,
            "is_email_verified": True,
            "is_active": True,
            "date_joined": "2026-03-01T09:00:00Z",
        }
        nobody = {"count": 0}
        assert shown["candidates"] == {
            "total": 0,
            "active": 0,
            "verified": 0,
            "recent_registrations": 0,
            "by_role": dict.fromkeys(["screening", "league", "final", "winner"], nobody),
            "verification_rate": 0.0,
        }
        assert shown["exams"] == {"total": 0, "active": 0, "recent": 0}
        assert shown["questions"] == {
            "total": 0,
            "by_difficulty": dict.fromkeys(["easy", "moderate", "hard"], nobody),
        }
        assert shown["scores"] == {
            "total_submissions": 0,
            "recent_submissions": 0,
            "average_score": 0.0,
            "highest_score": 0.0,
        }
        assert shown["upcoming_exams"] == []

    def test_candidates_are_counted(self, app, admin):
        long_ago = app.clock.now - timedelta(days=7, seconds=1)
        app.candidate(date_joined=long_ago)
        app.candidate("league", verification="pending")
        app.candidate("league", is_active=False)
        assert of_staff(admin)["candidates"] == {
            "total": 3,
            "active": 2,
            "verified": 2,
            "recent_registrations": 2,
            "by_role": {
                "screening": {"count": 1},
                "league": {"count": 2},
                "final": {"count": 0},
                "winner": {"count": 0},
            },
            "verification_rate": 66.7,
        }

    def test_the_share_of_verified_candidates_is_rounded_half_up(self):
        counts = CandidateCounts(total=16, active=16, verified=1, recent=0, by_role={})
        assert counts.verification_rate == 6.3

    def test_exams_and_questions_are_counted(self, app, admin):
        make_exam(app, admin, "AB")
        make_exam(app, admin, "", is_active=False)
        hard = make_questions(app, "C")[0]
        admin.patch(f"/questions/{hard}/", {"difficulty": "hard"})
        admin.delete(f"/questions/{make_questions(app, 'D')[0]}/")
        shown = of_staff(admin)
        assert shown["exams"] == {"total": 2, "active": 1, "recent": 2}
        assert shown["questions"] == {
            "total": 3,
            "by_difficulty": {
                "easy": {"count": 2},
                "moderate": {"count": 0},
                "hard": {"count": 1},
            },
        }

    def test_submissions_and_scores_are_counted(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        sit(app, app.candidate(), exam_id, "AB")
        app.run_jobs()
        score(app, admin, exam_id, app.candidate(), 25.5)
        assert of_staff(admin)["scores"] == {
            "total_submissions": 1,
            "recent_submissions": 1,
            "average_score": 62.75,
            "highest_score": 100.0,
        }

    def test_recent_means_the_last_seven_days(self, app, admin):
        sit(app, app.candidate(), make_exam(app, admin, "AB"), "AB")

        def recent():
            shown = of_staff(app.staff("moderator"))
            return shown["exams"]["recent"], shown["scores"]["recent_submissions"]

        app.clock.advance(days=7)
        assert recent() == (1, 1)
        app.clock.advance(minutes=1)
        assert recent() == (0, 0)

    def test_the_next_ten_exams_are_shown(self, app, admin):
        dates = [(app.clock.now + timedelta(days=day)).isoformat() for day in range(1, 12)]
        ids = [make_exam(app, admin, "AB", scheduled_date=date) for date in reversed(dates)]
        make_exam(app, admin, "AB")
        make_exam(app, admin, "AB", scheduled_date=None)
        make_exam(app, admin, "AB", scheduled_date=dates[0], is_active=False)
        deleted = [make_exam(app, admin, "AB", scheduled_date=dates[0]) for _ in range(2)]
        # Deleting an exam with a score only hides it.
        score(app, admin, deleted[0], app.candidate(), 50)
        for each in deleted:
            admin.delete(f"/exams/{each}/", status=204)
        upcoming = of_staff(admin)["upcoming_exams"]
        assert [exam["id"] for exam in upcoming] == ids[::-1][:10]
        assert upcoming[0] == {
            "id": ids[-1],
            "title": "Screening",
            "scheduled_date": "2026-03-02T09:00:00Z",
            "is_active": True,
            "stage": "screening",
            "question_count": 2,
            "countdown_minutes": 60,
        }

    def test_exams_that_are_open_or_start_within_a_day_are_current(self, app, admin):
        started = make_exam(app, admin, "AB")
        make_exam(app, admin, "AB", is_active=False)
        make_exam(app, admin, "AB", scheduled_date=None)
        make_exam(app, admin, "AB", scheduled_date="2026-02-01T09:00:00Z")
        make_exam(app, admin, "AB", scheduled_date="2026-03-02T09:00:01Z")
        tomorrow = make_exam(app, admin, "AB", scheduled_date="2026-03-02T09:00:00Z", round=2)
        current = of_staff(app.staff("moderator"))["current_exams"]
        assert [each["id"] for each in current] == [started, tomorrow]
        assert [each["status"] for each in current] == ["ongoing", "scheduled"]
        assert current[1] == {
            "id": tomorrow,
            "title": "Screening",
            "stage": "screening",
            "round": 2,
            "stage_display": "screening_2",
            "status": "scheduled",
            "scheduled_date": "2026-03-02T09:00:00Z",
            "closes_at": current[1]["closes_at"],
            "countdown_minutes": 60,
            "question_count": 2,
        }

    def test_counts_over_all_candidates_are_cached_for_a_minute(self, app, admin, statements):
        of_staff(admin)
        app.candidate()
        with statements() as executed:
            assert of_staff(admin)["candidates"]["total"] == 0
        assert not [each for each in executed if "FROM submission" in each]
        app.clock.advance(minutes=1)
        assert of_staff(admin)["candidates"]["total"] == 1

    def test_a_cached_dashboard_is_identical_to_the_computed_one(self, app, admin):
        # A different order of the fields would change the ETag.
        counted = admin.get("/dashboard/staff/", status=200)
        cached = admin.get("/dashboard/staff/", status=200)
        assert (cached.text, cached.headers["ETag"]) == (counted.text, counted.headers["ETag"])
        by_role = cached.json["candidates"]["by_role"]
        assert list(by_role) == ["screening", "league", "final", "winner"]

    def test_a_periodic_task_refreshes_the_counts(self, app, admin):
        of_staff(admin)
        app.candidate()
        refresh(app)
        assert of_staff(admin)["candidates"]["total"] == 1


class TestOverview:
    def test_the_overview_counts_accounts_by_status(self, app, admin):
        app.candidate()
        app.candidate(verification="pending")
        app.candidate(verification="rejected")
        app.candidate(is_email_verified=False, verification="not_submitted")
        app.candidate(is_active=False, verification="pending")
        app.staff("sponsor", is_active=False)
        assert overview(admin) == {
            "candidates": {
                "registered": 5,
                "active": 1,
                "inactive": 2,
                "pending": 1,
                "deactivated": 1,
            },
            "staff": {
                "registered": 2,
                "active": 1,
                "inactive": 0,
                "pending": 0,
                "deactivated": 1,
            },
            "total_users": 7,
            "active_users": 5,
            "staff_count": 2,
            "candidate_count": 5,
            "generated_at": "2026-03-01T09:00:00Z",
        }

    def test_the_overview_is_cached_for_a_minute(self, app, admin):
        overview(admin)
        app.candidate()
        app.clock.advance(seconds=59)
        shown = overview(admin)
        assert shown["candidate_count"] == 0
        assert shown["generated_at"] == "2026-03-01T09:00:00Z"
        app.clock.advance(seconds=1)
        assert overview(admin)["candidate_count"] == 1

    def test_a_periodic_task_refreshes_the_overview(self, app, admin):
        overview(admin)
        app.candidate()
        refresh(app)
        assert overview(admin)["generated_at"] == "2026-03-01T09:00:30Z"


class TestTheSameNumbersEverywhere:
    """A small season: two screening rounds, a league exam, ties, a manual score, and a candidate
    who is absent."""

    SHEETS = ("ABCD", "ABC ", "ABC ", "    ")

    @pytest.fixture
    def season(self, app, admin):
        people = [app.candidate() for _ in range(5)]
        exams = [make_exam(app, admin, "ABCD", title=f"Round {n}", round=n) for n in (1, 2)]
        for exam_id, sheets in zip(exams, (self.SHEETS, self.SHEETS[::-1]), strict=True):
            for person, sheet in zip(people, sheets, strict=False):
                sit(app, person, exam_id, sheet)
        app.run_jobs()
        score(app, admin, exams[1], people[3], 33.33)
        league = app.candidate("league")
        exams.append(make_exam(app, admin, "ABC", title="League", stage="league"))
        sit(app, league, exams[2], "A")
        app.run_jobs()
        for exam_id in exams:
            conclude(app, admin, exam_id)
        admin.post("/leaderboard/publish/", status=202)
        app.run_jobs()
        refresh(app)
        return exams, [*people, league]

    def test_staff_and_candidates_see_the_same_numbers(self, app, season):
        _, people = season
        superadmin = app.staff("superadmin", verification="approved")
        later = (app.clock.now + timedelta(days=1)).isoformat()
        make_exam(app, superadmin, "ABC", scheduled_date=later)
        app.candidate(verification="pending")
        app.candidate(is_active=False, date_joined=app.clock.now - timedelta(days=8))
        refresh(app)
        get = reader(superadmin)
        numbers.compare(get)
        for person in people:
            numbers.compare_own(get, reader(person))

    def test_all_staff_see_the_same_numbers(self, app, admin, season):
        counts = overview(admin)
        shared = ("total_users", "active_users", "staff_count", "candidate_count")
        everybody = app.staff("manager").get("/user/list/").json
        assert everybody["stats_overview"] == {name: counts[name] for name in shared}

    def test_ranks_follow_the_total_scores(self, season):
        """In the screening, the totals are 100, 150, 150 and 33.33, and one candidate has none.
        Another candidate is in the league.
        """
        _, people = season
        rankings = [of_candidate(person)["leaderboard_ranking"] for person in people]
        assert [each["current_rank"] for each in rankings] == [3, 1, 1, 4, None, 1]
        assert [each["total_candidates"] for each in rankings] == [4, 4, 4, 4, 4, 1]


class TestWithoutPluginsThatAddData:
    """Each part of a dashboard comes from a plugin, which may be disabled."""

    @pytest.fixture
    def service(self, app_with):
        return app_with({"competition.plugins": "dashboards"})

    def test_the_candidate_dashboard_shows_only_the_account(self, service):
        shown = service.candidate().get("/dashboard/candidate/").json
        assert list(shown) == ["candidate_info"]

    def test_the_staff_dashboard_shows_only_candidates(self, service):
        shown = service.staff("moderator").get("/dashboard/staff/").json
        assert list(shown) == ["staff_info", "todo", "candidates", "by_day"]
        assert shown["by_day"][-1] == {"day": "2026-03-01", "registrations": 0}

    def test_the_openapi_document_has_only_these_fields(self, service):
        shapes = service.document.document["components"]["schemas"]
        assert list(shapes["CandidateDashboard"]["properties"]) == ["candidate_info"]
        staff = ["staff_info", "todo", "candidates", "by_day"]
        assert list(shapes["StaffDashboard"]["properties"]) == staff
        assert "ExamStats" not in shapes

    def test_counts_cached_with_other_plugins_enabled_are_computed_again(self, app_with):
        whole = app_with({})
        before = whole.staff("moderator").get("/dashboard/staff/").json
        assert "scores" in before
        bare = app_with({"competition.plugins": "dashboards"})
        assert "scores" not in bare.staff("moderator").get("/dashboard/staff/").json


class TestTodo:
    def test_staff_see_the_to_dos_of_their_role_oldest_first(self, app, admin):
        """The rules are in `docs/decisions/contract.md`, W5."""
        exam_id = make_exam(app, admin, "AB")
        sit(app, app.candidate(), exam_id, "AB")
        admin.post(f"/exams/{exam_id}/conclude/")
        app.clock.advance(minutes=10)
        opens_at = (app.clock.now + timedelta(hours=1)).isoformat()
        make_exam(app, admin, "", scheduled_date=opens_at)
        app.clock.advance(minutes=1)
        waits = app.candidate(verification="not_submitted")
        waits.upload("POST", "/user/verification/upload/", documents(), status=201)
        with begin(app.runtime) as work:
            mails.send(work, "accounts.email_code", "ada@example.com")
            work.db.execute(update(Mail).values(state="failed"))
        refresh(app)
        unpublished = {
            "kind": "leaderboard.unpublished",
            "count": 1,
            "oldest": "2026-03-01T09:00:00Z",
            "link": f"boards/publish?exams={exam_id}",
        }
        assert of_staff(admin)["todo"][0] == unpublished

        def kinds(role):
            return [each["kind"] for each in of_staff(app.staff(role))["todo"]]

        assert kinds("moderator") == []
        of_admins = ["leaderboard.unpublished", "exams.without_questions", "preflight.failed"]
        assert kinds("admin") == of_admins
        assert kinds("manager") == [*of_admins[:2], "verification.documents", of_admins[2]]
        assert "mails.failed" in kinds("superadmin")

    def test_a_to_do_links_to_its_only_object_or_to_the_list_of_several(self, app, admin):
        manager = app.staff("manager")

        def links():
            refresh(app)
            return {each["kind"]: each["link"] for each in of_staff(manager)["todo"]}

        opens_at = (app.clock.now + timedelta(hours=1)).isoformat()
        empty = make_exam(app, admin, "", scheduled_date=opens_at)
        waits = app.candidate(verification="not_submitted")
        waits.upload("POST", "/user/verification/upload/", documents(), status=201)
        asks = app.candidate()
        exam_id = make_exam(app, admin, "AB")
        sit(app, asks, exam_id, "AB")
        conclude(app, admin, exam_id)
        publish(app, admin)
        text = {"question": None, "text": "Is zero a natural number here?"}
        appeal = asks.post(f"/exams/{exam_id}/appeals/", text, status=201).json["id"]
        checks = f"exams/{empty}?step=checks"
        assert links() == {
            "exams.without_questions": f"exams/{empty}/paper",
            "preflight.failed": checks,
            "verification.documents": f"documents/{waits.id}",
            "appeals.open": f"appeals/{appeal}",
        }
        later = (app.clock.now + timedelta(hours=2)).isoformat()
        make_exam(app, admin, "", scheduled_date=later)
        other = app.candidate(verification="not_submitted")
        other.upload("POST", "/user/verification/upload/", documents(), status=201)
        # No list shows only the exams that fail a check, so the link leads to the first one.
        assert links() == {
            "exams.without_questions": "exams",
            "preflight.failed": checks,
            "verification.documents": "documents",
            "appeals.open": f"appeals/{appeal}",
        }

    def test_a_finished_to_do_disappears_within_a_minute(self, app, admin):
        waits, manager = app.candidate(verification="not_submitted"), app.staff("manager")
        waits.upload("POST", "/user/verification/upload/", documents(), status=201)
        refresh(app)
        assert [each["count"] for each in of_staff(manager)["todo"]] == [1]
        manager.post(f"/user/verification/action/{waits.id}/", {"is_approved": True}, status=200)
        refresh(app)
        assert of_staff(manager)["todo"] == []

    def test_an_item_that_nobody_can_answer_any_longer_is_no_to_do(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        person = app.candidate()
        take(person, exam_id, status=200)
        question = {"question": None, "text": "Is zero a natural number here?"}
        person.post(f"/exams/{exam_id}/clarifications/", question, status=201)

        def kinds():
            refresh(app)
            return [each["kind"] for each in of_staff(admin)["todo"]]

        assert kinds() == ["clarifications.open"]
        submit(person, exam_id, answers(app, exam_id, "AB"), status=201)
        conclude(app, admin, exam_id)
        # Staff can still answer the question on the page to which the to-do leads.
        assert {"clarifications.open", "leaderboard.unpublished"} == {*kinds()}
        publish(app, admin)
        assert kinds() == []
        person.post(f"/exams/{exam_id}/appeals/", question, status=201)
        assert kinds() == ["appeals.open"]
        with begin(app.runtime) as work:
            work.db.execute(update(Exam).values(deleted_at=work.now))
        assert kinds() == []


def test_many_open_exams_hide_neither_each_other_nor_upcoming_ones(app, admin):
    opened = [make_exam(app, admin, key="") for _ in range(51)]
    later = (app.clock.now + timedelta(days=3)).isoformat()
    exam_id = make_exam(app, admin, key="", scheduled_date=later)
    shown = admin.get("/dashboard/staff/").json
    assert [exam["id"] for exam in shown["upcoming_exams"]] == [exam_id]
    assert [exam["id"] for exam in shown["current_exams"]] == opened


def test_every_to_do_links_to_a_page_of_the_console(app):
    """Clients other than the console follow these links, too."""
    plugins = Path(competition.__file__).parent / "plugins"
    routes = json.loads((plugins / "console/static/routes.json").read_text("utf-8"))
    pages = [re.sub(r":\w+", "[^/]+", each["path"].removeprefix("/")) for each in routes]
    links = [each.link for each in app.runtime.catalogue[Todo].values() if is_ours(each)]
    # To-dos with a single row lead to an address of their own.
    for file in Path(competition.__file__).parent.rglob("*.py"):
        text = file.read_text("utf-8")
        if "\n@todo(" in text:
            links += re.findall(r'(?:link=|\bWaiting\(.*, )f?"([^"\n]+)"', text)
    assert len(links) > 10
    for link in links:
        path = re.sub(r"{\w*}", "1", link).partition("?")[0]
        assert any(re.fullmatch(page, path) for page in pages), link


def is_ours(each):
    return each.look.__module__.startswith("competition.")
