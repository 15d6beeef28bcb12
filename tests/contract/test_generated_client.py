"""A client developer's way in: a typed client, generated from the document, type-checks and works.

Nothing of it is kept or shipped.
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

from competition.testing.service import PASSWORD, Service

BIN = Path(sys.executable).parent
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


def test_a_generated_client_type_checks_logs_in_and_reads_a_list(
    live: Service, address: str, tmp_path: Path
) -> None:
    document = tmp_path / "document.json"
    document.write_text(json.dumps(live.http.get("/v1/docs/spec").json))
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
