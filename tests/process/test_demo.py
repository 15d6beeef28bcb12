"""`competition demo` as somebody runs it: real processes, real servers, over HTTP."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from competition.demo.mailbox import PASSWORD_CODE, Mailbox
from competition.embedded import Servers
from tests import numbers
from tests.ports import free_port

INI = Path(__file__).parents[2] / "development.ini"
CANDIDATES = 12
STARTS_IN = 60
# Of numbers over everybody, in seconds.
OLDEST = 60
PLAYS_IN = 600

Environment = dict[str, str]


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    var = tmp_path_factory.mktemp("var")
    yield var
    Servers(var).erase()


@pytest.fixture(scope="module")
def environment(var: Path) -> Environment:
    """Of a service beside all others."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("COMPETITION_")
    }
    return inherited | {
        "COMPETITION_VAR": str(var),
        "COMPETITION_MAIL_FOLDER": str(var / "mail"),
        "COMPETITION_STORAGE_FOLDER": str(var / "files"),
        "COMPETITION_SERVER_PORT": str(free_port()),
        "COMPETITION_WS_PORT": str(free_port()),
    }


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "competition.cli", *words]


def play(environment: Environment, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command("demo", str(INI), "--candidates", str(CANDIDATES), *options),
        env=environment,
        capture_output=True,
        text=True,
        timeout=PLAYS_IN,
    )


def base_url(var: Path) -> str:
    url: str = json.loads((var / "dev.json").read_text())["base_url"]
    return url


def is_healthy(var: Path) -> bool:
    try:
        return httpx.get(f"{base_url(var)}/health/", timeout=STARTS_IN, trust_env=False).is_success
    except (OSError, httpx.TransportError):
        return False


@contextmanager
def running(var: Path, environment: Environment) -> Iterator[None]:
    service = subprocess.Popen(
        command("up", str(INI)),
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + STARTS_IN
        while not is_healthy(var):
            assert service.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield
    finally:
        service.send_signal(signal.SIGINT)
        assert service.wait(STARTS_IN) == 0


def check_deaf_service_is_told(var: Path, environment: Environment) -> None:
    """One whose sockets can't be reached."""
    dev = json.loads((var / "dev.json").read_text())
    elsewhere = var / "elsewhere"
    elsewhere.mkdir()
    ws_url = "ws://127.0.0.1:1/v1/ws/notifications/"
    (elsewhere / "dev.json").write_text(json.dumps({**dev, "ws_url": ws_url}))
    played = play(environment, "--var", str(elsewhere))
    assert played.returncode == 1
    assert f"{ws_url} can't be opened" in played.stderr
    assert "is `competition ws` running?" in played.stderr


def check_numbers(var: Path) -> None:
    """They are of one moment once those over everybody are as new as the season's end."""
    dev = json.loads((var / "dev.json").read_text())
    mailbox = Mailbox(Path(dev["mail_dir"]))
    headers = {"X-Api-Key": dev["api_key"]}
    with httpx.Client(
        base_url=dev["base_url"], headers=headers, timeout=STARTS_IN, trust_env=False
    ) as client:
        superadmin = log_in(client, **dev["superadmin"])
        listed = superadmin("/candidates/?limit=100")["results"]
        emails = [each["user"]["email"] for each in listed]
        candidates = [log_in(client, email, reset(client, mailbox, email)) for email in emails]
        deadline = time.monotonic() + OLDEST + STARTS_IN
        while True:
            try:
                numbers.compare(superadmin)
                for candidate in candidates:
                    numbers.compare_own(superadmin, candidate)
                return
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(1)


def log_in(client: httpx.Client, email: str, password: str) -> numbers.Get:
    credentials = {"email": email, "password": password}
    login = client.post("/auth/login/", json=credentials).raise_for_status().json()
    headers = {"Authorization": f"Bearer {login['access']}"}
    return lambda path: client.get(path, headers=headers).raise_for_status().json()


def reset(client: httpx.Client, mailbox: Mailbox, email: str) -> str:
    """Another password: the demo has forgotten the one that it chose."""
    password = "rings and ideals"
    client.post("/auth/password-change/request/", json={"email": email}).raise_for_status()
    proof = {"email": email, "otp": mailbox.wait_for(email, PASSWORD_CODE)}
    chosen = {"new_password": password, "confirm_password": password}
    client.post("/auth/password-change/", json={**proof, **chosen}).raise_for_status()
    return password


def test_a_season_is_played_on_a_service_of_its_own_and_then_on_the_one_that_runs(
    var: Path, environment: Environment
) -> None:
    alone = play(environment)
    assert alone.returncode == 0, alone.stdout + alone.stderr
    assert not is_healthy(var), "its service is stopped"
    with running(var, environment):
        again = play(environment)
        assert is_healthy(var), "the service that ran goes on"
        assert again.returncode == 0, again.stdout + again.stderr
        check_numbers(var)
        check_deaf_service_is_told(var, environment)
    for played, round in ((alone, 1), (again, 2)):
        assert f"Screening round {round}: 40 questions" in played.stdout
        assert f"League round {round}: 20 questions" in played.stdout
        # Ten of the twelve have a score: one is never verified, and one is absent.
        assert len(re.findall("│ +[0-9]+ │", played.stdout)) == 10 + 5
        # Fifteen scores, of which one was given by hand, in each season.
        assert re.search(f"│ Submissions +│ {14 * round} ", played.stdout)
        assert "│ Exams taken         │ 2 " in played.stdout
        assert re.search(f"│ Candidates │ {11 * round} active, {round} inactive", played.stdout)
        assert "Candidates hear the announcement live" in played.stdout
        assert str(var / "dev.json") in played.stdout
        secrets = json.loads((var / "dev.json").read_text())
        assert secrets["api_key"] not in played.stdout + played.stderr
        assert secrets["superadmin"]["password"] not in played.stdout + played.stderr


def test_a_service_that_does_not_start_is_told(tmp_path: Path, environment: Environment) -> None:
    played = play({**environment, "COMPETITION_VAR": str(tmp_path), "COMPETITION_NONSENSE": "1"})
    assert played.returncode == 1
    assert "The service did not start." in played.stderr
    assert "COMPETITION_NONSENSE" in played.stderr


def test_a_base_url_where_nobody_answers_is_told(tmp_path: Path, environment: Environment) -> None:
    dev = {
        "base_url": "http://127.0.0.1:1/v1",
        "ws_url": "ws://127.0.0.1:1/v1/ws/notifications/",
        "api_key": "key",
        "superadmin": {"email": "root@league.example", "password": "password"},
        "mail_dir": str(tmp_path),
    }
    (tmp_path / "dev.json").write_text(json.dumps(dev))
    played = play(environment, "--var", str(tmp_path), "--base-url", "http://127.0.0.1:1/v1")
    assert played.returncode == 1
    assert "GET /v1/health/: no answer" in played.stderr
