"""Where the parts of the checkout are that tests read or run."""

from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
DEVELOPMENT_INI = REPOSITORY / "development.ini"
PRODUCTION_INI = REPOSITORY / "production.ini"
# For whoever checks a package of a plugin: a checkout is found by the one, and read once for all of
# them, and all runs, by the other.
TYPED = {"MYPYPATH": str(REPOSITORY), "MYPY_CACHE_DIR": str(REPOSITORY / ".mypy_cache/plugins")}
