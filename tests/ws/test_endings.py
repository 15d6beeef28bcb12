"""A socket closes when its token, session or account ends (decisions M9)."""

import asyncio
from threading import Event

import pytest
from sqlalchemy import update
from websockets.exceptions import InvalidStatus

from competition.core.errors import InvalidToken
from competition.core.users import accounts, api_keys, callers, sessions
from competition.core.users.credentials import AuthSession
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.sockets import nothing_came
from competition.testing.waiting import PATIENCE, wait_until
from competition.ws import frames, handshake
from competition.ws.seats import Seats
from competition.ws.server import SocketServer
from tests.support.sockets import end, refusal


def test_a_socket_closes_when_its_token_expires(sockets):
    ada, ben = sockets.service.candidate(), sockets.service.candidate()
    client = sockets.open(ada)
    ticket = ben.post("/ws/tickets/").json["ticket"]
    by_ticket = sockets.connect(f"{sockets.url}?ticket={ticket}")
    sockets.service.clock.advance(hours=1, minutes=59)
    nothing_came(client)
    sockets.service.clock.advance(minutes=1)
    assert end(client) == (4001, "The token has expired.")
    assert end(by_ticket) == (4001, "The token has expired.")


def test_a_socket_closes_if_its_session_ends_during_the_handshake(sockets, monkeypatch):
    ada, ben = sockets.service.candidate(), sockets.service.candidate()
    bens = sockets.open(ben)
    identify = handshake.identify

    def end_it_then(*arguments):
        identity = identify(*arguments)
        log_out(sockets.service, ada)
        # Once Ben's socket is closed, the server has handled the end of Ada's session, too.
        log_out(sockets.service, ben)
        assert end(bens)[0] == 4001
        return identity

    monkeypatch.setattr(handshake, "identify", end_it_then)
    assert end(sockets.open(ada)) == (4001, "The session has ended.")


def test_a_socket_opened_while_the_server_stops_is_closed(sockets_with, monkeypatch):
    """The socket opens after all other sockets were closed, but before the server stops accepting
    connections.
    """
    stop = SocketServer.stop
    begun = []

    async def stop_then(*arguments):
        # The real `stop` runs up to its first wait.
        begun.append(True)
        await stop(*arguments)

    async def let_in_late(server, connection, request, response):
        if response.status_code != 101:
            return
        sockets.server.stopping.set()
        while not begun:
            await asyncio.sleep(0)

    monkeypatch.setattr(SocketServer, "stop", stop_then)
    monkeypatch.setattr(SocketServer, "finish_handshake", let_in_late)
    sockets = sockets_with()
    code, reason = end(sockets.open(sockets.service.candidate()))
    assert code == 1012
    assert reason.startswith("Restarting. Reconnect in ")


def test_a_socket_that_closes_while_places_are_renewed_releases_its_place(
    sockets_with, monkeypatch
):
    renewing, closed = Event(), Event()
    renew = Seats.renew

    def renew_late(self, seats, now):
        if seats:
            renewing.set()
            closed.wait(PATIENCE)
        # The lease is longer than this test.
        self.lease = 3600
        renew(self, seats, now)

    monkeypatch.setattr(Seats, "renew", renew_late)
    sockets = sockets_with(
        {"competition.ws.recheck": "0.5", "competition.ws.sockets_per_user": "1"}
    )
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    assert renewing.wait(PATIENCE)
    client.close()
    closed.set()

    def is_free():
        try:
            sockets.open(ada)
        except InvalidStatus:
            return False
        return True

    wait_until(is_free)


def log_out(service, person):
    person.post("/auth/logout/", {"refresh": person.refresh})


def end_one(service, person):
    [session] = person.get("/auth/sessions/").json
    person.delete(f"/auth/sessions/{session['id']}/")


def end_all(service, person):
    with begin(service.runtime) as work:
        sessions.end_all(work, person.id)


def deactivate(service, person):
    with begin(service.runtime) as work:
        accounts.set_active(work, person.id, False)


def reuse(service, person):
    """Reuse an old refresh token, which ends the session."""
    service.anonymous.post("/auth/token/refresh/", {"refresh": person.refresh})
    service.clock.advance(seconds=11)
    service.anonymous.post("/auth/token/refresh/", {"refresh": person.refresh}, status=401)


@pytest.mark.parametrize("ending", [log_out, end_one, end_all, deactivate, reuse])
def test_a_socket_closes_immediately_when_its_session_ends(sockets, ending):
    ada, ben = sockets.service.candidate(), sockets.service.candidate()
    client, other = sockets.open(ada), sockets.open(ben)
    ending(sockets.service, ada)
    assert end(client) == (4001, "The session has ended.")
    nothing_came(other)


def test_another_session_of_the_user_stays_open(sockets):
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    ada.client = sockets.service.new_session(ada)
    other = sockets.open(ada)
    log_out(sockets.service, ada)
    assert end(client)[0] == 4001
    nothing_came(other)


@pytest.mark.parametrize(
    "change",
    [
        update(AuthSession).values(revoked_at=AuthSession.created_at),
        update(User).values(is_active=False),
        update(User).values(role="sponsor"),
    ],
    ids=["session", "account", "role"],
)
def test_a_socket_closes_within_the_recheck_period_without_a_message(sockets_with, change):
    sockets = sockets_with({"competition.ws.recheck": "0.2"})
    client = sockets.open(sockets.service.staff("volunteer"))
    nothing_came(client)
    with begin(sockets.service.runtime) as work:
        work.db.execute(change)
    assert end(client) == (4001, "The session has ended.")


def test_an_action_checks_the_session_like_a_request(sockets):
    service = sockets.service
    ada = service.candidate()
    with begin(service.runtime) as work:
        session_id = callers.identify(work, ada.client.token).session_id
        sessions.end_all(work, ada.id)
    message = '{"action": "mark_as_read", "data": {"notification_id": 1}}'
    with pytest.raises(InvalidToken):
        frames.handle(service.runtime, session_id, "test", message)


def test_a_sponsor_can_not_use_actions(sockets):
    """This also applies to a socket that was opened before the role changed."""
    service = sockets.service
    person = service.staff("volunteer")
    with begin(service.runtime) as work:
        session_id = callers.identify(work, person.client.token).session_id
        work.db.get_one(User, person.id).role = "sponsor"
    message = '{"action": "mark_as_read", "data": {"notification_id": 1}}'
    with pytest.raises(InvalidToken):
        frames.handle(service.runtime, session_id, "test", message)


def test_an_action_after_the_end_closes_the_socket(sockets):
    """An action may reach the server before the server notices the end of the session."""
    service = sockets.service
    ada, ben = service.candidate(), service.candidate()
    client, bens = sockets.open(ada), sockets.open(ben)
    # Wait until the server knows both sessions, as it does after a socket has opened.
    log_out(service, ben)
    assert end(bens)[0] == 4001
    with begin(service.runtime) as work:
        work.db.execute(update(AuthSession).values(revoked_at=AuthSession.created_at))
    client.send('{"action": "mark_as_read", "data": {"notification_id": 1}}')
    assert end(client) == (4001, "The session has ended.")


@pytest.mark.parametrize("opened", ["by headers", "by a ticket"])
@pytest.mark.parametrize("end_it", ["revoke", "renew"])
def test_a_socket_closes_when_its_api_key_is_revoked_or_expires(sockets_with, opened, end_it):
    sockets = sockets_with({"competition.ws.recheck": "0.2"})
    service = sockets.service
    theirs, others = service.candidate(), service.candidate()
    other = sockets.open(others)
    with begin(service.runtime) as work:
        service.key = theirs.client.key = api_keys.create(work, "tablet")
    client = open_socket(sockets, theirs, opened)
    nothing_came(client)
    with begin(service.runtime) as work:
        getattr(api_keys, end_it)(work, "tablet")
    assert end(client) == (4001, "The API key is no longer valid.")
    nothing_came(other)


def open_socket(sockets, person, opened):
    if opened == "by headers":
        return sockets.open(person)
    ticket = person.post("/ws/tickets/").json["ticket"]
    return sockets.connect(f"{sockets.url}?ticket={ticket}")


def test_the_ticket_of_a_revoked_api_key_is_invalid(sockets):
    service = sockets.service
    ada = service.candidate()
    with begin(service.runtime) as work:
        ada.client.key = api_keys.create(work, "tablet")
    ticket = ada.post("/ws/tickets/").json["ticket"]
    with begin(service.runtime) as work:
        api_keys.revoke(work, "tablet")
    status, body = refusal(sockets.connect, f"{sockets.url}?ticket={ticket}")
    assert (status, body["code"]) == (401, "authentication_failed")
