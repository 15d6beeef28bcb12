"""Paths of the parts of the checkout that tests read or run."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
DEVELOPMENT_INI = REPOSITORY / "development.ini"
PRODUCTION_INI = REPOSITORY / "production.ini"
# Environment variables for mypy when it checks a plugin's package. MYPYPATH lets it find the
# checkout. MYPY_CACHE_DIR is shared, so that the checkout is analysed once for all packages and
# runs.
TYPED = {"MYPYPATH": str(REPOSITORY), "MYPY_CACHE_DIR": str(REPOSITORY / ".mypy_cache/plugins")}


def names_of_tests() -> set[str]:
    """The names of all tests, including those that `competition.testing` provides for plugins."""
    files = [
        *(REPOSITORY / "tests").rglob("*.py"),
        *(REPOSITORY / "competition/testing").glob("*.py"),
    ]
    return {name for file in files for name in re.findall(r"def (test_\w+)", file.read_text())}
