import pytest
from sqlalchemy import select

from competition.core import audit
from competition.core.audit import AuditEntry
from competition.core.work import begin


def entries(service, action):
    with begin(service.runtime) as work:
        of_action = select(AuditEntry).where(AuditEntry.action == action)
        return list(work.db.scalars(of_action.order_by(AuditEntry.id)))


def test_an_act_over_http_is_recorded_with_actor_and_address(app):
    admin, candidate = app.staff("admin"), app.candidate()
    reply = admin.put(
        f"/candidates/{candidate.id}/roles/assign/",
        {"role": "league"},
        environ={"REMOTE_ADDR": "203.0.113.5"},
    )
    with begin(app.runtime) as work:
        [entry] = work.db.scalars(select(AuditEntry).where(AuditEntry.target_id == candidate.id))
    assert entry.actor_id == admin.id
    assert (entry.old, entry.new) == ("screening", "league")
    assert entry.address == "203.0.113.5"
    assert entry.request_id == reply.headers["X-Request-Id"]
    assert entry.created_at == app.clock.now


def test_an_act_of_an_operator_has_no_actor(app):
    with begin(app.runtime) as work:
        audit.record(work, "test.act", subject="exam 7", new={"open": True})
    [entry] = entries(app, "test.act")
    assert (entry.actor_id, entry.target_id, entry.address) == (None, None, None)
    assert (entry.subject, entry.old, entry.new) == ("exam 7", None, {"open": True})


def test_an_act_that_failed_is_not_recorded(app):
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        audit.record(work, "test.act")
        work.db.flush()
        raise ZeroDivisionError
    assert entries(app, "test.act") == []
