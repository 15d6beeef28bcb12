"""Which responses clients may cache."""

from datetime import date

import pytest

from competition.core.web.endpoint import Deprecation


@pytest.mark.parametrize("path", ["/candidates/me/", "/auth/sessions/", "/nowhere/", "/exams/"])
def test_replies_are_not_cached_by_default(app, path):
    reply = app.candidate().get(path, status="any")
    assert reply.headers["Cache-Control"] == "no-store"


def test_an_unchanged_polled_reply_is_not_sent_again(app):
    admin = app.staff("admin")
    admin.post("/leaderboard/publish/")
    app.run_jobs()
    first = admin.get("/leaderboard/", status=200)
    known = {"If-None-Match": first.headers["ETag"]}
    again = admin.get("/leaderboard/", headers=known, status=304)
    assert again.body == b""
    assert again.headers["ETag"] == first.headers["ETag"]
    app.clock.advance(minutes=1)
    admin.post("/leaderboard/publish/")
    app.run_jobs()
    changed = admin.get("/leaderboard/", headers=known, status=200)
    assert changed.headers["ETag"] != first.headers["ETag"]


@pytest.mark.parametrize(
    "path", ["/dashboard/candidate/", "/notifications/", "/user/verification/status/"]
)
def test_personal_polled_replies_are_not_cached(app, path):
    candidate = app.candidate()
    first = candidate.get(path, status=200)
    assert first.headers["Cache-Control"] == "no-store"
    known = {"If-None-Match": first.headers["ETag"]}
    again = candidate.get(path, headers=known, status=304)
    assert again.headers["Cache-Control"] == "no-store"


def test_leaderboards_with_names_are_not_cached(app):
    admin = app.staff("admin")
    admin.post("/leaderboard/publish/")
    app.run_jobs()
    assert admin.get("/leaderboard/", status=200).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/dashboard/staff/", "/stats/overview/"])
def test_changed_counts_are_sent_again(app, path):
    moderator = app.staff("moderator")
    known = {"If-None-Match": moderator.get(path, status=200).headers["ETag"]}
    moderator.get(path, headers=known, status=304)
    app.candidate()
    app.clock.advance(minutes=1, seconds=1)
    moderator.get(path, headers=known, status=200)


def test_a_changed_dashboard_is_sent_again(app):
    candidate = app.candidate()
    known = {"If-None-Match": candidate.get("/dashboard/candidate/", status=200).headers["ETag"]}
    candidate.get("/dashboard/candidate/", headers=known, status=304)
    app.candidate().get("/dashboard/candidate/", headers=known, status=200)


def test_an_unchanged_openapi_document_is_not_sent_again(app):
    first = app.anonymous.get("/docs/spec/", status=200)
    assert first.headers["Cache-Control"] == "no-cache"
    known = {"If-None-Match": first.headers["ETag"]}
    app.anonymous.get("/docs/spec/", headers=known, status=304)


def test_an_error_has_no_etag(app):
    reply = app.staff("admin").get("/leaderboard/", status=404)
    assert "ETag" not in reply.headers


def test_a_deprecated_endpoint_is_marked_in_replies_and_in_the_document(probe):
    reply = probe.anonymous.get("/probe/old/", status=200)
    assert reply.headers["Deprecation"] == "@1767225600"
    assert reply.headers["Sunset"] == "Wed, 01 Jul 2026 00:00:00 GMT"
    assert probe.document.document["paths"]["/probe/old/"]["get"]["deprecated"] is True


def test_six_months_are_the_shortest_notice():
    Deprecation(since=date(2026, 1, 1), sunset=date(2026, 7, 1))
    with pytest.raises(ValueError, match="six months"):
        Deprecation(since=date(2026, 1, 1), sunset=date(2026, 6, 30))
