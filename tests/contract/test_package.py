"""What a wheel brings, for those who do not run the service from a checkout."""

import subprocess
import sys
from pathlib import Path

from tests.support.repository import REPOSITORY


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in (folder / "competition").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_templates_and_pages_are_packed_with_the_code(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_py", f"--build-lib={tmp_path}"],
        cwd=REPOSITORY,
        check=True,
    )
    assert files(tmp_path) == files(REPOSITORY)
