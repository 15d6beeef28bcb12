"""The messages in the code of a package."""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def messages_in(folder: Path) -> Mapping[str, str]:
    """The text of each ``Message("…")`` in the modules of a folder, with the place of one of
    them."""
    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(call, ast.Call) and _named(call.func) == "Message":
                place = f"{file.relative_to(folder)}:{call.lineno}"
                text = call.args[0]
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    found.setdefault(text.value, place)
                else:
                    assert file.name == "messages.py", f"{place}: the text is not a literal"
    return found


def _named(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""
