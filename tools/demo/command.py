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
    help="How many candidates register.",
)
@click.option(
    "--var",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="COMPETITION_VAR",
    default=Path("var"),
    show_default=True,
    help="The folder in which `competition up` has written dev.json.",
)
@click.option("--base-url", help="The URL of the service, if it is not the one in dev.json.")
def demo(ini: Path, candidates: int, var: Path, base_url: str | None) -> None:
    """Play a whole season on a development service, over HTTP as a client would.

    Staff and candidates register, verify their email addresses, and are approved. Two exams, the
    screening and the league, are taken, scored and published. Every printed rank is compared with
    the submitted answers. In the screening, a device is lost, there is a false alarm, and an answer
    key is wrong. It is corrected before the better half of the candidates advances.

    Then the next season is opened: candidates join again, and take a copy of an exam. This is left
    out if the service has unfinished business, for example from playing the demo before.

    The demo uses the running service. If none is running, it starts one with INI and stops it at
    the end. You can play it again on the same data.
    """
    console = Console()
    dev_file = var / "dev.json"
    try:
        with ExitStack() as stack:
            address = service.running(dev_file, base_url)
            is_own = address is None
            if address is None:
                console.print("No service is running. The demo starts one and stops it later.")
                address = stack.enter_context(service.own_service(ini, dev_file))
            _play(console, address, candidates)
    except DemoError as error:
        raise click.ClickException(str(error)) from None
    _show_where_next(console, address, dev_file, is_own)


def _play(console: Console, address: Address, candidates: int) -> None:
    console.print(f"Playing a season with {candidates} candidates on {address.base_url}")
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
    console.print("\nAll ranks and scores above match the submitted answers.\n")
    if is_own:
        console.print("The service has been stopped. `make run` starts it again with this data.")
    page = address.base_url.removesuffix("v1")
    console.print(f"Portal             {page}", highlight=False)
    console.print("  Sign in as the candidate, whose next exam is open.")
    console.print(f"Console            {page}console/", highlight=False)
    for role, email in address.logins.items():
        console.print(f"  {role:<16} {email}", highlight=False)
    console.print(f"OpenAPI            {address.base_url}/docs/spec", highlight=False)
    console.print(f"API key, password  {dev_file}", highlight=False)
    console.print(f"Emails             {address.mail_dir}", highlight=False)
