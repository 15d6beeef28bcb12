"""The wheel and the pinned packages that production installs."""

import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from competition.core.histories.history import scripts
from tests.support.repository import REPOSITORY

MIGRATIONS = Path("competition/migrations")


def files(folder: Path, inside: Path) -> set[Path]:
    """The files in `folder`, with the paths that they have if a package contains the folder as
    `inside`.
    """
    return {
        inside / path.relative_to(folder)
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.long
def test_templates_pages_and_migrations_are_packed_with_the_code(tmp_path: Path) -> None:
    left = tmp_path / MIGRATIONS / "versions/0000_of_an_earlier_build.py"
    left.parent.mkdir(parents=True)
    left.touch()
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_py", f"--build-lib={tmp_path}"],
        cwd=REPOSITORY,
        check=True,
    )
    code = files(REPOSITORY / "competition", Path("competition"))
    # Only developers of the pages need their types.
    types = {path for path in code if path.match("*.d.ts")}
    assert types
    packed = files(tmp_path, Path())
    assert packed == (code - types) | files(REPOSITORY / "alembic", MIGRATIONS)


def test_the_alembic_folder_does_not_hide_the_alembic_library() -> None:
    assert not (REPOSITORY / "alembic/__init__.py").exists()
    assert scripts() == REPOSITORY / "alembic"


def pins(lock: str) -> dict[str, set[str]]:
    """The hashes of each pinned package."""
    blocks = re.findall(
        r"^(\S.*) \\$((?:\n    .+)+)", (REPOSITORY / lock).read_text(), re.MULTILINE
    )
    return {pin: set(re.findall(r"--hash=(\S+)", block)) for pin, block in blocks}


def test_production_installs_the_tested_packages_and_no_tools() -> None:
    production, checkout = pins("requirements.lock"), pins("requirements-dev.lock")
    assert production and production.items() <= checkout.items()
    declared = map(Requirement, requires("competition") or [])
    of_extras = {each.name for each in declared if "extra ==" in str(each.marker)}
    assert of_extras
    assert of_extras & {Requirement(pin).name for pin in production} == set()
