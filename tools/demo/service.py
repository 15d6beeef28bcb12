"""The service for the demo: the running one, or a temporary one that the demo starts."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from competition.parent import ending_with_parent
from tools.demo.client import connect
from tools.demo.errors import DemoError

PATIENCE_SECONDS = 120
PAUSE_SECONDS = 0.2
LAST_LINES = 15


@dataclass(frozen=True)
class Address:
    """The addresses and credentials that `competition up` writes to dev.json."""

    base_url: str
    ws_url: str
    api_key: str = field(repr=False)
    superadmin_email: str
    superadmin_password: str = field(repr=False)
    mail_dir: Path
    # Email addresses by role. All these users have the superadmin's password.
    logins: Mapping[str, str] = field(default_factory=dict)


def read_address(dev_file: Path) -> Address:
    """Read dev.json. Raises DemoError if that fails."""
    try:
        written = json.loads(dev_file.read_text())
        if written["mail_dir"] is None:
            raise DemoError("The service sends emails by SMTP; the demo needs them in a folder.")
        return Address(
            base_url=written["base_url"],
            ws_url=written["ws_url"],
            api_key=written["api_key"],
            superadmin_email=written["superadmin"]["email"],
            superadmin_password=written["superadmin"]["password"],
            mail_dir=Path(written["mail_dir"]),
            logins=written.get("logins", {}),
        )
    except OSError as error:
        raise DemoError(
            f"{dev_file} can't be read ({error.strerror}). `make run` creates it."
        ) from None
    except (ValueError, KeyError, TypeError):
        raise DemoError(
            f"{dev_file} is not a file of `competition up`. `make run` creates it again."
        ) from None


def running(dev_file: Path, base_url: str | None = None) -> Address | None:
    """The address of the service of `dev_file`, or None if it is not running.

    Raises DemoError if a `base_url` is given and no service answers there.
    """
    if base_url is not None:
        address = replace(read_address(dev_file), base_url=base_url)
        _check_answers(address)
        return address
    if not dev_file.exists():
        return None
    address = read_address(dev_file)
    try:
        _check_answers(address)
    except DemoError:
        return None
    return address


def _check_answers(address: Address) -> None:
    with connect(address.base_url, address.api_key) as client:
        client.get("/health/")


@contextmanager
def own_service(ini: Path, dev_file: Path) -> Iterator[Address]:
    """Context manager: run `competition up`. Its output goes to a file next to `dev_file`.

    Raises DemoError if the service does not start.
    """
    before = _written_at(dev_file)
    log = dev_file.with_name("demo-service.log")
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        service = subprocess.Popen(
            [sys.executable, "-m", "competition.cli", "up", str(ini)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                "COMPETITION_VAR": str(dev_file.parent.resolve()),
                # With a grace period, the service would wait for minutes before it submits drafts.
                "COMPETITION_SITTINGS_GRACE_MINUTES": "0",
            },
            # With Ctrl-C, only the demo gets the signal, and then stops the service. If the service
            # got it too, the second signal would kill it.
            start_new_session=True,
            preexec_fn=ending_with_parent(signal.SIGTERM),
        )
    try:
        yield _wait(service, dev_file, before, log)
    finally:
        service.terminate()
        service.wait()


def _wait(service: subprocess.Popen[bytes], dev_file: Path, before: int, log: Path) -> Address:
    """Wait until the service answers and has written dev.json again. `before` is the time of the
    last change of the file, from before the start.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while service.poll() is None and time.monotonic() < deadline:
        if _written_at(dev_file) != before and (address := running(dev_file)):
            return address
        time.sleep(PAUSE_SECONDS)
    last = "\n".join(log.read_text(errors="replace").splitlines()[-LAST_LINES:])
    raise DemoError(f"The service did not start. The end of {log}:\n{last}")


def _written_at(file: Path) -> int:
    return file.stat().st_mtime_ns if file.exists() else 0
