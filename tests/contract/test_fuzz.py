"""Fuzz every operation with valid and invalid input generated from the OpenAPI document.

No reply is a 5xx, and every reply is documented. In CI the seed is fixed, so that no change fails
by chance. Elsewhere it is random, and the report of the run begins with it. Set FUZZ_SEED to repeat
a run.
"""

import gc
import json
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.schemas import BaseSchema

from competition.testing.exam_day import make_exam
from competition.testing.service import Service
from tests.support.every_operation import OWNERS, Operation, operations_of

# How many requests per operation each of the three callers sends, in each mode.
CASES = int(os.environ.get("FUZZ_CASES", "3"))
SEED = int(os.environ["FUZZ_SEED"])
FUZZ = f"FUZZ_SEED={SEED}"
ELSEWHERE = ("not_found", "method_not_allowed")
# Any text is a valid name of an image, so there is no invalid request.
NEVER_INVALID = {("GET", "/images/{name}/")}


@cache
def schema_of(app: Any) -> BaseSchema:
    """Load the schema from the service's OpenAPI document."""
    schema = schemathesis.openapi.from_wsgi("/v1/docs/spec/", app)
    # The schema is large. Exclude it from the garbage collections below.
    gc.freeze()
    return schema


@pytest.fixture(autouse=True)
def leave_no_files() -> Iterator[None]:
    """Collect garbage after each test, because the HTTP client leaves the files of large bodies
    open.
    """
    yield
    gc.collect()


# The warnings are about files that `leave_no_files` closes afterwards.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.long
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("owner", OWNERS)
def test_every_reply_is_documented(app, subtests, owner, mode):
    schema, connection = schema_of(app.http.app), app.runtime.database.changing
    make_exam(app, app.staff("admin"))
    for operation in operations_of(owner):
        if not is_fuzzed(operation, mode):
            continue
        savepoint = connection.begin_nested()
        with subtests.test(str(operation)):
            fuzz(app, operation, schema[operation.path][operation.method], mode)
        savepoint.rollback()


def is_fuzzed(operation: Operation, mode: GenerationMode) -> bool:
    if operation.path.startswith("/docs/"):
        return False
    takes_input = operation.description["parameters"] or operation.content_types
    can_be_invalid = takes_input and (operation.method, operation.path) not in NEVER_INVALID
    return mode is GenerationMode.POSITIVE or bool(can_be_invalid)


def fuzz(app: Service, operation: Operation, generated: Any, mode: GenerationMode) -> None:
    document, method, path = app.document, operation.method, operation.path

    @seed(SEED)
    @settings(
        max_examples=CASES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=generated.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        for headers in askers:
            reply = case.call(headers=headers)
            status, body = reply.status_code, reply.content
            # Without its parameters, such as the charset.
            [kind] = reply.headers.get("content-type", [None])
            kind = kind and kind.partition(";")[0]
            assert status < 500, (case.as_curl_command(), FUZZ)
            if status in (404, 405) and json.loads(body)["code"] in ELSEWHERE:
                # A generated path may match no operation, or a different operation.
                continue
            document.check_answer(method, path, status, kind, body)

    tokens = (None, app.candidate().client.token, app.staff("superadmin").client.token)
    askers = [
        {"X-Api-Key": app.key, **({"Authorization": f"Bearer {token}"} if token else {})}
        for token in tokens
    ]
    ask()
