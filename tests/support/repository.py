"""Where the parts of the checkout are that tests read or run."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
DEVELOPMENT_INI = REPOSITORY / "development.ini"
PRODUCTION_INI = REPOSITORY / "production.ini"
# For whoever checks a package of a plugin: a checkout is found by the one, and read once for all of
# them, and all runs, by the other.
TYPED = {"MYPYPATH": str(REPOSITORY), "MYPY_CACHE_DIR": str(REPOSITORY / ".mypy_cache/plugins")}


def names_of_tests() -> set[str]:
    """Of all there are, those too that a package of a plugin is given to run."""
    files = [
        *(REPOSITORY / "tests").rglob("*.py"),
        *(REPOSITORY / "competition/testing").glob("*.py"),
    ]
    return {name for file in files for name in re.findall(r"def (test_\w+)", file.read_text())}
