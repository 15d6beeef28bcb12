"""Programs that pip does not bring: tests that need one are skipped where it is missing, and the
end of the run says how to get it."""

import shutil
from typing import Any

import pytest

MISSING = "is missing: "
# By the names that systems give it, and where it comes from.
CHROMIUM = ("chromium", "chromium-browser"), "apt-get install chromium"


def find(program: tuple[tuple[str, ...], str]) -> str | None:
    names, _ = program
    return next(filter(None, map(shutil.which, names)), None)


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
