"""That the contracts on imports (`make check`) leave nothing out."""

import tomllib

from tests.support.repository import REPOSITORY

CORE = REPOSITORY / "competition" / "core"


def test_every_module_of_core_has_its_layer():
    """One that has none could be part of a circle."""
    linter = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["importlinter"]
    [contract] = [each for each in linter["contracts"] if each["name"].startswith("Core, from")]
    named = [module for layer in contract["layers"] for module in layer.split(" | ")]
    found = {
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)
        for path in CORE.rglob("*.py")
        if path.name != "__init__.py"
    }
    assert sorted(named) == sorted(found)
