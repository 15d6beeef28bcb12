"""The command `competition receipts`."""

from pathlib import Path
from typing import Any

import click
import msgspec

from competition.core.commands import command, takes_ini
from competition.core.errors import Invalid
from competition.core.runtime import Runtime
from competition.plugins.receipts.presenters import Reason
from competition.plugins.receipts.services import receipts as rules
from competition.plugins.sittings.services import answers

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
EXPLANATIONS: dict[Reason, str] = {
    "signature": "the signature does not match, so the receipt was changed or is not genuine",
    "unknown_key": "no key in the settings has the receipt's key_id",
    "answers": "the receipt was issued for other answers",
}


@command
@click.group()
def receipts() -> None:
    """Verify receipts of submissions."""


@receipts.command()
@click.argument("file", type=FILE)
@click.option("--answers", "sheet", type=FILE, help="The request body of the submission.")
@takes_ini
@click.pass_obj
def verify(runtime: Runtime, file: Path, sheet: Path | None) -> None:
    """Verify the receipt in FILE with the keys in the settings.

    This needs no database.
    """
    receipt = _read(file)
    if not receipt.keys() >= {"key_id", "signature", "salt", "digest"}:
        raise click.ClickException(
            f"{file} is not a receipt. Name the file that the candidate saved."
        )
    given = None if sheet is None else _given(sheet)
    reason = rules.flaw(runtime.settings, receipt, given)
    if reason is not None:
        raise click.ClickException(f"The receipt is not valid ({reason}): {EXPLANATIONS[reason]}.")
    click.echo("The receipt is valid.")


def _given(file: Path) -> list[tuple[int, str]]:
    try:
        return answers.read(_read(file).get("answers"))
    except Invalid as error:
        raise click.ClickException(f"{file}: {error}") from None


def _read(file: Path) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(file.read_bytes())
    except msgspec.DecodeError:
        found = None
    if not isinstance(found, dict):
        raise click.ClickException(f"{file} does not contain a JSON object.")
    return found
