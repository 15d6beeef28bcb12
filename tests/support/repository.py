"""Where the parts of the checkout are that tests read or run."""

from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
DEVELOPMENT_INI = REPOSITORY / "development.ini"
PRODUCTION_INI = REPOSITORY / "production.ini"
