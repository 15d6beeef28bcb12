"""The tutorials in docs/tutorials, as scripts that a test runs word by word.

A block of code is one of these, by its language and its first line:

- A block whose first line is a comment with a path is that whole file.
- A block `sh` is run. A comment in its first line that says "In a second terminal" runs it in the
  background; one that says "On your own computer" runs it with that computer's key ring.
- A block `text` is the expected output of the blocks before it. `…` stands for any text.
"""

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.support.repository import REPOSITORY

TUTORIALS = REPOSITORY / "docs/tutorials"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"(?:#|//) (\S+/\S+)\n")


@dataclass(frozen=True)
class Block:
    """A code block. `note` is the comment in its first line."""

    number: int
    language: str
    code: str

    @property
    def file(self) -> str:
        """The path of the file that the block is, or ""."""
        found = None if self.language in ("sh", "text") else FILE.match(self.code)
        return found[1] if found else ""

    @property
    def note(self) -> str:
        first = self.code.partition("\n")[0]
        return first[2:] if self.language == "sh" and first.startswith("# ") else ""


def blocks(name: str) -> list[Block]:
    found = BLOCK.findall((TUTORIALS / name).read_text())
    return [Block(number, *each) for number, each in enumerate(found)]


def script(found: list[Block], run: Callable[[Block], str]) -> str:
    """A script for bash that follows the blocks, and stops at the first command that fails. `run`
    returns the commands for a block of commands. The output of a block begins with its number."""
    return "\n".join(["set -euo pipefail", *_commands(found, run)])


def _commands(found: list[Block], run: Callable[[Block], str]) -> Iterator[str]:
    for block in found:
        if block.file:
            path = shlex.quote(block.file)
            yield f"mkdir -p $(dirname {path})"
            yield f"cat > {path} <<'END OF FILE'\n{block.code}END OF FILE"
        elif block.language == "sh":
            yield f"printf '\\n=== %s ===\\n' {block.number}\n{run(block)}"


def unexpected(found: list[Block], output: str) -> list[str]:
    """The expected outputs that are missing: those that the block of commands before did not
    print."""
    parts = re.split(r"^=== (\d+) ===$", output, flags=re.M)
    printed = {int(number): text for number, text in zip(parts[1::2], parts[2::2], strict=True)}
    missing, said = [], ""
    for block in found:
        if block.language == "sh":
            said = printed.get(block.number, "")
        elif block.language == "text":
            wanted = r"[^\n]*?".join(map(re.escape, block.code.strip().split("…")))
            wanted = re.sub(r"(?:\\ )+", r"\\s+", wanted)
            if not re.search(wanted, said):
                missing.append(f"{block.code}is not in\n{said}")
    return missing
