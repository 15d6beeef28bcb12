"""The commands for operators, run on their own database."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import click
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select

from competition.cli import main
from competition.core.audit import AuditEntry
from competition.core.auth import hashing
from competition.core.errors import AuthenticationFailed
from competition.core.flags import Flag
from competition.core.jobs.models import Job
from competition.core.users import api_keys
from competition.core.users.credentials import ApiKey
from competition.core.users.models import Staff
from competition.core.web.service import endpoints
from competition.core.work import begin
from competition.testing.command_line import Run, write_ini
from competition.testing.databases import Databases
from competition.testing.service import Service

PASSWORD = "a long enough one"
EMAIL = "root@league.example"
NAMED = ["--email", "Root@League.example", "--first-name", "Rosa", "--last-name", "Root"]
NAMED += ["--phone", "+49 123 45678"]


def rows(result: Result) -> list[list[str]]:
    """The cells of a table, without the header."""
    return [re.split(r" {2,}", line) for line in result.stdout.splitlines()[1:]]


def audited(live: Service) -> list[tuple[str, str]]:
    with begin(live.runtime) as work:
        entries = work.db.scalars(select(AuditEntry).order_by(AuditEntry.id))
        return [(entry.action, entry.subject) for entry in entries][1:]


# --- Selecting the service


def test_the_ini_is_the_last_argument(ini: Path) -> None:
    result = CliRunner().invoke(main, ["flags", "list", str(ini)])
    assert result.exit_code == 0 and "leaderboard_visible" in result.output


def test_without_an_argument_development_ini_is_used(
    ini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nowhere = CliRunner().invoke(main, ["flags", "list"])
    assert nowhere.exit_code == 2 and "COMPETITION_INI" in nowhere.output
    ini.rename("development.ini")
    assert CliRunner().invoke(main, ["flags", "list"]).exit_code == 0


def test_a_missing_ini_is_named(run: Run) -> None:
    assert "nowhere.ini" in run("flags", "list", "nowhere.ini", status=1).output


def test_every_mistake_in_the_settings_is_printed(
    run: Run, base_settings: dict[str, str], tmp_path: Path
) -> None:
    wrong = {**base_settings, "competition.server.port": "none"}
    del wrong["competition.support_email"]
    output = run("flags", "list", str(write_ini(tmp_path / "wrong.ini", wrong)), status=1).output
    assert "competition.server.port" in output and "COMPETITION_SUPPORT_EMAIL" in output


def test_an_empty_database_is_reported_with_the_command_to_run(
    run: Run, databases: Databases, base_settings: dict[str, str], tmp_path: Path
) -> None:
    url = databases.create()
    settings = {**base_settings, "competition.database.url": url.replace("%", "%%")}
    empty = str(write_ini(tmp_path / "empty.ini", settings))
    assert "competition db upgrade" in run("flags", "list", empty, status=1).output

    run("db", "upgrade", empty)
    run("flags", "list", empty)
    run("db", "upgrade", empty)
    databases.drop(url)


def test_an_unavailable_database_is_named(
    run: Run, base_settings: dict[str, str], tmp_path: Path
) -> None:
    url = "postgresql+psycopg://nobody@/nothing?host=/nowhere"
    away = write_ini(tmp_path / "away.ini", {**base_settings, "competition.database.url": url})
    assert "/nowhere" in run("flags", "list", str(away), status=1).output


def every_command(group: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(group, click.Group):
        for name, command in group.commands.items():
            yield from every_command(command, *path, name)


COMMANDS = list(every_command(main))


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_help(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [*path, "--help"])
    assert result.exit_code == 0
    assert len(result.output.split("Options:")[0].split("\n\n")) > 1, "no text"


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_option_takes_a_secret(path: tuple[str, ...]) -> None:
    command: click.Command = main
    for name in path:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    for parameter in command.params:
        if {"password", "key", "secret"} & set(str(parameter.name).split("_")):
            assert isinstance(parameter, click.Option) and parameter.is_flag


# --- API keys


def test_an_api_key_is_printed_once_and_works(run: Run, live: Service) -> None:
    key = run("api-key", "create", "mobile").stdout.strip()
    live.anonymous.key = key
    live.log_in(EMAIL, PASSWORD, status=401, code="authentication_failed")
    assert key not in run("api-key", "list").output
    assert audited(live) == [("api_key.create", "mobile")]


def test_the_scopes_of_an_api_key_limit_its_access(run: Run, live: Service) -> None:
    run("api-key", "create", "mobile")
    run("api-key", "create", "backups", "--scope", "webhook", "--scope", "metrics")
    key = run("api-key", "create", "nightly", "--scope", "webhook").stdout.strip()
    rows = [re.split(r"\s{2,}", row) for row in run("api-key", "list").output.splitlines()]
    assert {row[0]: row[2] for row in rows[-3:]} == {
        "mobile": "client",
        "backups": "metrics webhook",
        "nightly": "webhook",
    }
    live.anonymous.key = key
    live.log_in(EMAIL, PASSWORD, status=403, code="permission_denied")
    assert "client" in run("api-key", "create", "odd", "--scope", "everything", status=2).output


def test_an_api_key_can_have_its_own_rate_limits(run: Run) -> None:
    run("api-key", "create", "tablet", "--rates", "standard")
    rows = [re.split(r"\s{2,}", row) for row in run("api-key", "list").output.splitlines()]
    assert {row[0]: row[3] for row in rows}["tablet"] == "standard"
    refused = run("api-key", "create", "odd", "--rates", "endless", status=2)
    assert "development, pages, standard" in refused.output


def test_the_name_of_an_api_key_is_unique(run: Run) -> None:
    run("api-key", "create", "mobile")
    assert "'mobile'" in run("api-key", "create", "mobile", status=1).output


def test_a_revoked_api_key_is_rejected(run: Run, live: Service) -> None:
    key = run("api-key", "create", "mobile").stdout.strip()
    run("api-key", "revoke", "mobile")
    with begin(live.runtime) as work, pytest.raises(AuthenticationFailed):
        api_keys.check(work, key)
    assert audited(live)[-1] == ("api_key.revoke", "mobile")


def test_an_unknown_api_key_can_not_be_revoked(run: Run) -> None:
    assert "'nobody'" in run("api-key", "revoke", "nobody", status=1).output


def test_an_api_key_may_expire(run: Run, live: Service) -> None:
    key = run("api-key", "create", "trial", "--days", "2").stdout.strip()
    with begin(live.runtime) as work:
        expires = work.db.scalar(select(ApiKey.expires_at).where(ApiKey.name == "trial"))
        live.clock.now = expires
    live.runtime.close_parts()
    with begin(live.runtime) as work, pytest.raises(AuthenticationFailed):
        api_keys.check(work, key)


# --- Superadmins


def create_superadmin(run: Run, *, password: str = PASSWORD, status: int = 0) -> Result:
    words = ["superadmin", "create", *NAMED, "--password-stdin"]
    return run(*words, given=f"{password}\n", status=status)


def test_a_superadmin_is_verified_and_can_log_in(run: Run, live: Service) -> None:
    create_superadmin(run)
    profile = live.log_in(EMAIL, PASSWORD).json["profile"]
    assert profile["role"] == "superadmin" and profile["is_user_verified"]
    assert profile["user"]["is_email_verified"]
    assert audited(live) == [("superadmin.create", "")]


def test_a_superadmins_password_comes_from_a_pipe_and_is_not_shown(run: Run, live: Service) -> None:
    result = run("superadmin", "create", *NAMED, given=f"{PASSWORD}\n")
    assert PASSWORD not in result.output
    with begin(live.runtime) as work:
        stored = work.db.scalar(select(Staff.password_hash))
    assert stored is not None and hashing.matches(stored, PASSWORD)


def test_a_piped_password_does_not_answer_other_prompts(run: Run) -> None:
    *named, phone, _ = NAMED
    assert phone == "--phone"
    result = run("superadmin", "create", *named, given=f"{PASSWORD}\n", status=2)
    assert "add --phone" in result.output


def test_a_superadmin_with_an_email_address_in_use_is_rejected(run: Run) -> None:
    create_superadmin(run)
    assert "root@league.example" in create_superadmin(run, status=1).output


@pytest.mark.parametrize("password", ["", "short", "12345678901", "password1", "league.example"])
def test_a_superadmin_with_a_weak_password_is_rejected(run: Run, password: str) -> None:
    create_superadmin(run, password=password, status=1)


def test_a_superadmin_needs_an_email_address(run: Run) -> None:
    words = ["superadmin", "create", *NAMED, "--email", "nonsense", "--password-stdin"]
    assert "email" in run(*words, given=f"{PASSWORD}\n", status=1).output


# --- Flags


def test_setting_a_flag_affects_the_running_service(run: Run, live: Service) -> None:
    run("flags", "set", "candidate_registration", "off")
    reply = live.client().get("/registration/")
    assert reply.json["is_candidate_reg_open"] is False
    assert ["candidate_registration", "off"] in [row[:2] for row in rows(run("flags", "list"))]
    assert ["staff_registration", "on"] in [row[:2] for row in rows(run("flags", "list"))]
    with begin(live.runtime) as work:
        assert work.db.scalars(select(Flag.updated_at)).all() == [live.clock.now]
    assert audited(live) == [("flag.switch", "candidate_registration")]


def test_an_unknown_flag_is_reported_with_the_known_flags(run: Run) -> None:
    output = run("flags", "set", "party", "on", status=1).output
    assert "party" in output and "leaderboard_visible" in output


# --- Accounts


def test_a_deactivated_user_is_logged_out_until_activated(run: Run, live: Service) -> None:
    candidate = live.candidate()
    run("user", "deactivate", candidate.email.upper())
    candidate.get("/candidates/me/", status=401, code="invalid_token")
    live.anonymous.post(
        "/auth/token/refresh/", {"refresh": candidate.refresh}, status=401, code="invalid_token"
    )
    run("user", "activate", candidate.email)
    candidate.get("/candidates/me/", status=401, code="invalid_token")
    live.new_session(candidate).get("/candidates/me/")
    assert audited(live) == [("user.activation", ""), ("user.activation", "")]


def test_deactivating_twice_is_audited_once(run: Run, live: Service) -> None:
    candidate = live.candidate()
    run("user", "deactivate", candidate.email)
    run("user", "deactivate", candidate.email)
    assert audited(live) == [("user.activation", "")]


def test_an_unknown_user_is_named(run: Run) -> None:
    output = run("user", "deactivate", "nobody@league.example", status=1).output
    assert "nobody@league.example" in output


# --- Routes


def test_routes_shows_every_endpoint_with_its_access(run: Run, live: Service) -> None:
    shown = rows(run("routes"))
    declared = endpoints(live.http.app.registry)
    assert len(shown) == len(declared)
    by_name = {(method, path): rest for method, path, *rest in shown}
    assert by_name["GET", "/v1/health/"] == ["public"]
    assert by_name["GET", "/v1/staff/me/"] == ["staff, volunteer or higher"]


# --- Jobs


def failed_job(live: Service) -> int:
    with begin(live.runtime) as work:
        job = Job(
            name="scores.score",
            args={},
            state="failed",
            attempts=8,
            last_error="ValueError",
            request_id="r",
            run_after=datetime(2000, 1, 1, tzinfo=live.clock.now.tzinfo),
            created_at=work.now,
            finished_at=work.now,
        )
        work.db.add(job)
        work.db.flush()
        return job.id


def job(live: Service, job_id: int) -> Job:
    with begin(live.runtime) as work:
        return work.db.get_one(Job, job_id)


def test_jobs_are_listed_with_their_errors(run: Run, live: Service) -> None:
    job_id = failed_job(live)
    (shown,) = rows(run("jobs", "list"))
    assert shown[0] == str(job_id)
    assert {"scores.score", "failed", "8", "ValueError"} <= set(shown)
    assert not rows(run("jobs", "list", "--state", "pending"))


def test_a_failed_job_can_be_run_again(run: Run, live: Service) -> None:
    job_id = failed_job(live)
    run("jobs", "retry", str(job_id))
    retried = job(live, job_id)
    assert (retried.state, retried.attempts, retried.finished_at) == ("pending", 0, None)
    assert audited(live) == [("job.retry", f"job {job_id}")]


@pytest.mark.parametrize("state", ["pending", "running", "failed", "done"])
def test_a_job_can_be_run_again_in_any_state(run: Run, live: Service, state: str) -> None:
    """A running job can be run again if its worker is dead."""
    job_id = failed_job(live)
    with begin(live.runtime) as work:
        stuck = work.db.get_one(Job, job_id)
        stuck.state, stuck.lease = state, uuid4()
        stuck.lease_until = work.now - timedelta(seconds=1)
    run("jobs", "retry", str(job_id))
    retried = job(live, job_id)
    assert (retried.state, retried.attempts, retried.lease) == ("pending", 0, None)


def test_a_job_that_a_worker_is_running_can_not_be_run_again(run: Run, live: Service) -> None:
    job_id = failed_job(live)
    with begin(live.runtime) as work:
        running = work.db.get_one(Job, job_id)
        # The command uses the real clock.
        running.state, running.lease_until = "running", datetime.now(UTC) + timedelta(hours=1)
    assert "running" in run("jobs", "retry", str(job_id), status=1).output
    assert "404" in run("jobs", "retry", "404", status=1).output


def test_a_job_that_is_run_again_goes_before_waiting_jobs(run: Run, live: Service) -> None:
    waiting, again = failed_job(live), failed_job(live)
    with begin(live.runtime) as work:
        work.db.get_one(Job, waiting).state = "pending"
    run("jobs", "retry", str(again))
    assert job(live, again).run_after < job(live, waiting).run_after


def test_older_jobs_can_be_listed(run: Run, live: Service) -> None:
    first, second = failed_job(live), failed_job(live)
    (shown,) = rows(run("jobs", "list", "--before", str(second)))
    assert shown[0] == str(first)


# --- Commands of plugins


def test_a_command_of_a_plugin_gets_the_runtime(ini: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from competition.plugins import questions

    @click.command("count-plugins")
    @click.pass_obj
    def command(runtime: Any) -> None:
        """Print how many plugins are enabled."""
        click.echo(len(runtime.packages))

    included = questions.includeme

    def includeme(config: Any) -> None:
        included(config)
        config.registry.runtime.catalogue.add(click.Command, "count-plugins", command)

    monkeypatch.setattr(questions, "includeme", includeme)
    monkeypatch.setenv("COMPETITION_INI", str(ini))
    assert "count-plugins" in CliRunner().invoke(main, ["--help"]).output
    assert int(CliRunner().invoke(main, ["count-plugins"]).output) > 1
    assert CliRunner().invoke(main, ["no-such-command"]).exit_code == 2
