"""Fuzz every operation with valid and invalid input generated from the OpenAPI document.

No reply is a 5xx, and every reply is documented. The report of the run begins with the seed; set
FUZZ_SEED to repeat the run.
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

from competition.testing.document import Document, operations
from competition.testing.exam_day import make_exam
from tests.support.document import whole_document

# How many requests per operation each of the three callers sends, in each mode.
CASES = int(os.environ.get("FUZZ_CASES", "15"))
SEED = int(os.environ["FUZZ_SEED"])
FUZZ = f"FUZZ_SEED={SEED}"
ELSEWHERE = ("not_found", "method_not_allowed")
OPERATIONS = [
    (method, path)
    for method, path, _ in operations(whole_document())
    if not path.startswith("/docs/")
]


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
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_reply_is_documented(app, method, path, mode):
    document = Document(app.document.document)
    operation = schema_of(app.http.app)[path][method]
    definition = operation.definition.raw
    if mode is GenerationMode.NEGATIVE and not (
        (definition["parameters"] or "requestBody" in definition)
        and (method.upper(), path) not in NEVER_INVALID
    ):
        pytest.skip("nothing can be sent here")
    make_exam(app, app.staff("admin"))

    @seed(SEED)
    @settings(
        max_examples=CASES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        for headers in askers:
            reply = case.call(headers=headers)
            status, body = reply.status_code, reply.content
            kind = reply.headers["content-type"][0] if "content-type" in reply.headers else None
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
