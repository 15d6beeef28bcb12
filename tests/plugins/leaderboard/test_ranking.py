"""How equal scores are ranked: the exam's policy, and the time used, which a board stores."""

from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select, update

from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.plugins.leaderboard.models import Board, Entry, Snapshot
from competition.plugins.leaderboard.services import publishing
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import Attempt, ExtraTime, Submission
from competition.testing.exam_day import (
    answers,
    make_exam,
    publish,
    score_by_hand,
    season,
    submit,
    take,
)


def board(app, reader, exam_id):
    return reader.get(f"/leaderboard/?exam_id={exam_id}", status=200).json


def rows(reply):
    return [*reply["top_three"], *reply["remaining_candidates"]]


@pytest.mark.parametrize(
    ("ranking", "ranks"), [("standard", [1, 1, 3, 3, 5]), ("dense", [1, 1, 2, 2, 3])]
)
def test_equal_scores_share_a_rank(app, admin, ranking, ranks):
    sheets = ["ABCDABCDAB", "ABCD", "ABCDABCDAB", "ABCD", " "]
    exam_id, _ = season(app, admin, sheets, ranking=ranking)
    publish(app, admin)
    reply = board(app, admin, exam_id)
    assert reply["exam_details"]["ranking"] == ranking
    assert [row["rank"] for row in rows(reply)] == ranks
    assert not any("seconds_used" in row for row in rows(reply))


def test_ranked_by_time_the_shorter_time_wins_and_the_deadline_caps_it(app, admin):
    """Candidates have 30 minutes. `minutes` is the time that each of them uses. The last two submit
    in the grace period.
    """
    exam_id = make_exam(app, admin, "ABCD", ranking="time", countdown_minutes=30)
    minutes = {"slow": 20, "quick": 10, "as quick": 10, "wrong": 1, "late": 31, "later": 34}
    people = {name: app.candidate(first_name=name) for name in minutes}
    for name, person in people.items():
        take(person, exam_id, status=200)
        app.clock.advance(minutes=minutes[name], milliseconds=7)
        sheet = answers(app, exam_id, "B" if name == "wrong" else "ABCD")
        submit(person, exam_id, sheet, status=201)
    by_hand, started = app.candidate(first_name="by hand"), app.candidate(first_name="started")
    take(started, exam_id, status=200)
    app.clock.advance(minutes=1)
    admin.post(f"/exams/{exam_id}/conclude/")
    for person in (by_hand, started):
        score_by_hand(admin, exam_id, person, 100)
    app.clock.advance(minutes=6)
    publish(app, admin)
    reply = board(app, admin, exam_id)
    assert reply["exam_details"]["ranking"] == "time"
    found = [
        (row["rank"], row["candidate"]["full_name"].split(" ")[0], row["seconds_used"])
        for row in rows(reply)
    ]
    # A candidate who did not submit has used all the time, and the exam closed a minute after the
    # start.
    assert sorted(found) == sorted(
        [
            (1, "started", 60.0),
            (2, "quick", 600.007),
            (2, "as", 600.007),
            (4, "slow", 1200.007),
            (5, "late", 1800.0),
            (5, "later", 1800.0),
            (5, "by", 1800.0),
            (8, "wrong", 60.007),
        ]
    )
    assert [rank for rank, *_ in found] == [1, 2, 2, 4, 5, 5, 5, 8]
    quick = admin.get(f"/leaderboard/screening/1/candidate/{people['quick'].number}/").json
    assert quick["candidate_performance"]["seconds_used"] == 600.007
    # A published board stays the same, even if the exam is changed.
    with begin(app.runtime) as work:
        work.db.execute(update(Exam).values(ranking="dense", countdown_minutes=1))
    assert board(app, admin, exam_id) == reply


def test_the_ranking_method_of_a_started_exam_can_not_change(app, admin):
    exam_id = make_exam(app, admin, "AB")
    path = f"/exams/{exam_id}/"
    shown = admin.get(path, status=200).json
    assert (shown["ranking"], shown["scores_visible"]) == ("standard", None)
    assert admin.patch(path, {"ranking": "dense"}, status=200).json["ranking"] == "dense"
    admin.patch(path, {"ranking": "random"}, status=400, code="invalid")
    take(app.candidate(), exam_id, status=200)
    refusal = admin.patch(path, {"ranking": "time"}, status=400, code="invalid").json
    assert list(refusal["errors"]) == ["ranking"]
    body = {"ranking": "dense", "scores_visible": "at_conclusion"}
    assert admin.patch(path, body, status=200).json["scores_visible"] == "at_conclusion"
    assert admin.patch(path, {"scores_visible": None}, status=200).json["scores_visible"] is None


# Random results: the candidate's score, the extra time in seconds, and when the candidate
# submitted, in seconds after the start. Candidates have 1,800 seconds. Without a submission the
# time is "started", and without an attempt it is None. There are few values, so nearly all
# candidates are tied.
DONE = st.tuples(
    st.sampled_from([Decimal("33.33"), Decimal(50), Decimal(100)]),
    st.sampled_from([None, 60]),
    st.one_of(st.sampled_from([600, 1800, 1850, 1900]), st.just("started"), st.none()),
    st.booleans(),
)


def places(rows, policy):
    """A simple implementation of the rules: the rank of each candidate who is not deactivated."""
    shown = {
        each: (-score, seconds if policy == "time" else 0)
        for each, (score, seconds, is_active) in rows.items()
        if is_active
    }
    return {each: 1 + len(better(shown.values(), own, policy)) for each, own in shown.items()}


def better(all_of_them, own, policy):
    """The results that come before `own`. For dense ranking, equal results count once."""
    before = [each for each in all_of_them if each < own]
    return {*before} if policy == "dense" else before


def test_ranks_are_right_in_random_seasons_with_ties(app, admin):
    people = [app.candidate() for _ in range(8)]
    policies = ("standard", "dense", "time")
    exams = {
        policy: make_exam(app, admin, "AB", round=round, ranking=policy, countdown_minutes=30)
        for round, policy in enumerate(policies, 1)
    }
    for exam_id in exams.values():
        take(people[0], exam_id, status=200)
    begun = app.clock.now
    app.clock.advance(hours=13)
    with begin(app.runtime) as work:
        work.db.execute(delete(Attempt))

    @settings(max_examples=10, deadline=None, database=None, derandomize=True)
    @given(st.lists(DONE, min_size=len(people), max_size=len(people)))
    def holds(season):
        rows = {}
        with begin(app.runtime) as work:
            for person, (score, extra, handed_in, is_active) in zip(people, season, strict=True):
                whose = {"candidate_id": person.id}
                deadline = 1800 + (extra or 0)
                used = 1800 if handed_in is None else deadline
                if isinstance(handed_in, int):
                    used = min(handed_in, deadline)
                rows[person.id] = (score, used, is_active)
                work.db.get_one(User, person.id).is_active = is_active
                for exam_id in exams.values():
                    whose["exam_id"] = exam_id
                    work.db.add(Score(**whose, value=score, is_auto=False, recorded_at=work.now))
                    if handed_in is not None:
                        work.db.add(Attempt(**whose, started_at=begun))
                        work.db.flush()
                    if handed_in is not None and extra:
                        work.db.add(ExtraTime(**whose, seconds=extra, created_at=begun))
                    if isinstance(handed_in, int):
                        at = begun + timedelta(seconds=handed_in)
                        work.db.add(Submission(**whose, answers="AB", submitted_at=at))
            work.db.flush()
            publishing.publish(work)
            entries = work.db.execute(
                select(Board.exam_id, Entry.user_id, Entry.rank, Entry.seconds_used).join(
                    Board, Board.id == Entry.board_id
                )
            ).all()
            for policy, exam_id in exams.items():
                found = {each.user_id: each.rank for each in entries if each.exam_id == exam_id}
                assert found == places(rows, policy), policy
            times = {each.user_id: each.seconds_used for each in entries if each.seconds_used}
            assert times == {each: row[1] for each, row in rows.items() if row[2]}
            for table in (Entry, Board, Snapshot, Submission, ExtraTime, Attempt, Score):
                work.db.execute(delete(table))

    holds()
