"""Programs that Python's packages do not bring.

A test that needs a missing program is skipped, and the end of the run names the program. In CI,
where the environment has CI=true, such a run fails: `python -m tests.support.programs` installs
all of them on Debian.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

MISSING = "is missing: "


@dataclass(frozen=True)
class Program:
    """`names` are its names on different systems. `package` is Debian's; a program of the virtual
    environment has none."""

    names: tuple[str, ...]
    package: str | None = None

    @property
    def how(self) -> str:
        """How to install it."""
        return f"apt-get install {self.package}" if self.package else "make install"


# The shell is the same browser without a window, and needs a quarter less time.
CHROMIUM = Program(
    ("chromium-headless-shell", "chromium", "chromium-browser"), "chromium-headless-shell"
)
COMPOSE = Program(("docker-compose",), "docker-compose")
CURL = Program(("curl",), "curl")
FIREFOX = Program(("firefox-esr", "firefox"), "firefox-esr")
GPG = Program(("gpg",), "gnupg")
HADOLINT = Program(("hadolint",))
KUBECTL = Program(("kubectl",), "kubernetes-client")
KUBERNETES_VALIDATE = Program(("kubernetes-validate",))
NPM = Program(("npm",), "npm")
NGINX = Program(("nginx", "/usr/sbin/nginx"), "nginx")
OPENSSL = Program(("openssl",), "openssl")
PGBOUNCER = Program(("pgbouncer", "/usr/sbin/pgbouncer"), "pgbouncer")
PROMTOOL = Program(("promtool",), "prometheus")
SYSTEMD_ANALYZE = Program(("systemd-analyze",), "systemd")
WEBKIT_DRIVER = Program(("WebKitWebDriver",), "webkit2gtk-driver")
XVFB = Program(("Xvfb",), "xvfb")
ALL = (
    CHROMIUM,
    COMPOSE,
    CURL,
    FIREFOX,
    GPG,
    HADOLINT,
    KUBECTL,
    KUBERNETES_VALIDATE,
    NPM,
    NGINX,
    OPENSSL,
    PGBOUNCER,
    PROMTOOL,
    SYSTEMD_ANALYZE,
    WEBKIT_DRIVER,
    XVFB,
)


def find(program: Program) -> str | None:
    """The path of a program, or None. Looks in PATH and in this Python environment."""
    ours = [str(Path(sys.executable).parent / name) for name in program.names]
    return next(filter(None, map(shutil.which, [*program.names, *ours])), None)


def needs_program(program: Program) -> pytest.MarkDecorator:
    reason = f"{program.names[0]} {MISSING}{program.how}"
    return pytest.mark.skipif(find(program) is None, reason=reason)


def missing_for(reporter: Any) -> list[str]:
    """The reason of each skipped test of a run that needs a missing program."""
    reasons = [
        report.longrepr[2].removeprefix("Skipped: ")
        for report in reporter.getreports("skipped")
        if isinstance(report.longrepr, tuple)
    ]
    return [reason for reason in reasons if MISSING in reason]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI, fail if a test was skipped because a program is missing."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and missing_for(reporter) and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reasons = missing_for(terminalreporter)
    if reasons:
        terminalreporter.section("skipped, for want of a program", yellow=True)
        for reason in sorted(set(reasons)):
            terminalreporter.line(f"{reasons.count(reason)} tests: {reason}")


def main() -> None:
    """Install the missing programs that Debian has. Needs root."""
    packages = sorted({each.package for each in ALL if each.package and find(each) is None})
    if packages:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "-qq", *command], env=environment, check=True)


if __name__ == "__main__":
    main()
