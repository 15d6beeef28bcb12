"""`competition receipts`."""

from pathlib import Path
from typing import Any

import click
import msgspec

from competition.core.console import command, takes_ini
from competition.core.errors import Invalid
from competition.core.runtime import Runtime
from competition.plugins.receipts.services import receipts as rules
from competition.plugins.sittings.services import answers

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command
@click.group()
def receipts() -> None:
    """Check what candidates show as proof of a submission."""


@receipts.command()
@click.argument("file", type=FILE)
@click.option("--answers", "sheet", type=FILE, help="The body that was submitted.")
@takes_ini
@click.pass_obj
def verify(runtime: Runtime, file: Path, sheet: Path | None) -> None:
    """Check the receipt in FILE, by the keys in the settings; the database is not asked."""
    receipt = _read(file)
    if not receipt.keys() >= {"key_id", "signature", "salt", "digest"}:
        raise click.ClickException(f"{file} is no receipt.")
    given = None if sheet is None else _given(sheet)
    reason = rules.flaw(runtime.settings, receipt, given)
    if reason is not None:
        raise click.ClickException(f"Not valid: {reason}.")
    click.echo("Valid.")


def _given(file: Path) -> list[tuple[int, str]]:
    try:
        return answers.read(_read(file).get("answers"))
    except Invalid as refused:
        raise click.ClickException(f"{file}: {refused}") from None


def _read(file: Path) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(file.read_bytes())
    except msgspec.DecodeError:
        found = None
    if not isinstance(found, dict):
        raise click.ClickException(f"{file} has no JSON object.")
    return found
