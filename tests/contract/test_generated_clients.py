"""Clients generated from the OpenAPI document compile and work.

The programs in `clients/` use them as a client developer would. Each logs in as staff and lists
questions, then as a candidate takes an exam and submits it twice. Generated code is neither stored
nor shipped.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from competition.testing.exam_day import make_exam
from competition.testing.service import PASSWORD, Service
from tests.support.programs import MISSING, NPM, needs_program
from tests.support.served import served

BIN = Path(sys.executable).parent
PROGRAMS = Path(__file__).parent / "clients"
# The folder for downloaded packages, which the next run uses again.
MODULES = Path(__file__).parents[2] / "build/clients/typescript"
PACKAGES = ("openapi-fetch@0.17.0", "openapi-typescript@7.13.0", "typescript@5.9.3")
# The output of each program.
SAT = "moderator 1 Hillside School 2 exam_already_submitted"


@pytest.fixture
def document(live: Service, tmp_path: Path) -> Path:
    document = tmp_path / "document.json"
    document.write_text(json.dumps(live.http.get("/v1/docs/spec").json))
    return document


@pytest.fixture
def arguments(live: Service) -> Iterator[list[str]]:
    """The arguments of the programs: base URL, API key, email addresses and password."""
    make_exam(live, live.staff("admin"), "AB")
    people = (live.staff("moderator").email, live.candidate().email)
    with served(live.http.app) as url:
        yield [f"{url}/v1", live.key, *people, PASSWORD]


def run(*command: Any, where: Path) -> str:
    """Run a command with this environment's tools on its path; return its output."""
    path = os.pathsep.join((str(BIN), os.environ.get("PATH", "")))
    done = subprocess.run(
        [str(part) for part in command],
        cwd=where,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout.strip()


def modules() -> Path:
    """The modules of npm that the TypeScript client needs. Skips the test if npm can't install
    them."""
    MODULES.mkdir(parents=True, exist_ok=True)
    quietly = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline")
    command = ("npm", "install", "--prefix", ".", *quietly, *PACKAGES)
    try:
        subprocess.run(command, cwd=MODULES, check=True, capture_output=True, timeout=600)
    except (OSError, subprocess.SubprocessError):
        pytest.skip(f"typescript {MISSING}{' '.join(command)}")
    return MODULES / "node_modules"


@pytest.mark.long
def test_a_client_by_openapi_python_client_works(
    arguments: list[str], document: Path, tmp_path: Path
) -> None:
    generated = run(
        *(BIN / "openapi-python-client", "generate", "--path", document),
        *("--meta", "none", "--output-path", tmp_path / "league"),
        where=tmp_path,
    )
    # The generator warns about each operation or shape that it doesn't support and leaves out.
    assert "Warning" not in generated, generated
    program = tmp_path / "program.py"
    program.write_text((PROGRAMS / "openapi_python_client/program.py").read_text())
    # Errors inside the generated code are ignored.
    mypy = (sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent")
    run(*mypy, program.name, where=tmp_path)
    assert run(sys.executable, program, *arguments, where=tmp_path) == SAT


@pytest.mark.long
@needs_program(NPM)
def test_a_typescript_client_works(arguments: list[str], document: Path, tmp_path: Path) -> None:
    found = modules()
    (tmp_path / "node_modules").symlink_to(found)
    program = tmp_path / "program.mts"
    program.write_text((PROGRAMS / "typescript/program.mts").read_text())
    run(found / ".bin/openapi-typescript", document, "--output", "schema.d.ts", where=tmp_path)
    options = ("--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck")
    run(found / ".bin/tsc", *options, program, where=tmp_path)
    assert run("node", "program.mjs", *arguments, where=tmp_path) == SAT
