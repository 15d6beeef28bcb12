"""`make audit` reports vulnerabilities, and says so if it could not check for them."""

import subprocess

import pytest

from tests.support.repository import REPOSITORY
from tools import ci


@pytest.mark.parametrize(
    ("script", "status", "message"),
    [
        # The exit codes and messages of pip-audit when it finds something, nothing, or has no
        # network.
        ("echo 'pillow 1.0 CVE-2014-0001'; exit 1", 2, "CVE-2014-0001"),
        ("echo 'No known vulnerabilities found' >&2", 0, "No known vulnerabilities found"),
        ("echo 'no network' >&2; exit 1", 0, "No audit: no network"),
        (None, 0, "No audit: pip-audit could not be installed."),
    ],
)
def test_a_vulnerability_fails_the_audit_and_a_missing_network_does_not(
    tmp_path, monkeypatch, script, status, message
):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    if script:
        program = tmp_path / "bin/pip-audit"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    done = subprocess.run(
        ["make", "audit", f"AUDIT={tmp_path}"], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert done.returncode == status, done.stderr
    assert message in done.stdout


def test_ci_runs_the_audit():
    assert ["make", "audit"] in ci.STEPS
