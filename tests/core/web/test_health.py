"""The health checks for load balancers need no API key, have no rate limit, and show the real
state."""

import shutil
import tempfile
from collections import namedtuple

import pytest
import redis
from sqlalchemy import text
from webtest import TestApp

from competition.core.monitoring.readiness import ReadinessCheck
from competition.core.plugins import build
from competition.core.settings import SettingsError
from competition.core.storage import files
from competition.core.work import begin
from competition.testing.document import Document


@pytest.mark.parametrize("path", ["/health/", "/health"])
def test_health_needs_no_key_and_no_slash(app, path):
    app.anonymous.key = None
    reply = app.anonymous.get(path, status=200)
    assert reply.json["status"] == "healthy"
    assert reply.json["timestamp"].endswith("Z")
    assert reply.headers["X-Request-Id"]


def test_a_wrong_method_gets_the_allowed_ones(app):
    reply = app.anonymous.post("/health/", status=405, code="method_not_allowed")
    assert reply.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_an_unknown_path_returns_the_error_envelope(app):
    app.anonymous.get("/nowhere/", status=404, code="not_found")


def test_without_a_database_health_returns_503_with_the_same_fields(base_settings, tmp_path):
    nowhere = f"postgresql+psycopg://nobody@/nowhere?host={tmp_path}"
    alone = {"competition.plugins": "", "competition.database.url": nowhere}
    config = build({**base_settings, **alone})
    reply = TestApp(config.make_wsgi_app()).get("/v1/health/", status=503)
    assert reply.json["status"] == "unhealthy"
    Document.of(config.registry).check("GET", "/health/", reply)
    config.registry.runtime.close()


def test_without_plugins_only_the_health_checks_exist(app_with):
    service = app_with({"competition.plugins": ""})
    service.anonymous.get("/health/", status=200)
    service.anonymous.get("/ready/", status=200)
    service.anonymous.get("/docs/spec/", status=404, code="not_found")


def test_an_unknown_plugin_stops_the_start_and_lists_the_valid_ones(base_settings):
    with pytest.raises(SettingsError, match=r"'exam'.*docs"):
        build({**base_settings, "competition.plugins": "exam"})


def test_production_rejects_the_development_secret(base_settings):
    with pytest.raises(SettingsError, match=r"competition\.signing\.keys"):
        build({**base_settings, "competition.environment": "production"})


def checks(reply):
    return {each["name"]: each["status"] for each in reply.json["checks"]}


def test_a_service_with_all_dependencies_is_ready(app):
    app.anonymous.key = None
    reply = app.anonymous.get("/ready/", status=200)
    assert reply.json["status"] == "ready"
    names = ("database", "migrations", "redis", "storage", "disk")
    assert checks(reply) == dict.fromkeys(names, "ok")
    assert {each["message"] for each in reply.json["checks"]} == {""}


def test_without_a_database_the_service_is_not_ready_and_other_checks_are_shown(
    base_settings, tmp_path
):
    nowhere = f"postgresql+psycopg://nobody@/nowhere?host={tmp_path}"
    alone = {"competition.plugins": "", "competition.database.url": nowhere}
    config = build({**base_settings, **alone})
    reply = TestApp(config.make_wsgi_app()).get("/v1/ready/", status=503)
    assert reply.json["status"] == "unavailable"
    assert checks(reply) == {
        "database": "failed",
        "migrations": "failed",
        "redis": "ok",
        "storage": "ok",
        "disk": "ok",
    }
    assert str(tmp_path) not in reply.text
    Document.of(config.registry).check("GET", "/ready/", reply)
    config.registry.runtime.close()


def test_with_pending_migrations_the_service_is_not_ready(app):
    with begin(app.runtime) as work:
        work.db.execute(text("update alembic_version set version_num = '0001'"))
    reply = app.anonymous.get("/ready/", status=503)
    assert checks(reply)["migrations"] == "failed"
    assert app.anonymous.get("/health/").json["status"] == "healthy"


def test_with_a_newer_database_the_service_is_ready(app):
    """During a rolling upgrade the old processes keep running."""
    with begin(app.runtime) as work:
        work.db.execute(text("update alembic_version set version_num = 'of a later version'"))
    assert checks(app.anonymous.get("/ready/"))["migrations"] == "ok"


def test_with_an_empty_database_the_service_is_not_ready(app):
    with begin(app.runtime) as work:
        work.db.execute(text("drop table alembic_version"))
    assert checks(app.anonymous.get("/ready/", status=503))["migrations"] == "failed"


def test_a_failing_statement_is_no_outage(app, caplog, monkeypatch):
    def look(work):
        with work.db.begin_nested():
            work.db.execute(text("select * from nowhere"))

    check = ReadinessCheck("nowhere", look, required=False)
    monkeypatch.setitem(app.runtime.catalogue[ReadinessCheck], "nowhere", check)
    found = {each["name"]: each for each in app.anonymous.get("/ready/").json["checks"]}
    assert "could not be made" in found["nowhere"]["message"]
    assert 'nowhere can\'t be checked: relation "nowhere" does not exist' in caplog.text


def test_without_redis_the_service_is_degraded(app, monkeypatch):
    nowhere = redis.Redis.from_url("unix:///nowhere")
    monkeypatch.setattr(app.runtime, "redis", nowhere)
    reply = app.anonymous.get("/ready/", status=200)
    assert reply.json["status"] == "degraded"
    assert checks(reply)["redis"] == "degraded"
    messages = {each["name"]: each["message"] for each in reply.json["checks"]}
    assert messages["redis"] == "Redis does not answer. Check that it runs."
    reply = app.anonymous.get("/ready/", headers={"Accept-Language": "fr"}, status=200)
    messages = {each["name"]: each["message"] for each in reply.json["checks"]}
    assert messages["redis"] == "Redis ne répond pas. Vérifiez qu\u2019il fonctionne."


def test_with_a_full_disk_the_service_is_degraded_and_names_the_folders(
    app_with, monkeypatch, tmp_path
):
    places = {
        "temporary files": tmp_path / "temporary",
        "the storage": tmp_path / "files",
        "var": tmp_path / "var",
    }
    for place in places.values():
        place.mkdir(exist_ok=True)
    monkeypatch.setattr(tempfile, "tempdir", str(places["temporary files"]))
    app = app_with(
        {
            "competition.storage.folder": str(places["the storage"]),
            "competition.var": str(places["var"]),
        }
    )
    free = dict.fromkeys(places.values(), 2**40)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(2**40, 0, free[path]))
    french = {"temporary files": "les fichiers temporaires", "the storage": "le stockage"}
    for name, place in places.items():
        monkeypatch.setitem(free, place, 2**20)
        reply = app.anonymous.get("/ready/", status=200)
        assert reply.json["status"] == "degraded"
        [disk] = [each for each in reply.json["checks"] if each["name"] == "disk"]
        assert disk["status"] == "degraded"
        assert disk["message"] == (
            f"The disk is nearly full. Free some space on it. It holds: {name}."
        )
        reply = app.anonymous.get("/ready/", headers={"Accept-Language": "fr"}, status=200)
        [disk] = [each for each in reply.json["checks"] if each["name"] == "disk"]
        held = french.get(name, name)
        assert disk["message"] == (
            f"Le disque est presque plein. Libérez de l\u2019espace. Il contient\u00a0: {held}."
        )
        monkeypatch.setitem(free, place, 2**40)


def test_with_an_unwritable_folder_the_service_is_degraded_and_logs_the_reason(
    app_with, tmp_path, caplog
):
    (tmp_path / "file").touch()
    # Not even root can create a folder below a file.
    app = app_with({"competition.storage.folder": str(tmp_path / "file" / "files")})
    reply = app.anonymous.get("/ready/", status=200)
    assert reply.json["status"] == "degraded"
    [storage] = [each for each in reply.json["checks"] if each["name"] == "storage"]
    assert storage["status"] == "degraded"
    assert str(tmp_path) not in reply.text
    [logged] = [each for each in caplog.messages if "file storage" in each]
    assert "Not a directory" in logged and str(tmp_path) in logged
    # The folder doesn't matter if the service stores files in a bucket.
    elsewhere = {"competition.storage.s3_bucket": "documents"}
    app = app_with({"competition.storage.folder": str(tmp_path / "file" / "files"), **elsewhere})
    assert checks(app.anonymous.get("/ready/", status=200))["storage"] == "ok"


def test_a_folder_of_a_plugin_that_is_not_writable_is_degraded(app_with, tmp_path):
    # Nobody can create files in /proc, not even root.
    (tmp_path / "lost+found").symlink_to("/proc")
    app = app_with({"competition.storage.folder": str(tmp_path)})
    assert checks(app.anonymous.get("/ready/", status=200))["storage"] == "ok"
    (tmp_path / "images").symlink_to("/proc")
    assert checks(app.anonymous.get("/ready/", status=200))["storage"] == "degraded"


def test_the_service_is_degraded_while_a_folder_of_stored_files_is_missing(app_with, tmp_path):
    app = app_with({"competition.storage.folder": str(tmp_path / "files")})
    with begin(app.runtime) as work:
        files.store(work, b"%PDF-", "pdf", plugin="tests", subject="exam 7")
    assert checks(app.anonymous.get("/ready/", status=200))["storage"] == "ok"
    (tmp_path / "files" / "tests").rename(tmp_path / "away")
    assert checks(app.anonymous.get("/ready/", status=200))["storage"] == "degraded"


def test_the_check_of_the_folder_leaves_no_files(app_with, tmp_path):
    folder = tmp_path / "files"
    app = app_with({"competition.storage.folder": str(folder)})
    assert checks(app.anonymous.get("/ready/", status=200))["storage"] == "ok"
    assert not folder.exists()
    folder.mkdir()
    assert checks(app.anonymous.get("/ready/", status=200))["storage"] == "ok"
    assert list(folder.iterdir()) == []
