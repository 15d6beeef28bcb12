"""Notifications over REST (spec "Notifications", decisions M8, M11), and the tickets of M9."""

from datetime import timedelta
from threading import Event, Thread
from uuid import uuid4

import pytest
from sqlalchemy import delete, func, select

from competition.core.errors import InvalidToken
from competition.core.users import sessions, tickets
from competition.core.users.credentials import SocketTicket
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.notifications.models import Notice, Notification
from competition.plugins.notifications.services import notify


def tell(app, *people, subject="Hello", message="Welcome."):
    with begin(app.runtime) as work:
        notify(work, [person.id for person in people], subject, message)


def ids(person, query=""):
    return [each["id"] for each in person.get(f"/notifications/{query}").json["results"]]


@pytest.fixture
def ada(app):
    return app.candidate()


def test_a_notification_has_the_fields_of_the_contract(app, ada):
    tell(app, ada, subject="Round 2", message="It starts\nat nine.")
    reply = ada.get("/notifications/", status=200).json
    [notification] = reply["results"]
    assert notification == {
        "id": notification["id"],
        "subject": "Round 2",
        "message": "It starts\nat nine.",
        "read": False,
        "created_at": "2026-03-01T09:00:00Z",
    }
    assert reply["stats"] == {"total_count": 1, "unread_count": 1, "read_count": 0}
    assert reply["pagination"]["count"] == 1


def test_users_see_only_their_own_notifications(app, ada):
    ben = app.staff("volunteer")
    tell(app, ada)
    assert ids(ben) == []
    assert ben.get("/notifications/").json["stats"]["total_count"] == 0


def test_unverified_users_receive_notifications(app):
    ada = app.candidate(verification="not_submitted", is_email_verified=False)
    tell(app, ada)
    assert len(ids(ada)) == 1


def test_the_newest_notification_comes_first(app, ada):
    for _ in range(3):
        tell(app, ada)
        app.clock.advance(minutes=1)
    found = ids(ada)
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("name", ["id", "created_at"])
def test_notifications_can_be_ordered_by_id_and_time(app, ada, name):
    for _ in range(3):
        tell(app, ada)
        # Later notifications get earlier times, so that the order of the ids differs from that of
        # the times.
        app.clock.advance(minutes=-1)
    for sign in ("", "-"):
        found = ada.get(f"/notifications/?ordering={sign}{name}").json["results"]
        values = [each[name] for each in found]
        assert values == sorted(values, reverse=sign == "-")


def test_a_page_has_twenty_notifications(app, ada):
    for _ in range(21):
        tell(app, ada)
    assert len(ids(ada)) == 20
    assert len(ids(ada, "?page=2")) == 1
    ada.get("/notifications/?page=3", status=404, code="not_found")


def test_the_status_filter_does_not_change_the_counts(app, ada):
    tell(app, ada)
    tell(app, ada)
    second, first = ids(ada)
    ada.patch(f"/notifications/{first}/mark-as-read/")
    assert ids(ada, "?status=read") == [first]
    assert ids(ada, "?status=unread") == [second]
    stats = ada.get("/notifications/?status=read").json["stats"]
    assert stats == {"total_count": 2, "unread_count": 1, "read_count": 1}


def test_a_search_finds_every_word_in_subject_and_message(app, ada):
    tell(app, ada, subject="The second round", message="It starts at nine.")
    tell(app, ada, subject="The third round")
    assert len(ids(ada, "?search=round")) == 2
    [found] = ids(ada, "?search=SECOND%20nine")
    assert ids(ada, "?search=second") == [found]
    assert ids(ada, "?search=second%20third") == []


@pytest.mark.parametrize("query", ["status=seen", "status=", "after_id=x", "after_id=-1"])
def test_an_invalid_filter_is_rejected(ada, query):
    ada.get(f"/notifications/?{query}", status=400, code="invalid")


def test_after_id_lists_later_notifications_oldest_first(app, ada):
    for _ in range(4):
        tell(app, ada)
    found = ids(ada)[::-1]
    assert ids(ada, f"?after_id={found[1]}") == found[2:]
    assert ids(ada, "?after_id=0") == found
    assert ids(ada, f"?after_id={found[-1]}") == []
    assert ids(ada, "?after_id=2147483647") == []


def test_missed_notifications_come_in_pages(app, ada):
    for _ in range(5):
        tell(app, ada)
    found = ids(ada)[::-1]
    query = f"?after_id={found[0]}&limit=2"
    assert ids(ada, query) + ids(ada, f"{query}&page=2") == found[1:]


@pytest.mark.parametrize(
    "query", ["status=read", "search=nothing", "after_id=2147483647", "created_after=2100-01-01"]
)
def test_an_empty_page_has_the_counts_of_all_notifications(app, ada, query):
    tell(app, ada)
    tell(app, ada)
    reply = ada.get(f"/notifications/?{query}", status=200).json
    assert reply["results"] == []
    assert reply["pagination"]["count"] == 0
    assert reply["stats"] == {"total_count": 2, "unread_count": 2, "read_count": 0}


def test_a_long_list_takes_as_many_statements_as_a_short_one(app, ada, statements):
    tell(app, ada)
    # From here on the API key is cached.
    ids(ada)
    with statements() as few:
        ids(ada)
    for _ in range(10):
        tell(app, ada)
    with statements() as many:
        ids(ada)
    assert len(many) == len(few)


def test_marking_as_read_is_idempotent(app, ada):
    tell(app, ada)
    [notification] = ids(ada)
    path = f"/notifications/{notification}/mark-as-read/"
    assert ada.patch(path, status=200).json == {"status": "success"}
    with begin(app.runtime) as work:
        first = work.db.scalar(select(Notification.read_at))
    app.clock.advance(minutes=1)
    assert ada.patch(path, status=200).json == {"status": "success"}
    with begin(app.runtime) as work:
        assert work.db.scalar(select(Notification.read_at)) == first
    assert ada.get("/notifications/").json["results"][0]["read"] is True


def test_another_users_notification_is_not_found(app, ada):
    ben = app.candidate()
    tell(app, ada)
    [notification] = ids(ada)
    ben.patch(f"/notifications/{notification}/mark-as-read/", status=404, code="not_found")
    assert ada.get("/notifications/").json["results"][0]["read"] is False


def test_an_unknown_notification_is_not_found(ada):
    ada.patch("/notifications/999999/mark-as-read/", status=404, code="not_found")


def test_marking_all_as_read_returns_the_number_of_changes(app, ada):
    ben = app.candidate()
    for _ in range(3):
        tell(app, ada, ben)
    ada.patch(f"/notifications/{ids(ada)[0]}/mark-as-read/")
    path = "/notifications/mark-all-as-read/"
    assert ada.patch(path, status=200).json == {"status": "success", "updated_count": 2}
    assert ada.patch(path, status=200).json == {"status": "success", "updated_count": 0}
    assert ids(ada, "?status=unread") == []
    assert len(ids(ben, "?status=unread")) == 3


def test_notifying_many_takes_as_many_statements_as_notifying_one(app, statements):
    people = [app.candidate() for _ in range(5)]
    with statements() as for_one:
        tell(app, people[0])
    with statements() as for_many:
        tell(app, *people)
    assert len(for_many) == len(for_one)


def test_a_text_is_stored_once_for_all_recipients(app, ada):
    tell(app, ada, app.candidate())
    with begin(app.runtime) as work:
        assert work.db.scalar(select(func.count()).select_from(Notice)) == 1
        assert work.db.scalar(select(func.count()).select_from(Notification)) == 2


def test_duplicate_and_deleted_recipients_are_left_out(app, ada):
    with begin(app.runtime) as work:
        notify(work, [ada.id, ada.id, uuid4()], "Hello", "Welcome.")
    assert len(ids(ada)) == 1
    with begin(app.runtime) as work:
        assert work.db.scalar(select(func.count()).select_from(Notification)) == 1


def test_without_recipients_nothing_is_stored(app):
    with begin(app.runtime) as work:
        notify(work, [], "Hello", "Welcome.")
        assert work.db.scalar(select(func.count()).select_from(Notice)) == 0


def test_the_notifications_of_a_deleted_account_are_deleted(app, ada):
    tell(app, ada)
    with begin(app.runtime) as work:
        work.db.execute(delete(User).where(User.id == ada.id))
        assert work.db.scalar(select(func.count()).select_from(Notification)) == 0


def test_notifications_of_a_user_are_committed_in_the_order_of_their_ids(live):
    """Otherwise a client that has seen the higher id would never receive the lower one."""
    ada = live.candidate()
    inserted, may_commit = Event(), Event()

    def slowly():
        with begin(live.runtime) as work:
            notify(work, [ada.id], "first", "")
            inserted.set()
            may_commit.wait()

    slow = Thread(target=slowly)
    slow.start()
    inserted.wait()
    quick = Thread(target=tell, args=[live, ada], kwargs={"subject": "second"})
    quick.start()
    # The second transaction has time to overtake the first.
    quick.join(0.3)
    meanwhile = ids(ada)
    may_commit.set()
    slow.join()
    quick.join()
    assert meanwhile == []
    found = ada.get("/notifications/?after_id=0").json["results"]
    assert [each["subject"] for each in found] == ["first", "second"]


def test_a_logged_in_user_gets_a_ticket_valid_for_30_seconds(app, ada):
    reply = ada.post("/ws/tickets/", status=201).json
    assert reply == {"ticket": reply["ticket"], "expires_in": 30}


def test_only_the_digest_of_a_ticket_is_stored(app, ada):
    ticket = ada.post("/ws/tickets/").json["ticket"]
    with begin(app.runtime) as work:
        [row] = work.db.scalars(select(SocketTicket))
        assert ticket not in (row.digest, str(row.session_id))


def redeem(app, ticket):
    with begin(app.runtime) as work:
        return tickets.redeem(work, ticket)


def test_a_ticket_can_be_redeemed_once(app, ada):
    ticket = ada.post("/ws/tickets/").json["ticket"]
    identity = redeem(app, ticket)
    assert identity.user_id == ada.id
    assert identity.expires_at == app.clock.now + timedelta(hours=2)
    with pytest.raises(InvalidToken):
        redeem(app, ticket)


def test_a_ticket_expires_after_30_seconds(app, ada):
    ticket = ada.post("/ws/tickets/").json["ticket"]
    app.clock.advance(seconds=30)
    with pytest.raises(InvalidToken):
        redeem(app, ticket)


def test_a_ticket_is_invalid_after_its_session_has_ended(app, ada):
    ticket = ada.post("/ws/tickets/").json["ticket"]
    with begin(app.runtime) as work:
        sessions.end_all(work, ada.id)
    with pytest.raises(InvalidToken):
        redeem(app, ticket)


def test_a_ticket_expires_with_the_token_that_requested_it(app, ada):
    app.clock.advance(hours=1, minutes=59, seconds=50)
    ticket = ada.post("/ws/tickets/").json["ticket"]
    app.clock.advance(seconds=10)
    with pytest.raises(InvalidToken):
        redeem(app, ticket)


def test_expired_tickets_are_deleted(app, ada):
    ada.post("/ws/tickets/")
    app.clock.advance(minutes=1)
    ada.post("/ws/tickets/")
    with begin(app.runtime) as work:
        assert work.db.scalar(select(func.count()).select_from(SocketTicket)) == 1
