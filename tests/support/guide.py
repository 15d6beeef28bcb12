"""The guide for plugin authors: its code blocks and tables."""

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.repository import REPOSITORY

GUIDE = (REPOSITORY / "docs/plugins.md").read_text()
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
HEADER = re.compile(r"# (\S+/\S+?)(, in includeme)?\n")
DEFINITIONS = (ast.ClassDef, ast.FunctionDef)
INCLUDEME = "\n\ndef includeme("


@dataclass(frozen=True)
class Block:
    """A code block. `file` is the path in its first line, relative to the package's folder, and
    `code` is the rest."""

    language: str
    file: str
    is_in_includeme: bool
    code: str

    def write(self, folder: Path) -> None:
        """Write the code to the place in the file that the guide explains."""
        path = folder / self.file
        text = path.read_text() if path.exists() else ""
        if path.name.startswith("notes_0002"):
            # The command has written this file: compare it.
            assert self.code in text, text
        elif self.is_in_includeme:
            path.write_text(f"{text}{textwrap.indent(self.code, '    ')}")
        elif path.name == "__init__.py":
            above, includeme, below = text.partition(INCLUDEME)
            path.write_text(f"{above}\n\n{self.code}{includeme}{below}")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".py":
                text = without(text, self.code)
            path.write_text(f"{text}\n{self.code}" if text else self.code)


def without(text: str, code: str) -> str:
    """The text without the functions and classes that `code` redefines."""
    new = ast.parse(textwrap.dedent(code)).body
    replaced = {each.name for each in new if isinstance(each, DEFINITIONS)}
    lines: list[str | None] = [*text.splitlines(keepends=True)]
    for each in ast.parse(text).body:
        if isinstance(each, DEFINITIONS) and each.name in replaced:
            first = min([each.lineno, *(one.lineno for one in each.decorator_list)])
            lines[first - 1 : each.end_lineno] = [None] * (each.end_lineno - first + 1)
    return "".join(line for line in lines if line is not None)


def blocks() -> Iterator[Block]:
    for language, code in BLOCK.findall(GUIDE):
        header = HEADER.match(code)
        if header is None:
            yield Block(language, "", False, code)
        else:
            yield Block(language, header[1], header[2] is not None, code[header.end() :])


def rows(title: str) -> list[list[str]]:
    """The cells of each row of the table whose head begins with this title."""
    lines = iter(GUIDE.splitlines())
    next(line for line in lines if line.startswith(f"| {title} |"))
    next(lines)
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        cells = re.split(r"(?<!\\)\|", line)[1:-1]
        found.append([cell.strip() for cell in cells])
    return found


def words(cell: str) -> list[str]:
    """The words in backquotes in a cell."""
    return re.findall(r"`([^`]+)`", cell)
