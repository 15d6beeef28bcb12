"""API keys of client applications (decisions C1, C2)."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.auth.access import KeyScope
from competition.core.errors import Invalid, NotFound
from competition.core.users import api_keys
from competition.core.users.credentials import ApiKey
from competition.core.work import begin
from competition.testing.service import Client

PATH = "/auth/logout/"


def create(service, name="tablet", lifetime=None, scopes=()):
    with begin(service.runtime) as work:
        return api_keys.create(work, name, lifetime, scopes)


def revoke(service, name="tablet"):
    with begin(service.runtime) as work:
        api_keys.revoke(work, name)


def knock(service, key):
    """The error code for a request with this key. The token in the request is invalid, so there is
    always an error.
    """
    reply = Client(service, key).post(PATH, {"refresh": "none"}, status=401)
    return reply.json["code"]


# The error code if the key was accepted.
LET_IN = "invalid_token"


def test_a_missing_key_and_a_wrong_key_get_different_codes(app):
    assert knock(app, None) == "not_authenticated"
    assert knock(app, "") == "not_authenticated"
    assert knock(app, "wrong") == "authentication_failed"
    assert knock(app, app.key + "x") == "authentication_failed"
    assert knock(app, app.key) == LET_IN


@pytest.mark.parametrize("key", ["é", "a b", "' or 1=1", "x" * 5000])
def test_a_malformed_key_is_a_wrong_key(app, key):
    assert knock(app, key) == "authentication_failed"


def test_the_key_is_checked_before_the_token(app):
    app.client("nonsense").get("/staff/me/", status=401, code="invalid_token")
    Client(app, "wrong", "nonsense").get("/staff/me/", status=401, code="authentication_failed")


def test_a_public_endpoint_ignores_the_key(app):
    Client(app, None).get("/registration/", status=200)
    Client(app, "wrong").get("/registration/", status=200)


def test_a_key_is_queried_once_in_15_seconds(app, statements):
    knock(app, app.key)
    app.clock.advance(seconds=14)
    with statements() as executed:
        knock(app, app.key)
    assert not [statement for statement in executed if "api_key" in statement]
    app.clock.advance(seconds=1)
    with statements() as executed:
        knock(app, app.key)
    assert [statement for statement in executed if "api_key" in statement]


def test_a_revoked_key_is_rejected_within_15_seconds(app):
    key = create(app)
    assert knock(app, key) == LET_IN
    revoke(app)
    app.clock.advance(seconds=15)
    assert knock(app, key) == "authentication_failed"


def test_a_key_expires_to_the_second(app):
    key = create(app, lifetime=timedelta(seconds=10))
    app.clock.advance(seconds=9)
    assert knock(app, key) == LET_IN
    app.clock.advance(seconds=1)
    assert knock(app, key) == "authentication_failed"


def test_a_wrong_key_is_not_cached(app):
    assert knock(app, "k" * 43) == "authentication_failed"
    with begin(app.runtime) as work:
        work.db.add(
            ApiKey(
                name="late",
                prefix="k",
                digest=api_keys.digest_of("k" * 43),
                created_at=work.now,
            )
        )
    assert knock(app, "k" * 43) == LET_IN


def test_the_key_itself_is_not_stored(app):
    key = create(app)
    with begin(app.runtime) as work:
        stored = work.db.scalars(select(ApiKey).where(ApiKey.name == "tablet")).one()
    assert key not in (stored.digest, stored.prefix)
    assert key.startswith(stored.prefix)


def test_the_name_of_a_key_is_unique(app):
    create(app)
    with pytest.raises(Invalid, match="tablet"):
        create(app)


def test_a_renewed_key_replaces_the_old_one(app):
    old = create(app)
    with begin(app.runtime) as work:
        new = api_keys.renew(work, "tablet")
    assert knock(app, old) == "authentication_failed"
    assert knock(app, new) == LET_IN


CLIENT, WEBHOOK, METRICS = KeyScope


@pytest.mark.parametrize(
    ("scopes", "client", "webhook"),
    [
        ([], True, False),
        ([CLIENT], True, False),
        ([WEBHOOK], False, True),
        ([METRICS], False, False),
        ([CLIENT, WEBHOOK], True, True),
    ],
)
def test_a_key_opens_the_paths_of_its_scopes(app, scopes, client, webhook):
    key = create(app, scopes=scopes)
    for path, opens, let_in in (
        (PATH, client, (401, LET_IN)),
        ("/webhooks/db-backup/", webhook, (400, "invalid")),
    ):
        # The second request finds the key in the cache.
        for _ in range(2):
            reply = Client(app, key).post(path, {"refresh": "none"}, status="any")
            denied = (403, "permission_denied")
            assert (reply.status_int, reply.json["code"]) == (let_in if opens else denied)


def test_the_scope_is_checked_before_the_token(app):
    key = create(app, scopes=[WEBHOOK])
    Client(app, key, "nonsense").get("/staff/me/", status=403, code="permission_denied")


def test_the_audit_entry_has_the_scopes_of_a_key(app):
    create(app, scopes=[WEBHOOK, METRICS])
    with begin(app.runtime) as work:
        made = work.db.scalars(select(AuditEntry).where(AuditEntry.subject == "tablet")).one()
    assert made.new == ["metrics", "webhook"]


def test_an_unknown_key_can_not_be_revoked(app):
    with pytest.raises(NotFound, match="phone"):
        revoke(app, "phone")


def test_creating_and_revoking_keys_is_audited_without_the_key(app):
    key = create(app)
    revoke(app)
    revoke(app)
    with begin(app.runtime) as work:
        about_tablet = select(AuditEntry).where(AuditEntry.subject == "tablet")
        about_it = about_tablet.order_by(AuditEntry.id)
        found = list(work.db.scalars(about_it.order_by(AuditEntry.id)))
    assert [entry.action for entry in found] == ["api_key.create", "api_key.revoke"]
    assert all(key not in str(vars(entry)) for entry in found)
