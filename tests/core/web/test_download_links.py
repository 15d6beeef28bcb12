"""One-use links. Each allows one GET without headers, on behalf of the user who got the link."""

import logging

import pytest
from sqlalchemy import func, select, update

from competition.core.auth.access import StaffRole
from competition.core.errors import InvalidToken
from competition.core.users import accounts, sessions, tickets
from competition.core.users.credentials import ApiKey, SocketTicket
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.exam_day import make_exam, season
from competition.testing.races import together
from competition.testing.service import Client

LINKS = "/downloads/links/"
EXAMS = "/exams/"
ENABLED = {"competition.ratelimit.enabled": "true"}


@pytest.fixture
def admin(app):
    return app.staff("admin")


def link(app, person, path, **options):
    """The path below the API's prefix, with the ticket."""
    url = person.post(LINKS, {"path": path}, status=201, **options).json["url"]
    return url.removeprefix(app.runtime.api_url)


def follow(app, path, **options):
    """Send a request without any header."""
    return Client(app, None).get(path, **options)


def refused(app, path):
    reply = follow(app, path, status=401)
    return reply.json["code"]


def test_a_link_stands_for_both_headers_once(app, admin):
    make_exam(app, admin)
    path = link(app, admin, "/exams/?search=Round&limit=5")
    assert path.startswith("/exams/?search=Round&limit=5&ticket=")
    reply = follow(app, path, status=200)
    assert reply.json == admin.get("/exams/?search=Round&limit=5").json
    assert reply.headers["Content-Disposition"] == "attachment"
    assert reply.headers["Cache-Control"] == "no-store"
    assert refused(app, path) == "invalid_token"


def test_a_csv_can_be_saved_by_a_link(app, admin):
    exam_id, _ = season(app, admin, ["AB"], key="AB")
    path = f"/exams/{exam_id}/analysis/?format=csv"
    reply = follow(app, link(app, admin, path), status=200)
    assert reply.content_type == "text/csv"
    assert reply.body == admin.get(path).body


def test_the_reply_contains_the_expiry_of_the_link(app, admin):
    now = app.clock.now
    reply = admin.post(LINKS, {"path": EXAMS}, status=201).json
    assert reply == {"url": reply["url"], "expires_at": "2026-03-01T09:01:00Z"}
    assert app.clock.now == now
    app.clock.advance(hours=1, minutes=59, seconds=30)
    # The access token expires in 30 seconds, and the link with it.
    reply = admin.post(LINKS, {"path": EXAMS}, status=201).json
    assert reply["expires_at"] == "2026-03-01T11:00:00Z"


def test_a_link_works_for_a_minute(app, admin):
    path = link(app, admin, EXAMS)
    app.clock.advance(seconds=60)
    assert refused(app, path) == "invalid_token"


@pytest.mark.parametrize(
    "other",
    [
        "/exams/1/?ticket={}",
        "/questions/?ticket={}",
        "/exams/?limit=50&ticket={}",
        "/exams/?limit=5&page=2&ticket={}",
        "/exams/?ticket={}",
    ],
)
def test_a_link_is_for_no_other_path_and_query(app, admin, other):
    path = link(app, admin, "/exams/?limit=5")
    ticket = path.rpartition("ticket=")[2]
    assert refused(app, other.format(ticket)) == "invalid_token"
    # The ticket can still be used for its own path.
    follow(app, path, status=200)


def test_a_link_is_for_no_other_method(app, admin):
    path = link(app, admin, EXAMS)
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        reply = Client(app, None).request(method, path, {}, status="any")
        assert reply.status_int in (401, 405), method
    assert app.http.head(f"/v1{path}", expect_errors=True).status_int == 401
    follow(app, path, status=200)


def test_a_link_opens_no_socket_and_a_sockets_ticket_no_path(app, admin):
    ticket = link(app, admin, EXAMS).rpartition("ticket=")[2]
    for text in (ticket, f"/exams/?\n{ticket}"):
        with begin(app.runtime) as work, pytest.raises(InvalidToken):
            tickets.redeem(work, text)
    ticket = admin.post("/ws/tickets/").json["ticket"]
    assert refused(app, f"/exams/?ticket={ticket}") == "invalid_token"


def test_the_order_and_the_encoding_of_the_path_do_not_matter(app, admin):
    path = link(app, admin, "/exams?search=é%20f")
    assert path.startswith("/exams/?search=%C3%A9+f&ticket=")
    follow(app, path.replace("+", "%20"), status=200)


@pytest.mark.parametrize(
    "path",
    [
        "/nothing/",
        "exams/",
        "//elsewhere.example/exams/",
        "/v1/exams/",
        "/exams/x/",
        # An endpoint without a login, one without a GET, and two GETs that record or change
        # something.
        "/docs/",
        "/questions/render/",
        "/candidates/8f14e45f-ceea-467f-a8c5-1f2b3c4d5e6f/",
        "/exams/7/take-exam/",
    ],
)
def test_a_link_can_only_be_issued_for_a_download(app, admin, path):
    reply = admin.post(LINKS, {"path": path}, status=400, code="invalid")
    assert list(reply.json["errors"]) == ["path"]


class TestChecksWhenALinkIsUsed:
    def test_a_link_does_not_replace_the_rank(self, app):
        volunteer, admin = app.staff("volunteer"), app.staff("admin")
        make_exam(app, admin)
        assert follow(app, link(app, volunteer, EXAMS), status=403).json["code"] == (
            "permission_denied"
        )
        path = link(app, admin, EXAMS)
        with begin(app.runtime) as work:
            work.db.execute(
                update(User).where(User.id == admin.id).values(role=StaffRole.VOLUNTEER)
            )
        follow(app, path, status=403, code="permission_denied")

    def test_a_missing_exam_is_not_found(self, app, admin):
        path = link(app, admin, "/exams/999999/results/")
        follow(app, path, status=404, code="not_found")

    def test_the_link_of_an_ended_session_is_invalid(self, app, admin):
        path = link(app, admin, EXAMS)
        with begin(app.runtime) as work:
            sessions.end_all(work, admin.id)
        assert refused(app, path) == "invalid_token"

    def test_the_link_of_a_deactivated_account_is_invalid(self, app, admin):
        path = link(app, admin, EXAMS)
        with begin(app.runtime) as work:
            accounts.set_active(work, admin.id, False)
        assert refused(app, path) == "invalid_token"

    def test_the_link_of_a_revoked_api_key_is_invalid(self, app, admin):
        path = link(app, admin, EXAMS)
        with begin(app.runtime) as work:
            work.db.execute(update(ApiKey).values(revoked_at=work.now))
        assert refused(app, path) == "authentication_failed"

    def test_a_rejected_use_uses_the_link_up(self, app, admin):
        path = link(app, admin, "/exams/999999/results/")
        follow(app, path, status=404)
        assert refused(app, path) == "invalid_token"


def test_the_user_of_a_link_is_the_caller_in_every_plugin(app):
    """The endpoint reads the caller's account, not only their id."""
    candidate = app.candidate()
    path = link(app, candidate, "/dashboard/candidate/")
    assert follow(app, path, status=200).json == candidate.get("/dashboard/candidate/").json


def test_requests_with_headers_ignore_a_ticket(app, admin):
    path = link(app, admin, EXAMS)
    admin.get(path, status=200)
    admin.get("/exams/?ticket=wrong", status=200)
    app.anonymous.get(path, status=401, code="not_authenticated")
    follow(app, path, status=200)


def test_the_ticket_is_in_no_reply(app, admin):
    for _ in range(2):
        make_exam(app, admin)
    path = link(app, admin, "/exams/?limit=1")
    reply = follow(app, path, status=200)
    assert reply.json["pagination"]["next"].endswith("/v1/exams/?limit=1&page=2")
    assert path.rpartition("ticket=")[2] not in reply.text


def test_the_ticket_is_in_no_log(app_with, caplog):
    app = app_with({"competition.server.access_log": "true"})
    path = link(app, app.staff("admin"), EXAMS)
    with caplog.at_level(logging.DEBUG):
        follow(app, path, status=200)
        follow(app, path, status=401)
    assert "'/v1/exams/'" in caplog.text
    ticket = path.rpartition("ticket=")[2]
    assert all(ticket not in str(vars(record)) for record in caplog.records)


def test_a_ticket_is_stored_as_a_digest_only(app, admin):
    ticket = link(app, admin, EXAMS).rpartition("ticket=")[2]
    with begin(app.runtime) as work:
        [row] = work.db.scalars(select(SocketTicket))
        assert ticket not in (row.digest, str(row.session_id))


def test_links_that_were_never_used_are_deleted(app, admin):
    link(app, admin, EXAMS)
    app.clock.advance(minutes=2)
    link(app, admin, EXAMS)
    with begin(app.runtime) as work:
        assert work.db.scalar(select(func.count()).select_from(SocketTicket)) == 1


def test_uses_are_counted_for_the_user(app_with):
    app = app_with({**ENABLED, "competition.ratelimit.authenticated": "3/hour"})
    admin = app.staff("admin")
    first, second = link(app, admin, EXAMS), link(app, admin, EXAMS)
    reply = follow(app, first, status=200)
    assert reply.headers["X-RateLimit-Remaining"] == "0"
    follow(app, second, status=429, code="throttle_exceeded")


def test_wrong_tickets_are_counted_for_the_address(app_with):
    app = app_with({**ENABLED, "competition.ratelimit.address": "2/hour"})
    for _ in range(2):
        follow(app, "/exams/?ticket=wrong", status=401, code="invalid_token")
    follow(app, "/exams/?ticket=wrong", status=429, code="throttle_exceeded")


def test_a_request_that_loses_a_race_is_run_again(probe):
    path = link(probe, probe.candidate(), "/probe/contended/")
    assert follow(probe, path, status=200).json == {"said": "2"}
    assert refused(probe, path) == "invalid_token"


def test_one_of_two_simultaneous_uses_succeeds(live):
    path = link(live, live.staff("admin"), EXAMS)
    replies = together(2, lambda _: follow(live, path, status="any").status_int)
    assert sorted(replies) == [200, 401]
