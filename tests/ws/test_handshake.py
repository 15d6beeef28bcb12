"""The users who may open a socket (spec "Events", decisions M9)."""

import logging
import re
import socket as network
from urllib.request import Request, urlopen

import httpx
import pytest
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from competition.core.users import accounts
from competition.core.web.headers import ALWAYS, NOTHING_RUNS
from competition.core.work import begin
from competition.testing.races import together
from competition.testing.sockets import nothing_came, receive
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.processes import call
from tests.support.sockets import refusal, tell


def headers(sockets, person, **changes):
    found = {
        "X-Api-Key": sockets.service.key,
        "Authorization": f"Bearer {person.client.token}",
        **changes,
    }
    return {name: value for name, value in found.items() if value is not None}


def refused(sockets, sent, url=None):
    # The library encodes headers as Latin-1, but the values are bytes in UTF-8.
    sent = {name: value.encode().decode("latin-1") for name, value in sent.items()}
    status, body = refusal(connect, url or sockets.url, additional_headers=sent)
    assert set(body) == {"detail", "code"}
    return status, body["code"]


@pytest.mark.parametrize(
    ("changes", "answer"),
    [
        ({"X-Api-Key": None}, (401, "not_authenticated")),
        ({"X-Api-Key": None, "Authorization": None}, (401, "not_authenticated")),
        ({"X-Api-Key": "wrong"}, (401, "authentication_failed")),
        ({"X-Api-Key": "wrong", "Authorization": "Bearer bad"}, (401, "authentication_failed")),
        ({"Authorization": None}, (401, "not_authenticated")),
        ({"Authorization": "Basic QWRhOmFkYQ=="}, (401, "not_authenticated")),
        ({"Authorization": "Bearer no.token.at.all"}, (401, "invalid_token")),
        ({"X-Api-Key": "schlüssel"}, (401, "authentication_failed")),
        ({"Authorization": "Bearer schlüssel"}, (401, "invalid_token")),
        ({"Sec-WebSocket-Protocol": "ticket.schlüssel"}, (401, "invalid_token")),
    ],
)
def test_a_handshake_without_both_headers_is_rejected(sockets, changes, answer):
    ada = sockets.service.candidate()
    assert refused(sockets, headers(sockets, ada, **changes)) == answer


def test_the_error_is_in_the_language_of_the_client(sockets):
    wrong = {**headers(sockets, sockets.service.candidate()), "X-Api-Key": "wrong"}
    english = "The API key is not valid. Ask the operator of the service for a new key."
    french = (
        "La clé d\u2019API n\u2019est pas valable."
        " Demandez une nouvelle clé à la personne qui exploite le service."
    )
    for language, query, detail in (
        (None, "", english),
        ("fr-CA", "", french),
        ("de", "", english),
        # A page chooses its language in the URL, because the browser sends its own language in the
        # header.
        ("en", "?language=fr", french),
    ):
        sent = {**wrong, **({"Accept-Language": language} if language else {})}
        status, body = refusal(connect, sockets.url + query, additional_headers=sent)
        assert (status, body["detail"]) == (401, detail)
        assert body["code"] == "authentication_failed"
    # A request that is not a handshake.
    valid = headers(sockets, sockets.service.candidate(), **{"Accept-Language": "fr"})
    lines = [f"{name}: {value}" for name, value in {"Host": "localhost", **valid}.items()]
    status, answer = answer_to(sockets, "GET /v1/ws/notifications/ HTTP/1.1", *lines)
    assert status == 426 and "Content-Language: fr" in answer
    assert "n\u2019accepte que les connexions WebSocket" in answer


def test_an_expired_token_is_rejected(sockets):
    ada = sockets.service.candidate()
    sockets.service.clock.advance(hours=2)
    assert refused(sockets, headers(sockets, ada)) == (401, "invalid_token")


def test_a_refresh_token_is_rejected(sockets):
    ada = sockets.service.candidate()
    sent = headers(sockets, ada, Authorization=f"Bearer {ada.refresh}")
    assert refused(sockets, sent) == (401, "invalid_token")


def test_a_deactivated_user_is_rejected(sockets):
    ada = sockets.service.candidate()
    with begin(sockets.service.runtime) as work:
        accounts.set_active(work, ada.id, False)
    assert refused(sockets, headers(sockets, ada)) == (401, "invalid_token")


def test_a_sponsor_is_rejected(sockets):
    sponsor = sockets.service.staff("sponsor")
    assert refused(sockets, headers(sockets, sponsor)) == (403, "permission_denied")


@pytest.mark.parametrize("role", ["screening", "winner", "volunteer", "superadmin"])
@pytest.mark.parametrize("verification", ["not_submitted", "approved"])
def test_all_other_roles_can_connect(sockets, role, verification):
    service = sockets.service
    make = service.candidate if role in ("screening", "winner") else service.staff
    nothing_came(sockets.open(make(role, verification=verification)))


def test_the_path_works_without_its_slash(sockets):
    ada = sockets.service.candidate()
    url = sockets.url.removesuffix("/")
    nothing_came(sockets.connect(url, additional_headers=headers(sockets, ada)))


def closed_as(sockets, url=None, **sent):
    """The close code and reason that a browser gets: the socket opens, and is then closed."""
    client = sockets.connect(
        url or sockets.url, additional_headers=sent, origin="https://app.league.example"
    )
    with pytest.raises(ConnectionClosed) as closed:
        client.recv()
    return closed.value.rcvd.code, closed.value.rcvd.reason


def test_a_browser_gets_the_reason_in_the_close_code(sockets):
    service = sockets.service
    assert closed_as(sockets, f"{sockets.url}?ticket=old") == (4401, "invalid_token")
    assert closed_as(sockets) == (4401, "not_authenticated")
    sponsor = headers(sockets, service.staff("sponsor"))
    assert closed_as(sockets, **sponsor) == (4403, "permission_denied")
    ada = service.candidate()
    for _ in range(5):
        sockets.open(ada)
    ticket = ada.post("/ws/tickets/").json["ticket"]
    full = closed_as(sockets, f"{sockets.url}?ticket={ticket}")
    assert full == (4429, "rate_limit_exceeded")
    # On an unknown path, the server rejects the handshake of a browser too, as that of other
    # clients.
    url = sockets.url.replace("notifications", "nothing")
    assert refused(sockets, {"Origin": "https://app.league.example"}, url) == (404, "not_found")


def test_another_path_is_not_found(sockets):
    ada = sockets.service.candidate()
    url = sockets.url.replace("notifications", "nothing")
    assert refused(sockets, headers(sockets, ada), url) == (404, "not_found")


def test_a_ticket_replaces_both_headers_once(sockets):
    ada = sockets.service.candidate()
    ticket = ada.post("/ws/tickets/").json["ticket"]
    url = f"{sockets.url}?ticket={ticket}"
    client = sockets.connect(url)
    tell(sockets.service, ada)
    assert receive(client)["type"] == "notification_activity"
    assert refused(sockets, {}, url) == (401, "invalid_token")


def test_one_of_two_simultaneous_uses_of_a_ticket_succeeds(sockets):
    ticket = sockets.service.candidate().post("/ws/tickets/").json["ticket"]

    def comes_in(_):
        try:
            sockets.connect(f"{sockets.url}?ticket={ticket}")
        except InvalidStatus as refused:
            return refused.response.status_code
        return 101

    assert sorted(together(2, comes_in)) == [101, 401]


def test_a_ticket_can_be_sent_as_a_subprotocol(sockets):
    ada = sockets.service.candidate()
    ticket = ada.post("/ws/tickets/").json["ticket"]
    client = sockets.connect(sockets.url, subprotocols=["json", f"ticket.{ticket}"])
    # A browser gives up if the server chooses none of the offered subprotocols.
    assert client.subprotocol == f"ticket.{ticket}"
    nothing_came(client)


def test_a_wrong_ticket_is_rejected_despite_valid_headers(sockets):
    ada = sockets.service.candidate()
    url = f"{sockets.url}?ticket=wrong"
    assert refused(sockets, headers(sockets, ada), url) == (401, "invalid_token")


def test_tickets_and_tokens_are_not_logged(sockets, caplog):
    caplog.set_level(logging.DEBUG)
    ada = sockets.service.candidate()
    ticket = ada.post("/ws/tickets/").json["ticket"]
    sockets.connect(f"{sockets.url}?ticket={ticket}").close()
    refused(sockets, {}, f"{sockets.url}?ticket={ticket}")
    sockets.open(ada).close()
    wait_until(lambda: caplog.text.count("closed by") == 2)
    lines = [
        record.getMessage() for record in caplog.records if not record.name.endswith(".client")
    ]
    assert any("refused: 401 invalid_token" in line for line in lines)
    assert not [line for line in lines if ticket in line or ada.client.token in line]


def test_the_sixth_socket_of_a_user_is_rejected(sockets):
    ada, ben = sockets.service.candidate(), sockets.service.candidate()
    for _ in range(5):
        last = sockets.open(ada)
    with pytest.raises(InvalidStatus) as sixth:
        sockets.open(ada)
    # After this time, the places of a killed process are free.
    assert sixth.value.response.headers["Retry-After"] == str(3 * 3600)
    assert refused(sockets, headers(sockets, ada)) == (429, "rate_limit_exceeded")
    nothing_came(sockets.open(ben))
    last.close()

    def has_room():
        try:
            sockets.open(ada)
        except InvalidStatus:
            return False
        return True

    wait_until(has_room)


def answer_to(sockets, *lines):
    """Send a raw HTTP request; return the status and the whole reply."""
    with network.create_connection(("127.0.0.1", sockets.port)) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
    return int(answer.split()[1]), answer


@pytest.mark.parametrize("path", ["//[", "/?#", "//x/v1/ws/notifications/", "*"])
def test_a_malformed_path_is_not_found(sockets, path):
    status, answer = answer_to(sockets, f"GET {path} HTTP/1.1", "Host: localhost")
    assert (status, '"code":"not_found"' in answer) == (404, True)


def test_an_incomplete_handshake_releases_its_place(sockets):
    ada = sockets.service.candidate()
    named = [f"{name}: {value}" for name, value in headers(sockets, ada).items()]
    for _ in range(5):
        status, answer = answer_to(sockets, "GET /v1/ws/notifications/ HTTP/1.1", "Host: x", *named)
        assert (status, '"code":"invalid"' in answer) == (426, True)
    redis = sockets.service.runtime.redis
    wait_until(lambda: not redis.exists(f"sockets:{ada.id}"))
    for _ in range(5):
        sockets.open(ada)


def test_the_handshake_returns_the_request_id_of_the_log(sockets, caplog):
    caplog.set_level(logging.INFO)
    client = sockets.open(sockets.service.candidate())
    assert re.fullmatch("[0-9a-f]{32}", client.response.headers["X-Request-Id"])


def test_without_a_database_the_handshake_returns_503(sockets, databases, caplog):
    service = sockets.service
    ada = service.candidate()
    with begin(service.runtime) as work:
        name = work.db.scalar(text("select current_database()"))
    databases.execute(f'alter database "{name}" allow_connections false')
    # Terminate the open connections, which would still work. Disposing of the pools is not enough:
    # a connection that the server is using at that moment would stay open.
    databases.execute(
        f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'"
    )
    assert refused(sockets, headers(sockets, ada)) == (503, "service_unavailable")
    assert "the database can't be reached" in caplog.text
    databases.execute(f'alter database "{name}" allow_connections true')
    nothing_came(sockets.open(ada))


def test_garbage_instead_of_a_handshake_does_no_harm(sockets):
    for garbage in (b"\0" * 100, b"GET / HTTP/1.1\r\n\r\n", b"POST /v1/ws/notifications/ HTTP/1.1"):
        with network.create_connection(("127.0.0.1", sockets.port)) as connection:
            connection.sendall(garbage)
    nothing_came(sockets.open(sockets.service.candidate()))


def test_the_socket_process_has_a_health_check(sockets):
    url = f"http://127.0.0.1:{sockets.port}/v1/health/"
    status, body = call("GET", url)
    assert (status, body["status"]) == (200, "healthy")


def test_every_reply_has_the_security_headers(sockets_with):
    sockets = sockets_with({"competition.browser.hsts": "600"})
    address = f"http://127.0.0.1:{sockets.port}/v1/"
    for path, status in (
        ("health/", 200),
        ("metrics/", 404),
        ("nothing/", 404),
        # A plain request, not a handshake.
        ("ws/notifications/", 401),
    ):
        reply = httpx.get(address + path, timeout=PATIENCE)
        assert reply.status_code == status
        assert {name: reply.headers.get_list(name) for name in ALWAYS} == {
            name: [value] for name, value in ALWAYS.items()
        }
        assert reply.headers.get_list("Content-Security-Policy") == [NOTHING_RUNS]
        assert reply.headers["Strict-Transport-Security"] == "max-age=600"
        assert "Server" not in reply.headers


def test_the_metrics_are_shown_to_callers_with_the_token(sockets_with):
    sockets = sockets_with({"competition.metrics.token": "for the scraper"})
    ada = sockets.service.candidate()
    client = sockets.open(ada)
    tell(sockets.service, ada)
    receive(client)
    url = f"http://127.0.0.1:{sockets.port}/v1/metrics/"
    for token, status in ((None, 401), ("another", 401), ("schl\u00fcssel", 401)):
        assert call("GET", url, token=token)[0] == status
    scraping = Request(url, headers={"Authorization": "Bearer for the scraper"})
    with urlopen(scraping) as reply:
        text = reply.read().decode()
    assert "competition_sockets 1.0" in text
    assert "competition_pushed_frames_total 1.0" in text


def test_without_a_configured_token_there_are_no_metrics(sockets):
    url = f"http://127.0.0.1:{sockets.port}/v1/metrics/"
    assert call("GET", url, token="")[0] == 404


def test_a_session_without_a_required_second_factor_is_rejected(sockets_with):
    sockets = sockets_with({"competition.sessions.second_factor_from": "manager"})
    boss, admin = sockets.service.staff("manager"), sockets.service.staff("admin")
    assert refused(sockets, headers(sockets, boss)) == (403, "second_factor_required")
    with connect(sockets.url, additional_headers=headers(sockets, admin), open_timeout=PATIENCE):
        pass


LIMITED = {
    "competition.ratelimit.enabled": "true",
    "competition.ratelimit.address": "4/minute",
    "competition.ratelimit.trusted_proxies": "127.0.0.0/8",
}


def test_invalid_keys_tokens_and_tickets_are_counted_for_the_address(sockets_with, statements):
    sockets = sockets_with(LIMITED)
    ada = sockets.service.candidate()

    def come_from(address, url=None, **changes):
        return refused(sockets, {**headers(sockets, ada, **changes), **address}, url)

    home, school = {"X-Forwarded-For": "192.0.2.1"}, {"X-Forwarded-For": "192.0.2.2"}
    by_ticket = f"{sockets.url}?ticket=wrong"
    for _ in range(2):
        assert come_from(home, **{"X-Api-Key": "wrong"}) == (401, "authentication_failed")
    assert come_from(home, Authorization="Bearer wrong") == (401, "invalid_token")
    assert come_from(home, by_ticket) == (401, "invalid_token")
    with statements() as executed:
        assert come_from(home, by_ticket) == (429, "throttle_exceeded")
        assert come_from(home, **{"X-Api-Key": "wrong"}) == (429, "throttle_exceeded")
    assert not [each for each in executed if "api_key" in each or "ticket" in each]
    assert come_from(school, by_ticket) == (401, "invalid_token")


def test_successful_handshakes_are_not_counted(sockets_with):
    """A whole school connects from one address."""
    sockets = sockets_with(LIMITED)
    for _ in range(6):
        sockets.open(sockets.service.candidate())
