"""The command of `make demo`."""

from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console

from tools.demo import cast, report, service
from tools.demo.client import connect
from tools.demo.errors import DemoError
from tools.demo.season import Season
from tools.demo.service import Address
from tools.demo.steps import Steps


@click.command()
@click.argument(
    "ini",
    type=click.Path(path_type=Path),
    envvar="COMPETITION_INI",
    default=Path("development.ini"),
)
@click.option(
    "--candidates",
    type=click.IntRange(min=cast.FEWEST_CANDIDATES),
    default=200,
    show_default=True,
    help="How many register.",
)
@click.option(
    "--var",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="COMPETITION_VAR",
    default=Path("var"),
    show_default=True,
    help="The service's folder, where `competition up` writes dev.json.",
)
@click.option("--base-url", help="Where the service is, if not where dev.json says.")
def demo(ini: Path, candidates: int, var: Path, base_url: str | None) -> None:
    """Play a whole season on a development service, over HTTP as a client would.

    Staff and candidates register, prove their email addresses and are approved; a screening and a
    league exam are held, scored, published, and every printed rank is compared with the answers
    that were sent. The screening has a lost device, a false alarm and a wrong key, which is made
    right before the better half of the candidates advances.

    It uses the service that runs, or else starts one with INI and stops it at the end. It can be
    played again on the same data.
    """
    console = Console()
    dev_file = var / "dev.json"
    try:
        with ExitStack() as stack:
            address = service.running(dev_file, base_url)
            is_own = address is None
            if address is None:
                console.print("No service runs here; the demo starts one and stops it at the end.")
                address = stack.enter_context(service.own_service(ini, dev_file))
            _play(console, address, candidates)
    except DemoError as error:
        raise click.ClickException(str(error)) from None
    _show_where_next(console, address, dev_file, is_own)


def _play(console: Console, address: Address, candidates: int) -> None:
    console.print(f"A season of {candidates} candidates on {address.base_url}")
    with connect(address.base_url, address.api_key) as client:
        with Steps(console) as steps:
            played = Season(address, client, steps).play(candidates)
        console.print()
        report.show_correction(console, played.correction)
        for board in played.boards:
            console.print()
            report.show_board(console, board)
        console.print()
        report.show_advancement(console, played.advancement)
        console.print()
        report.show_dashboards(console, played.dashboards)


def _show_where_next(console: Console, address: Address, dev_file: Path, is_own: bool) -> None:
    console.print("\nEvery rank and score above is what the answers are worth.\n")
    if is_own:
        console.print("The service is stopped; `competition up` starts it again on this data.")
    page = address.base_url.removesuffix("v1")
    console.print(f"Page           {page}", highlight=False)
    for role, email in address.logins.items():
        console.print(f"  {role:<12} {email}", highlight=False)
    console.print(f"API document   {address.base_url}/docs/spec", highlight=False)
    console.print(f"Key, password  {dev_file}", highlight=False)
    console.print(f"Mails          {address.mail_dir}", highlight=False)
