"""Questions, answers, announcements and submissions at the same moment."""

from collections import Counter
from threading import Thread

import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.push.feeds import lock_feed
from competition.core.work import begin
from competition.plugins.clarifications.services import announcing, answering, asking, messages
from competition.plugins.exams.services import rows
from competition.plugins.sittings.models import Submission
from competition.plugins.sittings.services import submitting
from competition.testing.exam_day import answers, make_exam, publish, submit, take
from competition.testing.races import WAITING, overtaken, together
from competition.testing.statements import executed
from competition.testing.waiting import wait_until


@pytest.fixture
def moderator(live):
    return live.staff("moderator")


@pytest.fixture
def exam_id(live):
    return make_exam(live, live.staff("admin"), "AB")


def sitting(live, exam_id):
    person = live.candidate()
    take(person, exam_id, status=200)
    return person


def ask(person, exam_id, **expected):
    return person.post(f"/exams/{exam_id}/clarifications/", {"text": "Why?"}, **expected)


def hand_in(live, person, exam_id):
    return submit(person, exam_id, answers(live, exam_id, "AB"), status=201)


def submit_in(exam_id):
    """A function that submits in a transaction that is still open."""

    def run(work):
        sitting = submitting.check_submission(work, exam_id)
        submitting.submit_answers(work, sitting, [])

    return run


def received(live, person):
    """The texts of the messages that were pushed to the candidate, and the texts of the candidate's
    notifications.
    """
    with begin(live.runtime) as work:
        pushed = messages.between(work, [person.id], 0, messages.latest(work))
        texts = [row.clarification or row.announcement for _, row in pushed]
    frames = [getattr(each, "answer", None) or each.text for each in texts]
    found = person.get("/notifications/", status=200).json["results"]
    return frames, [each["message"] for each in found]


def answer(client, asked, text="Yes.", **expected):
    body = {"answer": text, "public": True}
    return client.post(f"/clarifications/{asked['id']}/answer/", body, **expected)


@pytest.mark.parametrize("submits_first", [True, False])
def test_a_candidate_who_submits_while_a_question_is_answered_is_notified_once(
    live, moderator, exam_id, submits_first
):
    """The candidate who asked and another candidate submit while staff answer the question."""
    ada = sitting(live, exam_id)
    asked = ask(ada, exam_id, status=201).json

    def answer_in(work):
        row = answering.locked(work, asked["id"])
        answering.answer(work, row, "Yes.", is_public=True)

    if submits_first:
        overtaken(live, ada, submit_in(exam_id), lambda: answer(moderator, asked, status=200))
    else:
        overtaken(live, moderator, answer_in, lambda: hand_in(live, ada, exam_id))
    frames, notifications = received(live, ada)
    assert frames + notifications == ["Yes."]
    with begin(live.runtime) as work:
        assert work.db.get(Submission, (exam_id, ada.id)) is not None
    assert ada.get(f"/exams/{exam_id}/time/").json["messages"] == 1


def test_the_later_of_two_simultaneous_answers_replaces_the_earlier(live, moderator, exam_id):
    ada = sitting(live, exam_id)
    asked = ask(ada, exam_id, status=201).json
    clients = [live.new_session(moderator) for _ in range(2)]
    replies = together(2, lambda at: answer(clients[at], asked, f"{at}", status=200).json)
    with begin(live.runtime) as work:
        entries = work.db.scalars(
            select(AuditEntry).filter_by(action="clarification.answer").order_by(AuditEntry.id)
        ).all()
    first, last = (each.new["answer"] for each in entries)
    assert entries[1].old["answer"] == first
    assert {each["answer"] for each in replies} == {"0", "1"}
    [shown] = ada.get(f"/exams/{exam_id}/clarifications/").json["results"]
    assert shown["answer"] == last
    # A client that connects now gets only the last answer.
    assert received(live, ada) == ([last], [])
    assert ada.get(f"/exams/{exam_id}/time/").json["messages"] == 2


def test_one_of_two_simultaneous_answers_with_only_if_open_is_stored(live, moderator, exam_id):
    ada = sitting(live, exam_id)
    asked = ask(ada, exam_id, status=201).json
    clients = [live.new_session(moderator) for _ in range(2)]

    def send(at):
        body = {"answer": f"{at}", "public": True, "only_if_open": True}
        path = f"/clarifications/{asked['id']}/answer/"
        return clients[at].post(path, body, status="any").status_int

    replies = together(2, send)
    assert sorted(replies) == [200, 412]
    [shown] = ada.get(f"/exams/{exam_id}/clarifications/").json["results"]
    assert shown["answer"] == f"{replies.index(200)}"
    assert received(live, ada) == ([shown["answer"]], [])


def test_a_publication_does_not_wait_for_an_answer_about_another_exam(live, exam_id):
    """A publication notifies candidates before it dismisses questions. An answer locks messages
    before it notifies candidates. If both used the same lock, each would wait for the other.
    """
    ada, admin = sitting(live, exam_id), live.staff("admin")
    ask(ada, exam_id, status=201)
    hand_in(live, ada, exam_id)
    live.clock.advance(seconds=1)
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    publication = Thread(target=publish, args=[live, admin])
    with begin(live.runtime) as work:
        lock_feed(work, messages.FEED)
        publication.start()
        wait_until(lambda: not publication.is_alive() or work.db.scalar(WAITING))
        waits = publication.is_alive()
    publication.join()
    assert not waits
    [shown] = ada.get(f"/exams/{exam_id}/clarifications/").json["results"]
    assert shown["status"] == "dismissed"


def test_three_of_many_simultaneous_questions_are_stored(live, exam_id):
    ada = sitting(live, exam_id)
    clients = [live.new_session(ada) for _ in range(6)]
    replies = together(6, lambda at: ask(clients[at], exam_id, status="any"))
    found = Counter((reply.status_int, reply.json.get("code")) for reply in replies)
    assert found == {(201, None): 3, (400, "invalid"): 3}
    assert len(ada.get(f"/exams/{exam_id}/clarifications/").json["results"]) == 3


def test_a_question_waits_for_a_submission_and_is_then_rejected(live, exam_id):
    ada = sitting(live, exam_id)
    other = live.new_session(ada)
    reply = overtaken(live, ada, submit_in(exam_id), lambda: ask(other, exam_id, status="any"))
    assert (reply.status_int, reply.json["code"]) == (400, "exam_already_submitted")
    assert ada.get(f"/exams/{exam_id}/clarifications/").json["results"] == []


def test_a_submission_waits_for_a_question_and_both_are_stored(live, exam_id):
    ada = sitting(live, exam_id)

    def ask_in(work):
        asking.ask(work, asking.check_sitting(work, exam_id), None, "Why?")

    overtaken(live, ada, ask_in, lambda: hand_in(live, ada, exam_id))
    [shown] = ada.get(f"/exams/{exam_id}/clarifications/").json["results"]
    assert shown["text"] == "Why?"


def test_an_announcement_reaches_starting_and_submitting_candidates_once(live, moderator, exam_id):
    """Some candidates submit and others start while the announcement is made. The time of one
    candidate is over.
    """
    late = sitting(live, exam_id)
    live.clock.advance(minutes=66)
    late = type(late)(late.id, late.email, live.new_session(late))
    done, ada, ben = (sitting(live, exam_id) for _ in range(3))
    hand_in(live, done, exam_id)
    moderator = type(moderator)(moderator.id, moderator.email, live.new_session(moderator))
    eve = live.candidate()

    def announce_in(work):
        announcing.announce(work, rows.get(work, exam_id), "Listen.")

    def meanwhile():
        together(2, lambda at: take(eve, exam_id) if at else hand_in(live, ada, exam_id))

    overtaken(live, moderator, announce_in, meanwhile)
    assert received(live, done) == received(live, late) == ([], ["Listen."])
    assert received(live, ada) == received(live, ben) == (["Listen."], [])
    for person in (late, done, ada, ben, eve):
        assert person.get(f"/exams/{exam_id}/time/").json["messages"] == 1


def test_an_announcement_is_stored_with_statements_for_all_candidates(live, moderator, exam_id):
    def statements():
        path = f"/exams/{exam_id}/announcements/"
        with executed(live.runtime.database.engines) as found:
            moderator.post(path, {"text": "Listen."}, status=201)
        return len(found)

    hand_in(live, sitting(live, exam_id), exam_id)
    of_one = statements()
    for _ in range(5):
        hand_in(live, sitting(live, exam_id), exam_id)
        sitting(live, exam_id)
    assert statements() == of_one


def test_simultaneous_repeats_of_an_announcement_create_one(live, moderator, exam_id):
    ada = sitting(live, exam_id)
    clients = [live.new_session(moderator) for _ in range(4)]
    path, key = f"/exams/{exam_id}/announcements/", {"Idempotency-Key": "7"}

    def announce(at):
        return clients[at].post(path, {"text": "Listen."}, headers=key, status=201).json["id"]

    assert len({*together(4, announce)}) == 1
    assert received(live, ada) == (["Listen."], [])
