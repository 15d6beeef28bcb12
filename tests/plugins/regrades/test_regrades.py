"""Regrades: previewing, applying and reverting a correction of the answer key."""

import random
from collections import Counter
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from competition.core.audit import AuditEntry
from competition.core.users import personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.drafts.models import Draft
from competition.plugins.exams.models import Exam, ExamQuestion
from competition.plugins.exams.services import rows as rows_of_exams
from competition.plugins.leaderboard.services import publishing
from competition.plugins.regrades.events import ChoicesAsked
from competition.plugins.regrades.models import Difference
from competition.plugins.regrades.services import applying, reading
from competition.plugins.scores.events import ScoresCorrected, ScoresRecorded
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import by_hand as by_hand_rules
from competition.plugins.scores.services import ending, scoring
from competition.plugins.sittings.services import sealing
from competition.testing.exam_day import (
    answers,
    make_exam,
    publish,
    score_by_hand,
    season,
    sit,
    take,
)
from competition.testing.exam_day import season as scored_season
from competition.testing.races import WAITING, overtaken, together
from competition.testing.waiting import wait_until

REASON = "The third question had two right answers."


def questions(app, exam_id):
    with begin(app.runtime) as work:
        found = work.db.query(ExamQuestion).filter_by(exam_id=exam_id)
        return [each.question_id for each in found.order_by(ExamQuestion.position)]


def seal(app, exam_id):
    """Seal the exam as a publication does, without creating a leaderboard."""
    app.clock.advance(minutes=6)
    with begin(app.runtime) as work:
        assert exam_id in [exam.id for exam in ending.seal_and_score(work)]


def sealed(app, admin, sheets, **exam):
    exam_id, people = season(app, admin, sheets, **exam)
    seal(app, exam_id)
    return exam_id, people


def regrade(admin, exam_id, *changes, reason=REASON, **expected):
    body = {"changes": [*changes], "reason": reason}
    return admin.post(f"/exams/{exam_id}/regrades/", body, **{"status": 201, **expected}).json


def act(admin, shown, action, **expected):
    path = f"/exams/{shown['exam']}/regrades/{shown['id']}/{action}/"
    return admin.post(path, **{"status": 200, **expected}).json


def apply(admin, exam_id, *changes):
    return act(admin, regrade(admin, exam_id, *changes), "apply")


def detail(admin, shown, query=""):
    path = f"/exams/{shown['exam']}/regrades/{shown['id']}/{query}"
    return admin.get(path, status=200).json


def rows(admin, shown):
    return [
        (
            row["candidate"]["user_id"],
            row["score_before"],
            row["score_after"],
            row["rank_before"],
            row["rank_after"],
        )
        for row in detail(admin, shown, "?limit=100")["results"]
    ]


def results(admin, exam_id):
    return {
        row["candidate_id"]: row["score"] for row in admin.get(f"/exams/{exam_id}/results/").json
    }


def board(person, query="stage=screening&round=1"):
    reply = person.get(f"/leaderboard/?{query}", status=200).json
    entries = [*reply["top_three"], *reply["remaining_candidates"]]
    return [(row["rank"], row["candidate"]["user_id"], row["score"]) for row in entries]


def correction_messages(person):
    found = person.get("/notifications/").json["results"]
    return [each["message"] for each in found if each["subject"] == "Your score has changed"]


class TestPreview:
    def test_a_preview_shows_the_effect_and_changes_nothing(self, app, admin):
        exam_id, people = sealed(app, admin, ["ABCD", "ABBD", "CCCC", "A   "], key="ABCD")
        third = questions(app, exam_id)[2]
        score_by_hand(admin, exam_id, people[3], 80)
        before = results(admin, exam_id)
        shown = regrade(admin, exam_id, {"question": third, "accept": ["b"]})
        # The scores 100, 75, 25 and 80 (by hand) become 75, 100, 0 and 80.
        effect = {
            "scores_changed": 3,
            "up": 1,
            "down": 2,
            "ranks_changed": 2,
            "average_before": 70.0,
            "average_after": 63.75,
        }
        assert effect.items() <= shown["effect"].items()
        assert (shown["status"], shown["exam"], shown["reason"]) == ("preview", exam_id, REASON)
        assert shown["changes"] == [{"question": third, "accept": ["B"]}]
        assert shown["created_by"]["user"]["id"] == str(admin.id)
        assert (shown["applied_by"], shown["applied_at"]) == (None, None)
        first, second, guessed = (str(person.id) for person in people[:3])
        # Each score changes by 25 points, and two of the candidates move by two ranks.
        found = rows(admin, shown)
        assert {*found[:2]} == {(first, 100.0, 75.0, 1, 3), (second, 75.0, 100.0, 3, 1)}
        assert found[2:] == [(guessed, 25.0, 0.0, 4, 4)]
        assert results(admin, exam_id) == before
        page = detail(admin, shown, "?limit=1&page=3")
        assert page["results"][0]["candidate"] == {
            "user_id": guessed,
            "full_name": app.user(people[2]).full_name,
            "school": "Hillside School",
        }
        assert (page["pagination"]["count"], page["pagination"]["total_pages"]) == (3, 3)
        by_name = detail(admin, shown, f"?search={app.user(people[1]).last_name}%20hill")
        assert [row["candidate"]["user_id"] for row in by_name["results"]] == [second]
        by_score = detail(admin, shown, "?ordering=-score_after")["results"]
        assert [row["score_after"] for row in by_score] == [100.0, 75.0, 0.0]
        path = f"/exams/{exam_id}/regrades/"
        assert admin.get(f"{path}?status=preview&search=two%20right").json["results"] == [shown]
        for query in ("status=applied", "search=another"):
            assert admin.get(f"{path}?{query}").json["results"] == []
        assert correction_messages(people[0]) == []

    def test_the_ranks_of_a_preview_equal_those_of_a_simple_computation(self, app, admin):
        letters = random.Random(7)
        sheets = ["".join(letters.choices("ABC ", k=6)) for _ in range(14)]
        exam_id, people = sealed(app, admin, sheets, key="ABCABC")
        score_by_hand(admin, exam_id, people[0], 50)
        with begin(app.runtime) as work:
            work.db.get_one(User, people[1].id).is_active = False
        ids = questions(app, exam_id)
        answered = {str(person.id): sheet for person, sheet in zip(people, sheets, strict=True)}
        change = st.one_of(
            st.fixed_dictionaries(
                {"accept": st.lists(st.sampled_from("ABCD"), min_size=1, max_size=4)}
            ),
            st.just({"void": True}),
            st.just({"credit_all": True}),
        )

        @settings(max_examples=8, deadline=None, database=None, derandomize=True)
        @given(st.dictionaries(st.integers(0, 5), change, min_size=1, max_size=5))
        def holds(changes):
            named = [{"question": ids[at], **each} for at, each in changes.items()]
            key = [{each} for each in "ABCABC"]
            before = scored(answered, key)
            for at, each in changes.items():
                everything = set("ABCD ") if "credit_all" in each else set()
                key[at] = set(each.get("accept", everything))
            after = scored(answered, key)
            for values in (before, after):
                values[str(people[0].id)] = 50.0
            absent = str(people[1].id)
            expected = {
                each: (before[each], after[each], *places)
                for each, places in zip(
                    answered,
                    zip(ranked(before, absent), ranked(after, absent), strict=True),
                    strict=True,
                )
                if before[each] != after[each] or places[0] != places[1]
            }
            shown = regrade(admin, exam_id, *named)
            assert {row[0]: row[1:] for row in rows(admin, shown)} == expected
            moves = [abs(row[2] - row[1]) for row in rows(admin, shown)]
            assert moves == sorted(moves, reverse=True)
            assert shown["effect"]["average_after"] == pytest.approx(
                sum(after.values()) / len(after), abs=0.0051
            )

        holds()

    def test_the_ranks_of_a_preview_follow_the_exams_ranking_method(self, app, admin):
        exam_id, people = sealed(app, admin, ["AA", "AB", "BB"], key="AA", ranking="dense")
        first, _ = questions(app, exam_id)
        shown = regrade(admin, exam_id, {"question": first, "accept": ["A", "B"]})
        # The scores 100, 50, 0 become 100, 50, 50.
        assert rows(admin, shown) == [(str(people[2].id), 0.0, 50.0, 3, 2)]
        shown = regrade(admin, exam_id, {"question": first, "void": True})
        # The scores become 100, 0, 0.
        assert rows(admin, shown) == [
            (str(people[1].id), 50.0, 0.0, 2, 2),
            (str(people[2].id), 0.0, 0.0, 3, 2),
        ]
        assert shown["effect"]["ranks_changed"] == 1

    def test_changes_that_do_not_fit_the_paper_are_rejected(self, app, admin):
        exam_id, _ = sealed(app, admin, ["AB"], key="AB")
        first, second = questions(app, exam_id)
        other, _ = sealed(app, admin, ["A"], key="A", round=2)
        void = [{"question": each, "void": True} for each in (first, second)]
        for index, changes in (
            (0, [{"question": questions(app, other)[0], "void": True}]),
            (1, [void[0], {"question": first, "accept": ["B"]}]),
        ):
            errors = regrade(admin, exam_id, *changes, status=400, code="invalid")["errors"]
            assert list(errors["changes"]) == [str(index)]
        regrade(admin, exam_id, *void, status=400, code="invalid")
        for wrong in (
            [],
            [{"question": first}],
            [{"question": first, "void": False}],
            [{"question": first, "void": True, "credit_all": True}],
            [{"question": first, "accept": []}],
            [{"question": first, "accept": ["E"]}],
        ):
            regrade(admin, exam_id, *wrong, status=400, code="invalid")
        for reason in ("", "x" * 501):
            regrade(admin, exam_id, void[0], reason=reason, status=400, code="invalid")
        # Each of the two questions can be voided, but not both. Regrades that were applied before
        # count too.
        apply(admin, exam_id, void[0])
        regrade(admin, exam_id, void[1], status=400, code="invalid")

    def test_only_a_sealed_exam_can_be_regraded(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        change = {"question": questions(app, exam_id)[0], "void": True}
        regrade(admin, exam_id, change, status=400, code="invalid")
        regrade(admin, 999_999, change, status=404)
        one, _ = sealed(app, admin, ["A"], key="A")
        other, _ = sealed(app, admin, ["A"], key="A", round=2)
        shown = regrade(admin, one, {"question": questions(app, one)[0], "accept": ["B"]})
        admin.get(f"/exams/{other}/regrades/{shown['id']}/", status=404)
        act(admin, {**shown, "exam": other}, "apply", status=404)
        act(admin, {**shown, "exam": other}, "revert", status=404)
        admin.get("/exams/999999/regrades/", status=404)


def scored(answered, key):
    """The percentage of right answers among the questions that count, by candidate."""
    counting = [at for at, accepted in enumerate(key) if accepted]
    return {
        each: round(100 * sum(sheet[at] in key[at] for at in counting) / len(counting) + 1e-9, 2)
        for each, sheet in answered.items()
    }


def ranked(scores, absent):
    """The rank of each candidate: one more than the number of higher scores. None for the absent
    candidate.
    """
    better = [value for each, value in scores.items() if each != absent]
    return [
        None if each == absent else 1 + sum(other > value for other in better)
        for each, value in scores.items()
    ]


class TestBeforeThePublication:
    """Staff can correct an answer key before candidates see the leaderboard."""

    @pytest.fixture
    def over(self, app, admin):
        """An exam that is over but neither sealed nor scored. Its scores are hidden until the
        publication."""
        sheets = ["ABCD", "BBCD"]
        exam_id, people = season(app, admin, sheets, key="ABCD", scores_visible="at_publication")
        app.clock.advance(minutes=6)
        return exam_id, people

    def exam(self, app, exam_id):
        with begin(app.runtime) as work:
            exam = work.db.get_one(Exam, exam_id)
            return exam.sealed_at is not None, exam.published_at is not None

    def test_a_regrade_before_the_publication_notifies_nobody(self, app, admin, over):
        exam_id, [_, wronged] = over
        wrong = {"question": questions(app, exam_id)[0], "accept": ["A", "B"]}
        shown = regrade(admin, exam_id, wrong)
        assert (shown["effect"]["scores_changed"], shown["effect"]["average_before"]) == (1, 87.5)
        # A preview changes nothing: no scores are stored, and the exam is not sealed.
        assert (results(admin, exam_id), self.exam(app, exam_id)) == ({}, (False, False))
        with begin(app.runtime) as work:
            assert personal_data.export(work, wronged.id)["regrades"] == []
        assert act(admin, shown, "apply")["status"] == "applied"
        assert results(admin, exam_id) == {str(each.id): 100.0 for each in over[1]}
        assert self.exam(app, exam_id) == (True, False)
        assert wronged.get("/dashboard/candidate/").json["recent_scores"] == []
        assert correction_messages(wronged) == []
        admin.get("/leaderboard/", status=404)
        with begin(app.runtime) as work:
            assert personal_data.export(work, wronged.id)["regrades"] == []
        publish(app, admin)
        assert self.exam(app, exam_id) == (True, True)
        assert [rank for rank, *_ in board(admin)] == [1, 1]
        assert wronged.get("/dashboard/candidate/").json["recent_scores"] != []
        assert correction_messages(wronged) == []
        # A regrade that nobody has applied is not in the export, although it would change the
        # score.
        second = {"question": questions(app, exam_id)[1], "accept": ["C"]}
        assert regrade(admin, exam_id, second)["effect"]["scores_changed"]
        with begin(app.runtime) as work:
            [exported] = personal_data.export(work, wronged.id)["regrades"]
        assert exported["status"] == "applied"

    def test_extra_time_outdates_a_preview_and_sealing_ends_extra_time(self, app, admin, over):
        exam_id = make_exam(app, admin, "AB", round=2)
        ada, wrong = app.candidate(), {"question": questions(app, exam_id)[0], "accept": ["B"]}
        take(ada, exam_id)
        draft = {"sequence": 1, **answers(app, exam_id, "AA")}
        ada.put(f"/exams/{exam_id}/draft/", draft, status=200)
        app.clock.advance(minutes=600)
        take(app.new_session(app.candidate()), exam_id)
        # The exam has closed, but the last candidate who started still has time or a grace period.
        for minutes in (0, 60, 5):
            app.clock.advance(minutes=minutes)
            regrade(app.new_session(admin), exam_id, wrong, status=400, code="invalid")
        app.clock.advance(minutes=1)
        boss, admin = admin, app.new_session(admin)
        # The preview includes drafts that the service has not submitted yet.
        shown = regrade(admin, exam_id, wrong)
        assert shown["effect"]["average_before"] == 50.0

        def give(**expected):
            body = {"everyone": True, "extra_minutes": 660, "reason": "Power."}
            admin.post(f"/exams/{exam_id}/allowances/", body, **expected)

        give(status=201)
        act(admin, shown, "apply", status=400, code="preview_outdated")
        app.clock.advance(minutes=12 * 60)
        admin = app.new_session(boss)
        act(admin, shown, "apply", status=400, code="preview_outdated")
        act(admin, regrade(admin, exam_id, wrong), "apply")
        give(status=400, code="invalid")

    def test_a_regrade_opens_no_appeals_and_deletes_no_drafts(self, app, admin, over):
        exam_id, [one, _] = over
        apply(admin, exam_id, {"question": questions(app, exam_id)[0], "void": True})
        draft = f"/exams/{exam_id}/drafts/{one.id}/"
        with begin(app.runtime) as work:
            work.db.add(
                Draft(
                    exam_id=exam_id,
                    candidate_id=one.id,
                    sequence=1,
                    answers="A---",
                    changes="A---",
                    saved_at=work.now,
                )
            )
        app.forget("drafts.drafts")
        admin.get(draft, status=200)
        appeal = {"question": None, "text": "It was wrong."}
        path = f"/exams/{exam_id}/appeals/"
        one.post(path, appeal, status=403, code="appeals_closed")
        publish(app, admin)
        one.post(path, appeal, status=201)
        admin.get(draft, status=404)
        app.forget("drafts.drafts")
        with begin(app.runtime) as work:
            assert work.db.get(Draft, (exam_id, one.id)) is None


class TestApplying:
    def test_each_kind_of_change_can_be_applied_and_reverted(self, app, admin):
        exam_id, people = sealed(app, admin, ["ABCD", "BBCD", "    "], key="ABCD")
        first = questions(app, exam_id)[0]
        applied = []
        for change, expected in (
            ({"accept": ["A", "B"]}, [100.0, 100.0, 0.0]),
            ({"accept": ["B"]}, [75.0, 100.0, 0.0]),
            ({"credit_all": True}, [100.0, 100.0, 25.0]),
            ({"void": True}, [100.0, 100.0, 0.0]),
        ):
            shown = apply(admin, exam_id, {"question": first, **change})
            assert (shown["status"], shown["applied_at"]) == ("applied", "2026-03-01T09:09:00Z")
            assert shown["applied_by"]["user"]["id"] == str(admin.id)
            assert [*map(results(admin, exam_id).get, (str(p.id) for p in people))] == expected
            applied.append((shown, expected))
        # Only the latest regrade can be reverted.
        act(admin, applied[0][0], "revert", status=400, code="invalid")
        for (shown, _), (_, expected) in zip(applied[:0:-1], applied[-2::-1], strict=True):
            assert act(admin, shown, "revert")["status"] == "reverted"
            assert [*map(results(admin, exam_id).get, (str(p.id) for p in people))] == expected
            act(admin, shown, "revert", status=400, code="invalid")
            # A reverted regrade can't be applied again.
            act(admin, shown, "apply", status=400, code="preview_outdated")
        preview = regrade(admin, exam_id, {"question": first, "void": True})
        act(admin, preview, "revert", status=400, code="invalid")
        act(admin, applied[0][0], "revert")
        assert results(admin, exam_id)[str(people[1].id)] == 75.0
        with begin(app.runtime) as work:
            acts = [entry.action for entry in work.db.query(AuditEntry).order_by(AuditEntry.id)]
            exported = personal_data.export(work, people[1].id)["regrades"]
            # Previews that were never applied are not exported.
            regraded = [each["status"] for each in exported]
        assert "preview" not in regraded
        counts = Counter(each for each in acts if each.startswith("regrade"))
        assert counts == {"regrade.preview": 5, "regrade.apply": 4, "regrade.revert": 4}
        # The export leaves out the other regrades, which did not change this candidate's score and
        # rank.
        assert [(each["status"], each["reason"]) for each in exported] == [("reverted", REASON)]

    def test_only_a_preview_can_be_deleted(self, app, admin):
        exam_id, _ = sealed(app, admin, ["ABCD", "BBCD"], key="ABCD")
        change = {"question": questions(app, exam_id)[0], "void": True}

        def delete(shown, **expected):
            admin.delete(f"/exams/{exam_id}/regrades/{shown['id']}/", **expected)

        wrong, applied = regrade(admin, exam_id, change), regrade(admin, exam_id, change)
        before = results(admin, exam_id)
        delete(wrong, status=204)
        assert results(admin, exam_id) == before
        assert [
            each["id"] for each in admin.get(f"/exams/{exam_id}/regrades/").json["results"]
        ] == [applied["id"]]
        for path in ("", "apply/", "revert/"):
            method = admin.post if path else admin.get
            method(f"/exams/{exam_id}/regrades/{wrong['id']}/{path}", status=404)
        delete(wrong, status=404)
        for status in ("apply", "revert"):
            act(admin, applied, status)
            delete(applied, status=400, code="invalid")
        with begin(app.runtime) as work:
            kept = set(work.db.scalars(select(Difference.regrade_id)))
        assert kept == {applied["id"]}

    def test_a_regrade_updates_the_leaderboard_and_notifies_affected_candidates(self, app, admin):
        exam_id, [one, other] = season(app, admin, ["ABCD", "BBCD"], key="ABCD")
        publish(app, admin)
        summary = admin.get("/leaderboard/").json
        sealed(app, admin, ["A"], key="A", round=2)
        events = []
        app.subscribe(ScoresRecorded, events.append)
        question = questions(app, exam_id)[0]
        apply(admin, exam_id, {"question": question, "accept": ["A", "B"]})
        assert board(one) == [(1, str(one.id), 100.0), (1, str(other.id), 100.0)]
        # The regrade does not publish other exams.
        [line] = admin.get("/leaderboard/").json["available_leaderboards"]
        assert (line["exam_id"], line["average_score"]) == (exam_id, 100.0)
        assert correction_messages(one) == []
        assert correction_messages(other) == [f"Your score in Screening was corrected: {REASON}"]
        [event] = events
        assert (type(event), list(event.candidate_ids)) == (ScoresCorrected, [other.id])
        # Staff can read the earlier snapshot.
        old = f"exam_id={exam_id}&snapshot={summary['snapshot_id']}"
        moderator = app.staff("moderator")
        before = [(1, str(one.id), 100.0), (2, str(other.id), 75.0)]
        assert board(moderator, old) == before
        assert board(moderator, f"stage=screening&round=1&snapshot={summary['snapshot_id']}") == (
            before
        )
        was = f"/leaderboard/?snapshot={summary['snapshot_id']}"
        assert moderator.get(was).json == summary
        for path in (was, f"/leaderboard/?{old}"):
            one.get(path, status=403, code="permission_denied")
        moderator.get("/leaderboard/?snapshot=999999", status=404, code="not_found")
        # The accepted options are shown with the answers.
        path = f"/leaderboard/screening/1/candidate/{other.id}/"

        def first_answer():
            answer = other.get(path).json["candidate_performance"]["submissions"][0]
            return answer["correct_answer"], answer["accepted"], answer["is_correct"]

        assert first_answer() == ("A", ["A", "B"], True)
        for change, expected in (
            ({"accept": ["C"]}, ("C", ["C"], False)),
            ({"credit_all": True}, ("A", ["A", "B", "C", "D", ""], True)),
            ({"void": True}, ("A", [], None)),
        ):
            last = apply(admin, exam_id, {"question": question, **change})
            assert first_answer() == expected
        act(admin, last, "revert")
        assert first_answer() == ("A", ["A", "B", "C", "D", ""], True)

    def test_a_change_since_the_preview_makes_it_outdated(self, app, admin):
        exam_id, people = sealed(app, admin, ["ABCD", "BBCD", "    "], key="ABCD")
        first, second, *_ = questions(app, exam_id)
        change, other = {"question": first, "accept": ["B"]}, {"question": second, "void": True}
        applied = []

        def outdated(happens):
            shown = regrade(admin, exam_id, change)
            happens()
            act(admin, shown, "apply", status=400, code="preview_outdated")
            return shown

        def deactivate():
            with begin(app.runtime) as work:
                work.db.get_one(User, people[2].id).is_active = False

        # The score keeps its value, but it is now given by hand. So a regrade no longer changes it,
        # and the preview is outdated.
        outdated(lambda: score_by_hand(admin, exam_id, people[0], 100))
        outdated(deactivate)
        shown = outdated(lambda: applied.append(apply(admin, exam_id, other)))
        act(admin, applied[0], "revert")
        # Everything is as it was in the preview, so it can be applied. A repeated request gets the
        # same reply.
        first_reply = act(admin, shown, "apply")
        assert act(admin, shown, "apply") == first_reply
        assert results(admin, exam_id)[str(people[0].id)] == 100.0


class TestCandidatesChosenByPlugins:
    """Another plugin, such as one that promotes candidates, chooses candidates by their scores."""

    @pytest.fixture
    def minimum(self, app):
        """The minimum score of the candidates that the plugin chooses."""
        wanted = [75]

        def choose(event):
            best = select(Score.candidate_id).where(
                Score.exam_id == event.exam_id, Score.value >= wanted[0]
            )
            event.choices.update(("tests", "plan", each) for each in event.work.db.scalars(best))

        app.subscribe(ChoicesAsked, choose)
        return wanted

    def test_a_preview_shows_who_would_be_chosen_or_lose_their_place(self, app, admin, minimum):
        exam_id, people = sealed(app, admin, ["ABCD", "BBDA", "BBCA"], key="ABCD")
        first = questions(app, exam_id)[0]
        minimum[0] = 75
        shown = regrade(admin, exam_id, {"question": first, "accept": ["B"]})
        with begin(app.runtime) as work:
            [(gets_in, falls_out)] = reading.chosen_otherwise(work, [shown["id"]]).values()
        # The scores 100, 25 and 50 become 75, 50 and 75.
        assert [each["user_id"] for each in gets_in] == [people[2].id]
        assert falls_out == []
        minimum[0] = 80
        act(admin, shown, "apply", status=400, code="preview_outdated")
        shown = regrade(admin, exam_id, {"question": first, "accept": ["B"]})
        with begin(app.runtime) as work:
            [(gets_in, falls_out)] = reading.chosen_otherwise(work, [shown["id"]]).values()
        assert (gets_in, [each["user_id"] for each in falls_out]) == ([], [people[0].id])
        act(admin, shown, "apply")


class TestRaces:
    @pytest.fixture
    def season(self, live):
        """An admin, a published exam, its first question, and a candidate who answered B to it."""
        admin = live.staff("admin")
        exam_id, people = season(live, admin, ["ABCD", "BBCD"], key="ABCD")
        publish(live, admin)
        return admin, exam_id, questions(live, exam_id)[0], people[1]

    def test_one_of_two_simultaneous_regrades_is_applied(self, live, season):
        admin, exam_id, first, person = season
        previews = [
            regrade(admin, exam_id, {"question": first, **{how: True}})
            for how in ("credit_all", "void")
        ]
        clients = [live.new_session(admin) for _ in range(4)]

        def apply_one(at):
            shown = previews[at % 2]
            path = f"/exams/{exam_id}/regrades/{shown['id']}/apply/"
            reply = clients[at].post(path, status="any")
            return reply.status_int, reply.json.get("code")

        replies = Counter(together(4, apply_one))
        # Each preview is applied twice. The repeated request gets the first reply.
        assert replies == {(200, None): 2, (400, "preview_outdated"): 2}
        assert results(admin, exam_id)[str(person.id)] == 100.0
        assert board(admin)[0][0] == board(admin)[1][0] == 1

    def test_a_simultaneous_score_by_hand_outdates_the_regrade(self, live, season):
        admin, exam_id, first, person = season
        shown = regrade(admin, exam_id, {"question": first, "accept": ["A", "B"]})
        other = live.new_session(admin)
        path = f"/exams/{exam_id}/regrades/{shown['id']}/apply/"

        def by_hand(work):
            exam = rows_of_exams.locked_against_deletion(work, exam_id)
            by_hand_rules.record_score(work, exam, str(person.id), 10)

        reply = overtaken(live, admin, by_hand, lambda: other.post(path, status="any"))
        assert (reply.status_int, reply.json["code"]) == (400, "preview_outdated")
        assert results(admin, exam_id)[str(person.id)] == 10.0

    def test_a_score_by_hand_after_the_regrade_stays(self, live, season):
        admin, exam_id, first, person = season
        shown = regrade(admin, exam_id, {"question": first, "accept": ["A", "B"]})
        path, body = f"/exams/{exam_id}/submit-exam-score/", {"candidate_id": str(person.id)}
        overtaken(
            live,
            admin,
            lambda work: applying.apply(work, reading.get(work, exam_id, shown["id"])),
            lambda: admin.put(path, {**body, "score": 10}, status=200),
        )
        assert results(admin, exam_id)[str(person.id)] == 10.0
        act(admin, shown, "revert")
        assert results(admin, exam_id)[str(person.id)] == 10.0

    def test_a_regrade_waits_for_a_running_publication(self, live):
        admin = live.staff("admin")
        exam_id, _ = scored_season(live, admin, ["ABCD", "BBCD"], key="ABCD")
        seal(live, exam_id)
        [first, *_] = questions(live, exam_id)
        shown = regrade(admin, exam_id, {"question": first, "accept": ["A", "B"]})
        applied = overtaken(
            live, admin, publishing.publish, lambda: act(admin, shown, "apply")["status"]
        )
        assert applied == "applied"
        assert [(rank, score) for rank, _, score in board(admin)] == [(1, 100.0), (1, 100.0)]

    def test_a_publication_waits_for_a_running_regrade(self, live, season):
        admin, exam_id, first, _ = season
        shown = regrade(admin, exam_id, {"question": first, "accept": ["A", "B"]})

        def publish_all():
            with begin(live.runtime) as work:
                publishing.publish(work)

        def apply_it(work):
            applying.apply(work, reading.get(work, exam_id, shown["id"]))

        overtaken(live, admin, apply_it, publish_all)
        assert [(rank, score) for rank, _, score in board(admin)] == [(1, 100.0), (1, 100.0)]


def test_a_regrade_and_scoring_lock_an_exam_in_the_same_order(live):
    admin = live.staff("admin")
    exam_id = make_exam(live, admin, "AB")
    sit(live, live.candidate(), exam_id, "AA")
    live.clock.advance(minutes=60 * 24)

    def score():
        with begin(live.runtime) as work:
            scoring.score_submissions(work, exam_id)

    def regrade_after_scoring_has_begun(work):
        exam = rows_of_exams.locked_whole(work, exam_id)
        scorer = Thread(target=score)
        scorer.start()
        wait_until(lambda: work.db.scalar(WAITING))
        # This locks rows in the same order as the scorer. In another order, PostgreSQL would abort
        # one of the two transactions.
        assert sealing.is_over(work, exam)
        return scorer

    with begin(live.runtime) as work:
        scorer = regrade_after_scoring_has_begun(work)
    scorer.join()
    with begin(live.runtime) as work:
        assert work.db.scalar(select(func.count()).select_from(Score)) == 1
