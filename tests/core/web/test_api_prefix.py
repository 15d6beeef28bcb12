"""The version of the API is set in one place."""

import ast
from pathlib import Path

import competition
from competition.core.runtime import API_PREFIX

PACKAGE = Path(competition.__file__).parent


def test_the_prefix_is_written_once():
    written = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and str(node.value).startswith(API_PREFIX)
    ]
    assert written == ["core/runtime.py"]
