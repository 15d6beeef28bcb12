"""The problem bank of the demo season, read from problems.toml."""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Problem:
    """A multiple-choice problem. `slug` is its name, which does not change with the wording."""

    slug: str
    text: str
    options: tuple[str, str, str, str]  # A, B, C, D
    correct: str  # "A".."D"
    difficulty: str  # "easy" | "moderate" | "hard"


def _read(file: Path) -> tuple[Problem, ...]:
    """The problems of the file, in the same order."""
    problems = []
    for row in tomllib.loads(file.read_text(encoding="utf-8"))["problem"]:
        a, b, c, d = row.pop("options")
        text = " ".join(row.pop("text").split())
        problems.append(Problem(**row, text=text, options=(a, b, c, d)))
    return tuple(problems)


PROBLEMS = _read(Path(__file__).with_suffix(".toml"))
