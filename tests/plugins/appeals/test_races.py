"""All operations that change results, running at the same time."""

from collections import Counter
from decimal import Decimal

import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry, chain
from competition.core.work import begin
from competition.plugins.advancement.models import Plan
from competition.plugins.leaderboard.services import publishing
from competition.plugins.regrades.services import applying, reading
from competition.plugins.scores.models import Score
from competition.testing.exam_day import publish, season
from competition.testing.races import overtaken, together

FIRST_QUESTION = "A or B."


@pytest.fixture
def published(live):
    """An admin, a published exam, its first question (whose key is A), and the candidates who took
    it."""
    admin = live.staff("admin")
    exam_id, people = season(live, admin, ["ABCD", "BBCD", "BBBB", "AAAA"], key="ABCD")
    publish(live, admin)
    [first, *_] = admin.get(f"/exams/{exam_id}/questions/").json
    return admin, exam_id, first["id"], people


def preview(admin, exam_id, question):
    body = {"changes": [{"question": question, "accept": ["A", "B"]}], "reason": FIRST_QUESTION}
    return admin.post(f"/exams/{exam_id}/regrades/", body, status=201).json["id"]


def appeal(person, exam_id, question):
    body = {"question": question, "text": "Is it not B, too?"}
    return person.post(f"/exams/{exam_id}/appeals/", body, status=201).json["id"]


def check_chain(live):
    with begin(live.runtime) as work:
        chain.seal(work)
    with begin(live.runtime) as work:
        chain.verify(work, chain.head(work))


@pytest.mark.parametrize("is_first", [True, False])
def test_an_answer_can_refer_to_a_regrade_being_applied(live, published, is_first):
    """`is_first`: whether the regrade is applied before the appeal is answered."""
    admin, exam_id, question, people = published
    regrade_id, appeal_id = (
        preview(admin, exam_id, question),
        appeal(people[1], exam_id, question),
    )
    path = f"/exams/{exam_id}/regrades/{regrade_id}/apply/"
    given = {"answer": "It is.", "status": "accepted", "regrade": regrade_id}

    def answer():
        return admin.post(f"/appeals/{appeal_id}/answer/", given, status=200)

    def apply(work):
        applying.apply(work, reading.get(work, exam_id, regrade_id))

    if is_first:
        overtaken(live, admin, apply, answer)
    else:
        together(2, lambda at: answer() if at else admin.post(path, status=200))
    subjects = [each["subject"] for each in people[1].get("/notifications/").json["results"]]
    assert Counter(subjects) >= Counter(["Your score has changed", "Your appeal was accepted"])
    [own] = people[1].get(f"/exams/{exam_id}/appeals/").json["results"]
    assert (own["status"], own["regrade"]) == ("accepted", regrade_id)
    check_chain(live)


def test_simultaneous_operations_leave_consistent_results(live, published):
    """Run all operations at once, in any order.

    No request fails unexpectedly, the board is consistent, and scores entered manually stay.
    """
    admin, exam_id, question, people = published
    plan = {"from_stage": "screening", "to_stage": "league", "exams": [exam_id], "rule": {"top": 2}}
    plan_id = admin.post("/advancement/", plan, status=201).json["id"]
    regrade_id = preview(admin, exam_id, question)
    appeal_id = appeal(people[1], exam_id, question)
    regrade, moves = f"/exams/{exam_id}/regrades/{regrade_id}/", f"/advancement/{plan_id}/"
    given = {"answer": "It is.", "status": "accepted", "regrade": regrade_id}
    by_hand = {"candidate_id": str(people[3].id), "score": 60}
    acts = [
        lambda person: person.post(f"{regrade}apply/", status="any"),
        lambda person: person.post(f"{regrade}apply/", status="any"),
        lambda person: person.post(f"{regrade}revert/", status="any"),
        lambda person: person.put(f"/exams/{exam_id}/submit-exam-score/", by_hand, status="any"),
        lambda person: person.post(f"/appeals/{appeal_id}/answer/", given, status="any"),
        lambda person: person.post(f"{moves}apply/", status="any"),
        lambda person: person.post(f"{moves}undo/", status="any"),
        lambda _: publish_all(live),
    ]
    clients = [live.new_session(admin) for _ in acts]
    replies = together(len(acts), lambda at: acts[at](clients[at]))
    *staff, _ = [reply and (reply.status_int, reply.json.get("code")) for reply in replies]
    assert {*staff} <= {(200, None), (400, "preview_outdated"), (400, "invalid")}
    assert [status for status, _ in staff[3:6]] == [200, 200, 200]
    assert staff[:2].count((200, None)) <= 1
    publish_all(live)
    with begin(live.runtime) as work:
        scores = dict(
            work.db.execute(
                select(Score.candidate_id, Score.value).where(Score.exam_id == exam_id)
            ).all()
        )
        [applied] = work.db.scalars(select(Plan.applied_at))
        done = work.db.scalars(select(AuditEntry.action).where(AuditEntry.subject.is_not(None)))
        counted = Counter(done)
    first = people[1].id
    is_regraded = counted["regrade.apply"] > counted["regrade.revert"]
    assert scores[first] == (Decimal(100) if is_regraded else Decimal(75))
    assert scores[people[3].id] == 60
    board = admin.get(f"/leaderboard/?exam_id={exam_id}", status=200).json
    rows = [*board["top_three"], *board["remaining_candidates"]]
    shown = {row["candidate"]["user_id"]: row["score"] for row in rows}
    assert shown == {str(each): float(value) for each, value in scores.items()}
    assert applied is not None
    check_chain(live)


def publish_all(live):
    with begin(live.runtime) as work:
        publishing.publish(work)
