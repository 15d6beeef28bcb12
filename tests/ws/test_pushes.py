"""Messages that the server sends (spec "Events", decisions M11)."""

import os
import signal
from dataclasses import replace

import psycopg
import pytest
from sqlalchemy import make_url, text

from competition.core.push.notify import CHANNEL, SESSIONS, announce
from competition.core.runtime import database_url
from competition.core.users import sessions
from competition.core.work import begin
from competition.plugins.notifications.services import FEED, notify
from competition.testing.sockets import nothing_came, receive
from competition.testing.waiting import PATIENCE, wait_until
from competition.ws import listener
from tests.support.processes import call
from tests.support.sockets import end, stuck_client, subjects, tell


def test_a_pushed_notification_equals_the_one_over_rest(sockets):
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    tell(sockets.service, ada, subject="Round 2", message="It starts\nat nine: ½ hour.")
    pushed = receive(client)
    [shown] = ada.get("/notifications/").json["results"]
    assert pushed == {"type": "notification_activity", "message": shown}


def test_only_the_recipients_get_the_push_on_every_socket(sockets):
    ada, ben = sockets.service.candidate(), sockets.service.candidate()
    first, second, other = sockets.open(ada), sockets.open(ada), sockets.open(ben)
    tell(sockets.service, ada)
    assert receive(first) == receive(second)
    nothing_came(other)


def test_a_transaction_that_fails_pushes_nothing(sockets):
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    with pytest.raises(ZeroDivisionError), begin(sockets.service.runtime) as work:
        notify(work, [ada.id], "never", "")
        work.db.flush()
        raise ZeroDivisionError
    tell(sockets.service, ada, subject="after")
    assert subjects(client, 1) == ["after"]


def test_the_postgresql_notification_does_not_contain_the_message(sockets):
    """Every database user can LISTEN, and PostgreSQL limits a payload to 8,000 bytes."""
    service = sockets.service
    ada = service.candidate()
    url = make_url(database_url(service.runtime.settings)).set(drivername="postgresql")
    with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as listening:
        listening.execute(f"listen {CHANNEL}")
        tell(service, ada, subject="For Ada alone", message="x" * 10_000)
        with begin(service.runtime) as work:
            sessions.end_all(work, ada.id)
        heard = [each.payload for each in listening.notifies(timeout=PATIENCE, stop_after=2)]
    assert heard == [f"{FEED}:", f"{SESSIONS}:{ada.id}"]


def test_earlier_notifications_are_not_pushed(sockets):
    ada, ben = sockets.service.candidate(), sockets.service.candidate()
    witness = sockets.open(ben)
    tell(sockets.service, ada, ben)
    assert subjects(witness, 1) == ["Hello"]
    nothing_came(sockets.open(ada))


def test_many_notifications_are_pushed_once_and_in_order(sockets):
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    for number in range(100):
        tell(sockets.service, ada, subject=str(number))
    assert subjects(client, 100) == [str(number) for number in range(100)]
    nothing_came(client)


def test_a_reconnecting_client_gets_missed_notifications_over_rest(sockets):
    ada, ben = sockets.service.candidate(), sockets.service.candidate()
    client, witness = sockets.open(ada), sockets.open(ben)
    tell(sockets.service, ada, subject="seen")
    last = receive(client)["message"]["id"]
    client.close()
    tell(sockets.service, ada, ben, subject="missed")
    # The first notification was pushed to the sockets that were open then.
    assert subjects(witness, 1) == ["missed"]
    client = sockets.open(ada)
    tell(sockets.service, ada, subject="live")
    assert subjects(client, 1) == ["live"]
    missed = ada.get(f"/notifications/?after_id={last}").json["results"]
    assert [each["subject"] for each in missed] == ["missed", "live"]


def test_a_lost_connection_to_postgresql_loses_no_push(sockets, databases):
    service = sockets.service
    ada, ben = service.candidate(), service.candidate()
    client, leaving = sockets.open(ada), sockets.open(ben)
    with begin(service.runtime) as work:
        name = work.db.scalar(text("select current_database()"))
        # This transaction's connection was opened before the database rejects new connections.
        databases.execute(f'alter database "{name}" allow_connections false')
        killed = work.db.execute(
            text(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name = 'competition ws' and datname = current_database()"
            )
        ).all()
        assert killed == [(True,)]
        url = f"http://127.0.0.1:{sockets.port}/v1/health/"
        wait_until(lambda: call("GET", url)[0] == 503)
        notify(work, [ada.id], "while nobody listened", "")
        sessions.end_all(work, ben.id)
    databases.execute(f'alter database "{name}" allow_connections true')
    assert subjects(client, 1) == ["while nobody listened"]
    assert end(leaving) == (4001, "The session has ended.")
    tell(service, ada, subject="later")
    assert subjects(client, 1) == ["later"]


@pytest.mark.long
def test_a_silent_connection_to_postgresql_is_replaced(sockets_with, monkeypatch):
    """A connection is silent if the network is cut, and neither end notices."""
    monkeypatch.setattr(listener, "LONGEST_SILENCE", 0.1)
    monkeypatch.setattr(listener, "SIGN_OF_LIFE_TIMEOUT", 1)
    sockets = sockets_with()
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    with begin(sockets.service.runtime) as work:
        listening = work.db.scalar(
            text(
                "select pid from pg_stat_activity"
                " where application_name = 'competition ws' and datname = current_database()"
            )
        )
    os.kill(listening, signal.SIGSTOP)
    try:
        tell(sockets.service, ada)
        assert subjects(client, 1) == ["Hello"]
    finally:
        os.kill(listening, signal.SIGCONT)


def test_a_notification_whose_first_load_failed_is_pushed_later(sockets_with, monkeypatch, caplog):
    # Enable this plugin alone, so that there is only one feed.
    sockets = sockets_with({"competition.plugins": "notifications"})
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    [follower] = sockets.server.server.followers.values()
    feed = follower.feed
    errors = [ZeroDivisionError]

    def load(*arguments):
        if errors:
            raise errors.pop()
        return feed.load(*arguments)

    monkeypatch.setattr(follower, "feed", replace(feed, load=load))
    tell(sockets.service, ada)
    assert subjects(client, 1) == ["Hello"]
    assert "notifications can't be read" in caplog.text


def test_pushes_continue_after_a_backup_was_restored(sockets):
    service = sockets.service
    ada = service.candidate()
    client = sockets.open(ada)
    with begin(service.runtime) as work:
        work.db.execute(text("alter table notification alter id restart with 1000000"))
        notify(work, [ada.id], "lost", "")
    assert subjects(client, 1) == ["lost"]
    with begin(service.runtime) as work:
        work.db.execute(text("truncate notification restart identity"))
        work.db.execute(text("alter table notification alter id restart with 1"))
        announce(work, FEED)

    def is_heard():
        tell(service, ada)
        try:
            return client.recv(0.2)
        except TimeoutError:
            return None

    wait_until(is_heard)


def test_an_unknown_postgresql_notification_is_ignored(sockets):
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    with begin(sockets.service.runtime) as work:
        for payload in ("", "nothing:1", "sessions:", "sessions:who", "notifications"):
            work.db.execute(
                text("select pg_notify(:channel, :payload)"),
                {"channel": CHANNEL, "payload": payload},
            )
    tell(sockets.service, ada)
    assert subjects(client, 1) == ["Hello"]


@pytest.mark.long
def test_a_client_that_does_not_read_is_disconnected_and_others_are_served(sockets_with, caplog):
    caplog.set_level("INFO")
    sockets = sockets_with({"competition.ws.ping": "5"})
    ada = sockets.service.candidate()
    reading = sockets.open(ada)
    with stuck_client(sockets, ada):
        # Send more than the buffers of both ends can hold.
        for _ in range(10):
            with begin(sockets.service.runtime) as work:
                for _ in range(50):
                    notify(work, [ada.id], "long", "x" * 20_000)
            assert subjects(reading, 50) == ["long"] * 50
        wait_until(lambda: "answered no ping" in caplog.text)
        wait_until(lambda: "closed by" in caplog.text)
    nothing_came(reading)
    exposed = sockets.service.runtime.metrics.exposition().decode()
    assert "competition_dropped_sockets_total 1.0" in exposed


@pytest.mark.long
def test_a_client_that_answers_no_ping_is_disconnected(sockets_with, caplog):
    caplog.set_level("INFO")
    sockets = sockets_with({"competition.ws.ping": "5"})
    ada = sockets.service.candidate()
    # This client answers pings. The server has sent it a ping before it pings the stuck client.
    client = sockets.open(ada)
    with stuck_client(sockets, ada):
        wait_until(lambda: "closed by" in caplog.text)
    nothing_came(client)


def test_sockets_stay_open_when_redis_loses_its_data(sockets_with, empty_redis):
    sockets = sockets_with({"competition.ws.recheck": "0.2"})
    ada = sockets.service.candidate()
    clients = [sockets.open(ada) for _ in range(5)]
    redis = sockets.service.runtime.redis
    redis.flushall()
    tell(sockets.service, ada)
    for client in clients:
        assert subjects(client, 1) == ["Hello"]
    # Redis has the number of sockets again.
    wait_until(lambda: redis.zcard(f"sockets:{ada.id}") == 5)


def test_sockets_work_without_redis(sockets_with):
    sockets = sockets_with({"competition.redis.url": "redis://127.0.0.1:1/0"})
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    tell(sockets.service, ada)
    assert subjects(client, 1) == ["Hello"]


def test_sockets_work_without_plugins(sockets_with):
    sockets = sockets_with({"competition.plugins": "docs"})
    nothing_came(sockets.open(sockets.service.candidate()))
