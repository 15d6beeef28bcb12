"""If PostgreSQL is unavailable, requests return 503 and the log gets one line. Once it is back,
everything works as before."""

import re

import pytest
from sqlalchemy import create_engine, make_url, text
from webtest import TestApp

from competition.core.database_errors import is_outage
from competition.core.monitoring.logs import SELDOM
from competition.core.plugins import build
from competition.core.web.failures import refusal
from competition.core.work import begin
from competition.plugins.docs.document.served import describe

LOGGERS = ("competition.core.web.failures", "competition.core.database_errors")
LOCK = "lock table audit in access exclusive mode"


def assert_unavailable(reply):
    assert (reply.status_int, reply.json["code"]) == (503, "service_unavailable"), reply.text
    assert set(reply.json) == {"detail", "code"}
    assert int(reply.headers["Retry-After"]) > 0


def reasons(caplog):
    return [each.getMessage() for each in caplog.records if each.name.startswith(LOGGERS)]


@pytest.fixture(autouse=True)
def as_at_a_start():
    SELDOM.forget()


@pytest.fixture
def elsewhere(live_probe):
    """Another connection to the same database."""
    engine = create_engine(live_probe.runtime.database.changing.url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("08006", "service_unavailable"),
        ("53300", "service_unavailable"),
        ("57P01", "service_unavailable"),
        ("57P02", "service_unavailable"),
        ("57P03", "service_unavailable"),
        ("57014", "service_unavailable"),
        ("55P03", "service_unavailable"),
        ("53100", "server_error"),
        ("40P01", "server_error"),
        ("22012", "server_error"),
    ],
)
def test_the_error_code_of_postgresql_determines_the_reply(app, state, code):
    raised = text(f"do $$ begin raise exception using errcode = '{state}'; end $$")
    with pytest.raises(Exception) as caught, begin(app.runtime) as work:
        work.db.execute(raised)
    assert refusal(caught.value).code == code


def test_an_error_from_elsewhere_is_no_outage_of_the_database():
    assert not is_outage(ConnectionRefusedError())


def test_a_connection_lost_during_a_transaction_is_an_outage(live_probe, elsewhere):
    with pytest.raises(Exception) as caught, begin(live_probe.runtime) as work:
        pid = work.db.scalar(text("select pg_backend_pid()"))
        elsewhere.execute(text(f"select pg_terminate_backend({pid}, 5000)"))
        work.db.execute(text("select 1"))
    assert is_outage(caught.value)
    # The other connections of the pool are broken too, and are replaced.
    live_probe.anonymous.post("/probe/written/", status=200)


def test_a_request_without_a_free_connection_returns_503(live_with, with_probe, caplog):
    service = live_with(
        {
            **with_probe,
            "competition.database.pool_size": "1",
            "competition.database.pool_timeout": "0.1",
        }
    )
    with begin(service.runtime) as work:
        work.db.execute(text("select 1"))
        reply = service.anonymous.post("/probe/written/", status=503, code="service_unavailable")
    assert_unavailable(reply)
    assert "QueuePool limit" in reasons(caplog)[0]
    service.anonymous.post("/probe/written/", status=200)


def test_a_lock_timeout_returns_503_and_logs_the_statement(live_with, with_probe, caplog):
    service = live_with({**with_probe, "competition.database.lock_timeout": "0.1"})
    with begin(service.runtime) as work:
        work.db.execute(text(LOCK))
        reply = service.anonymous.post("/probe/written/", status=503, code="service_unavailable")
    assert_unavailable(reply)
    assert reasons(caplog) == ["unexpected error"]
    assert "INSERT INTO audit" in caplog.text
    service.anonymous.post("/probe/written/", status=200)


@pytest.fixture
def without_password(base_settings, with_probe, addresses):
    """A service that can't log in to its database. PostgreSQL rejects its database user, as it
    rejects a wrong password.
    """
    url = make_url(addresses.database_url).set(username="stranger", password="wrong-password")
    config = build(
        {
            **base_settings,
            **with_probe,
            "competition.database.url": url.render_as_string(hide_password=False),
        }
    )
    yield TestApp(config.make_wsgi_app()), config.registry
    config.registry.runtime.close()


def test_the_reason_of_an_outage_is_logged_once_a_minute(without_password, caplog):
    http, _ = without_password
    for _ in range(3):
        assert_unavailable(http.post("/v1/probe/written/", status=503))
        assert http.get("/v1/health/", status=503).json["status"] == "unhealthy"
    [line] = reasons(caplog)
    assert "stranger" in line and "authentication failed" in line and "\n" not in line
    assert "wrong-password" not in caplog.text
    assert not [each for each in caplog.records if each.exc_info]
    SELDOM.forget()
    http.get("/v1/health/", status=503)
    assert len(reasons(caplog)) == 2


def test_operations_that_use_the_database_document_503(without_password):
    _, registry = without_password
    document = describe(registry, closed=True)
    paths = document["paths"]
    without = {
        path
        for path, methods in paths.items()
        for operation in methods.values()
        # In a shared response, or among several errors of this status.
        if not re.search("Service_?Unavailable", str(operation["responses"].get("503")), re.I)
    }
    assert without <= {
        "/health/",
        "/ready/",
        "/docs/",
        "/docs/spec/",
        "/docs/events/",
        "/docs/swagger/",
        "/docs/redoc/",
    } | {each for each in paths if each.startswith("/probe/")}
    [answer] = {
        str(each["headers"])
        for name, each in document["components"]["responses"].items()
        if name == "Error503ServiceUnavailable"
    }
    assert "Retry-After" in answer
