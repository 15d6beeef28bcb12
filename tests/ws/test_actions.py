"""Actions that clients send (spec "Events", decisions M10)."""

import json
from contextlib import contextmanager

import pytest
from sqlalchemy import select, text

from competition.core.messages import Message
from competition.core.push.sockets import Action
from competition.core.work import begin
from competition.plugins.notifications.models import Notification
from competition.plugins.notifications.services import notify
from competition.testing.sockets import nothing_came, receive, send
from competition.ws import frames
from tests.support.sockets import end, stuck_client, subjects, tell

UNKNOWN = "There is no notification with this id. Check the id."


@pytest.fixture
def ada(sockets):
    return sockets.service.candidate()


def one_notification(sockets, person):
    """The id of a notification that has been pushed, so that sockets opened later don't get it."""
    with sockets.open(person) as witness:
        tell(sockets.service, person)
        return receive(witness)["message"]["id"]


def is_read(person):
    return person.get("/notifications/").json["results"][0]["read"]


def test_marking_as_read_sends_no_reply_and_takes_effect(sockets, ada):
    notification = one_notification(sockets, ada)
    client = sockets.open(ada)
    for _ in range(2):
        send(client, "mark_as_read", {"notification_id": notification})
        nothing_came(client)
        assert is_read(ada)


def error(client):
    reply = receive(client)
    assert set(reply) == {"type", "message"}
    assert reply["type"] == "error"
    return reply["message"]


def test_another_users_notification_is_an_error(sockets, ada):
    ben = sockets.service.candidate()
    notification = one_notification(sockets, ada)
    client = sockets.open(ben)
    send(client, "mark_as_read", {"notification_id": notification})
    assert error(client) == f"Unknown action: mark_as_read. {UNKNOWN}"
    assert not is_read(ada)


def test_the_reason_of_an_error_is_in_the_language_of_the_socket(sockets, ada):
    english = f"Unknown action: mark_as_read. {UNKNOWN}"
    reason = "Aucune notification n\u2019a cet identifiant. Vérifiez-le."
    french = f"Unknown action: mark_as_read. {reason}"
    headers = {
        "X-Api-Key": sockets.service.key,
        "Authorization": f"Bearer {ada.client.token}",
    }
    for query, language, expected in (
        ("", "fr-CA", french),
        # The language in the URL, which a page chooses, wins over the browser's header.
        ("?language=fr", "en-GB", french),
        ("?language=en", "fr", english),
        ("?language=de", "fr", english),
    ):
        headers["Accept-Language"] = language
        client = sockets.connect(sockets.url + query, additional_headers=headers)
        send(client, "mark_as_read", {"notification_id": 1})
        assert error(client) == expected
        client.close()


def test_a_pushed_notification_is_in_the_language_of_the_account(sockets, ada):
    ada.patch("/account-management/", {"language": "fr"})
    client = sockets.open(ada)
    with begin(sockets.service.runtime) as work:
        notify(work, [ada.id], Message("Your score has changed"), "Because it was wrong.")
    message = receive(client)["message"]
    assert message["subject"] == "Votre note a changé"
    assert message["message"] == "Because it was wrong."


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "1",
        {},
        {"notification_id": None},
        {"notification_id": "x"},
        {"notification_id": 1.5},
        {"notification_id": True},
        {"notification_id": 0},
        {"notification_id": 2**31},
        {"notification_id": 10**100},
    ],
)
def test_an_invalid_payload_is_rejected_with_the_reason(sockets, ada, data):
    client = sockets.open(ada)
    send(client, "mark_as_read", data)
    reason = error(client).removeprefix("Unknown action: mark_as_read. ")
    place = "notification_id" if isinstance(data, dict) else "data"
    assert reason.startswith(f"{place}: ")
    assert len(reason) > len(f"{place}: ")


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ('{"action": "dance", "data": {}}', "Unknown action: dance"),
        ('{"action": "dance"}', "Unknown action: dance"),
        ('{"action": "", "data": {}}', "Unknown action: "),
        ('{"action": 5}', "Unknown action: 5"),
        ('{"action": ["mark_as_read"]}', "Unknown action: ['mark_as_read']"),
        ('{"data": {}}', "Unknown action: None"),
        ("{}", "Unknown action: None"),
        ("[]", "Unknown action: None"),
        ("not JSON", "Unknown action: None"),
        ("", "Unknown action: None"),
        ("[" * 4000, "Unknown action: None"),
        (b"\xff\xfe", "Unknown action: None"),
    ],
)
def test_an_unknown_action_is_an_error_and_the_socket_stays_open(sockets, ada, message, answer):
    client = sockets.open(ada)
    client.send(message)
    assert error(client) == answer
    nothing_came(client)


def test_an_unexpected_error_is_reported_without_details(sockets, ada, caplog):
    def fail(work, data):
        raise ZeroDivisionError("a secret")

    sockets.service.runtime.catalogue[Action]["fail"] = fail
    client = sockets.open(ada)
    send(client, "fail")
    assert (
        error(client) == "Unknown action: fail. Something went wrong on our side. Try again later."
    )
    assert "unexpected error" in caplog.text
    nothing_came(client)


def test_a_message_that_is_too_large_closes_the_socket(sockets, ada):
    client = sockets.open(ada)
    client.send(json.dumps({"action": "x" * 5000}))
    assert end(client)[0] == 1009


def test_more_than_sixty_messages_a_minute_close_the_socket(sockets, ada):
    client = sockets.open(ada)
    for _ in range(60):
        nothing_came(client)
    send(client, "hello")
    assert end(client) == (1008, "Too many messages.")


def test_a_waiting_action_delays_no_push(sockets_with):
    """The waiting action occupies the only thread for actions."""
    sockets = sockets_with({"competition.ws.threads": "1"})
    ada = sockets.service.candidate()
    notification = one_notification(sockets, ada)
    client, other = sockets.open(ada), sockets.open(ada)
    with begin(sockets.service.runtime) as work:
        work.db.execute(select(Notification.id).with_for_update())
        send(client, "mark_as_read", {"notification_id": notification})
        tell(sockets.service, ada, subject="meanwhile")
        assert subjects(client, 1) == subjects(other, 1) == ["meanwhile"]
        assert not ada.get("/notifications/?after_id=0").json["results"][0]["read"]
    nothing_came(client)
    assert ada.get("/notifications/?after_id=0").json["results"][0]["read"]


def test_a_serialization_failure_is_retried(sockets, ada, monkeypatch):
    notification = one_notification(sockets, ada)
    runs, begin_work = [], frames.begin

    @contextmanager
    def losing(*args):
        with begin_work(*args) as work:
            runs.append(None)
            if len(runs) == 1:
                work.db.execute(text("do $$ begin raise sqlstate '40001'; end $$"))
            yield work

    monkeypatch.setattr(frames, "begin", losing)
    client = sockets.open(ada)
    send(client, "mark_as_read", {"notification_id": notification})
    nothing_came(client)
    assert len(runs) == 2 and is_read(ada)


def test_a_client_that_floods_its_socket_with_pings_is_disconnected(sockets):
    """The server keeps the answer to each ping in memory until the client reads it."""
    ping = b"\x89\xfd" + bytes(4) + bytes(125)
    sent = 0
    with (
        stuck_client(sockets, sockets.service.candidate()) as client,
        pytest.raises((ConnectionResetError, BrokenPipeError)),
    ):
        while sent < 100 * 2**20:
            client.sendall(ping * 100)
            sent += 100 * len(ping)
    # The buffers of the operating system accept some of the data.
    assert sent < 20 * 2**20


def test_a_client_within_its_limits_stays_connected(sockets):
    client = sockets.open(sockets.service.candidate())
    for _ in range(60):
        client.send(json.dumps({"action": "nothing", "data": "x" * 4000}))
        client.ping()
        assert error(client) == "Unknown action: nothing"
