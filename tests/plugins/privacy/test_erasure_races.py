"""Erasing an account while results are published: no name stays public, and nothing deadlocks."""

from threading import Thread

import pytest
from sqlalchemy import func, select

from competition.core.errors import NotFound
from competition.core.users import callers, personal_data
from competition.core.users.personal_data import ERASED
from competition.core.work import begin
from competition.plugins.clarifications.models import Clarification
from competition.plugins.leaderboard.models import Board, Entry
from competition.plugins.leaderboard.services import publishing
from competition.plugins.privacy.services import unverified
from competition.plugins.regrades.models import Regrade
from competition.plugins.regrades.services import applying
from competition.plugins.scores.events import ScoresRecorded
from competition.testing.exam_day import answers, make_exam, publish, season, submit, take
from competition.testing.races import WAITING, overtaken
from competition.testing.waiting import wait_until


def erase(live, person):
    with begin(live.runtime) as work:
        personal_data.erase(work, person.id)


def entry_on_latest_board(live, exam_id, person):
    with begin(live.runtime) as work:
        latest = select(func.max(Board.id)).where(Board.exam_id == exam_id).scalar_subquery()
        found = select(Entry).where(Entry.board_id == latest, Entry.user_id == person.id)
        return work.db.scalars(found).one()


@pytest.mark.parametrize("first", ["erasure", "results"])
@pytest.mark.parametrize("results", ["publication", "regrade"])
def test_no_leaderboard_gets_the_name_of_an_account_that_is_being_erased(live, results, first):
    admin = live.staff("admin")
    exam_id, [person, other] = season(live, admin, ["AB", "BB"], key="AB")
    # The submissions are scored now, so publishing locks no account of a candidate.
    live.run_jobs()
    live.clock.advance(minutes=6)
    if results == "regrade":
        publish(live, admin)
        [question, *_] = admin.get(f"/exams/{exam_id}/questions/").json
        body = {"changes": [{"question": question["id"], "accept": ["A", "B"]}], "reason": "A or B"}
        regrade_id = admin.post(f"/exams/{exam_id}/regrades/", body, status=201).json["id"]

    def store(work):
        if results == "regrade":
            applying.apply(work, work.db.get_one(Regrade, regrade_id))
        else:
            publishing.publish(work)

    def store_now():
        if results == "regrade":
            admin.post(f"/exams/{exam_id}/regrades/{regrade_id}/apply/", status=200)
        else:
            with begin(live.runtime) as work:
                store(work)

    if first == "erasure":
        overtaken(live, admin, lambda work: personal_data.erase(work, person.id), store_now)
    else:
        overtaken(live, admin, store, lambda: erase(live, person))
    assert entry_on_latest_board(live, exam_id, person).full_name == ERASED
    assert entry_on_latest_board(live, exam_id, other).full_name != ERASED


def test_an_erasure_and_the_dismissal_of_open_questions_do_not_deadlock(live):
    """The publication refers to the candidate's account with the score, and then dismisses the
    question. The erasure changes the question first, and then the account."""
    admin, person = live.staff("admin"), live.candidate()
    exam_id = make_exam(live, admin, "AB")
    take(person, exam_id, status=200)
    asked = {"text": "Is zero a natural number here?"}
    person.post(f"/exams/{exam_id}/clarifications/", asked, status=201)
    submit(person, exam_id, answers(live, exam_id, "AB"), status=201)
    admin.post(f"/exams/{exam_id}/conclude/")
    live.clock.advance(minutes=6)
    erasure = Thread(target=lambda: erase(live, person))

    def erase_meanwhile(event):
        if not erasure.ident:
            erasure.start()
            wait_until(lambda: not erasure.is_alive() or event.work.db.scalar(WAITING))

    live.subscribe(ScoresRecorded, erase_meanwhile)
    with begin(live.runtime) as work:
        publishing.publish(work)
    erasure.join()
    assert erasure.ident
    assert entry_on_latest_board(live, exam_id, person).full_name == ERASED
    with begin(live.runtime) as work:
        question = work.db.scalars(select(Clarification)).one()
        assert (question.status, question.text) == ("dismissed", ERASED)


def test_an_erasure_of_staff_waits_for_the_publication_that_they_have_requested(live):
    admin = live.staff("admin")
    exam_id, [person] = season(live, admin, ["AB"], key="AB")
    live.clock.advance(minutes=6)
    other = live.staff("admin")
    erasure = Thread(target=lambda: erase(live, other))
    with begin(live.runtime) as work:
        work.actor = callers.identify(work, other.client.token)
        erasure.start()
        wait_until(lambda: work.db.scalar(WAITING))
        publishing.publish(work)
    erasure.join()
    assert live.user(other).first_name == ERASED
    assert entry_on_latest_board(live, exam_id, person).rank == 1


def test_an_account_that_another_run_is_deleting_is_not_erased_again(live_with):
    live = live_with({"competition.privacy.unverified_days": "30"})
    person = live.candidate(verification="not_submitted")
    live.clock.advance(days=30)
    found = []

    def erase_too():
        try:
            erase(live, person)
        except NotFound:
            found.append(None)

    erasure = Thread(target=erase_too)
    with begin(live.runtime) as work:
        unverified.erase_unverified(work)
        # Another run does not wait.
        live.forget("privacy.unverified")
        erasure.start()
        wait_until(lambda: work.db.scalar(WAITING))
    erasure.join()
    assert found == [None]
