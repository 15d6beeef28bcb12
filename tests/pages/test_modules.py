"""The modules of the pages, without a page of the product: each file `*.test.js` in this folder.

A test gets one blank document, a service in place of the real one (`kit/service.js`) and, if it
wants to, a clock that it moves (`kit/clock.js`). The requests and replies of a test are compared
with the OpenAPI document.
"""

from pathlib import Path

import pytest

from tests.support.page_modules import Blank
from tests.support.programs import CHROMIUM, needs_program
from tests.support.repository import REPOSITORY

pytestmark = needs_program(CHROMIUM)

HERE = Path(__file__).parent
FILES = sorted(str(file.relative_to(HERE)) for file in HERE.rglob("*.test.js"))


@pytest.mark.parametrize("file", FILES)
def test_module(blank: Blank, file: str) -> None:
    path = f"/{HERE.relative_to(REPOSITORY)}/{file}"
    failures = [
        f"{name}: {fault}" for name in blank.cases(path) if (fault := blank.fault(path, name))
    ]
    assert failures == [], "\n\n".join(failures)
