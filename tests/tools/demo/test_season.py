"""`make demo` as a developer runs it: real processes and servers, over HTTP."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from competition.embedded import Servers
from competition.testing.waiting import PATIENCE, wait_until
from tests.support import numbers
from tests.support.processes import Environment, environment, is_healthy, log_in
from tests.support.repository import DEVELOPMENT_INI, REPOSITORY
from tools.demo.cast import FEWEST_CANDIDATES
from tools.demo.mailbox import PASSWORD_CODE, Mailbox
from tools.demo.service import own_service

# The fewest that the demo accepts.
CANDIDATES = FEWEST_CANDIDATES
# The number of candidates whose own statistics are compared.
LOOKED_AT = 8
# How old cached counts may be, in seconds.
OLDEST = 60
PLAYS_IN = 600


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    var = tmp_path_factory.mktemp("var")
    yield var
    Servers(var).erase()


@pytest.fixture(scope="module")
def service(var: Path) -> Environment:
    """Environment variables for a service of this test."""
    # With this text, guardians have to consent to registrations.
    return {**environment(var), "COMPETITION_PRIVACY_CONSENT_TEXT": "I agree."}


def play(service: Environment, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *(sys.executable, "-m", "tools.demo", str(DEVELOPMENT_INI)),
            *("--candidates", str(CANDIDATES), *options),
        ],
        cwd=REPOSITORY,
        env=service,
        capture_output=True,
        text=True,
        timeout=PLAYS_IN,
    )


def runs(var: Path) -> bool:
    try:
        dev = json.loads((var / "dev.json").read_text())
    except FileNotFoundError:
        return False
    return is_healthy(dev["base_url"])


def check_unreachable_sockets_are_reported(var: Path, service: Environment) -> None:
    """Check the error message of the demo if the sockets can't be reached."""
    dev = json.loads((var / "dev.json").read_text())
    elsewhere = var / "elsewhere"
    elsewhere.mkdir()
    ws_url = "ws://127.0.0.1:1/v1/ws/notifications/"
    (elsewhere / "dev.json").write_text(json.dumps({**dev, "ws_url": ws_url}))
    played = play(service, "--var", str(elsewhere))
    assert played.returncode == 1
    assert f"{ws_url} can't be opened" in played.stderr
    assert "is `competition ws` running?" in played.stderr


def check_numbers(var: Path) -> None:
    """Check that all statistics agree, once the cached counts are up to date."""
    dev = json.loads((var / "dev.json").read_text())
    mailbox = Mailbox(Path(dev["mail_dir"]))
    headers = {"X-Api-Key": dev["api_key"]}
    with httpx.Client(
        base_url=dev["base_url"], headers=headers, timeout=PATIENCE, trust_env=False
    ) as client:

        def reader(email: str, password: str) -> numbers.Get:
            status, tokens = log_in(dev["base_url"], dev["api_key"], email, password)
            assert status == 200, tokens
            headers = {"Authorization": f"Bearer {tokens['access']}"}
            return lambda path: client.get(path, headers=headers).raise_for_status().json()

        superadmin = reader(**dev["superadmin"])
        listed = superadmin(f"/candidates/?limit={LOOKED_AT}")["results"]
        emails = [each["user"]["email"] for each in listed]
        candidates = [reader(email, reset(client, mailbox, email)) for email in emails]

        def compare() -> None:
            numbers.compare(superadmin)
            for candidate in candidates:
                numbers.compare_own(superadmin, candidate)

        def are_alike() -> bool:
            try:
                compare()
            except AssertionError:
                return False
            return True

        try:
            wait_until(are_alike, OLDEST + PATIENCE, pause=5)
        finally:
            # If they never agree, this raises an error with the difference.
            compare()


def reset(client: httpx.Client, mailbox: Mailbox, email: str) -> str:
    """Set a new password, because the demo does not store the password that it has chosen."""
    password = "rings and ideals"
    client.post("/auth/password-change/request/", json={"email": email}).raise_for_status()
    proof = {"email": email, "otp": mailbox.wait_for(email, PASSWORD_CODE)}
    chosen = {"new_password": password, "confirm_password": password}
    client.post("/auth/password-change/", json={**proof, **chosen}).raise_for_status()
    return password


def numbers_in(printed: str, row: str) -> tuple[int, ...]:
    """The numbers in the only row like this, in the tables that the demo has printed."""
    [found] = re.findall(f"│ {row}\\b".replace("#", r"(\d+)"), printed)
    return tuple(map(int, (found,) if isinstance(found, str) else found))


@pytest.mark.long
def test_a_season_is_played(
    var: Path, service: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in service.items():
        monkeypatch.setenv(name, value)
    with own_service(DEVELOPMENT_INI, var / "dev.json"):
        played = play(service)
        assert played.returncode == 0, played.stdout + played.stderr
        assert runs(var), "the service that ran goes on"
        check_numbers(var)
        check_unreachable_sockets_are_reported(var, service)
    assert not runs(var), "the demo's own service is stopped"

    printed = played.stdout
    # The first screening round is the exam that the service itself has created.
    assert "Screening round 2: " in printed and "League round 1: " in printed
    assert "key_suspected" in printed
    for step in ("opens the next season", "take part again", "read last year's ranks"):
        assert step in printed
    assert "Candidates receive the announcement live" in printed
    # The better half advances, and those who are tied with its last.
    advanced, ranked = numbers_in(printed, "Advance +│ # of #")
    assert ranked <= 2 * advanced < CANDIDATES
    assert ranked < CANDIDATES, "one is never verified, and one is absent"
    assert numbers_in(printed, "Exams taken +│ #") == (2,)
    # The exam of one candidate in the screening was scored by hand.
    assert numbers_in(printed, "Submissions +│ #") == (ranked - 1 + advanced,)
    # One more candidate, for logging in, existed before.
    active, inactive = numbers_in(printed, "Candidates +│ # active, # inactive")
    assert active + inactive == CANDIDATES + 1 and inactive
    secrets = json.loads((var / "dev.json").read_text())
    assert str(var / "dev.json") in printed
    assert secrets["api_key"] not in printed + played.stderr
    assert secrets["superadmin"]["password"] not in printed + played.stderr
    for name, address in secrets["pages"].items():
        assert re.search(f"^{name.title()} +{re.escape(address)}$", printed, re.MULTILINE)


def test_a_service_that_does_not_start_is_an_error(tmp_path: Path, service: Environment) -> None:
    played = play({**service, "COMPETITION_VAR": str(tmp_path), "COMPETITION_NONSENSE": "1"})
    assert played.returncode == 1
    assert "The service did not start." in played.stderr
    assert "COMPETITION_NONSENSE" in played.stderr


def test_a_base_url_without_a_service_is_an_error(tmp_path: Path, service: Environment) -> None:
    dev = {
        "base_url": "http://127.0.0.1:1/v1",
        "ws_url": "ws://127.0.0.1:1/v1/ws/notifications/",
        "api_key": "key",
        "superadmin": {"email": "root@league.example", "password": "password"},
        "mail_dir": str(tmp_path),
    }
    (tmp_path / "dev.json").write_text(json.dumps(dev))
    played = play(service, "--var", str(tmp_path), "--base-url", "http://127.0.0.1:1/v1")
    assert played.returncode == 1
    assert "GET /v1/health/: no answer" in played.stderr
