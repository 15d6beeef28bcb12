"""`competition certificates`."""

import click
from competition.core.commands import command, print_table, takes_ini
from competition.core.runtime import Runtime
from competition.core.work import begin

from competition_certificates import services

MOST = 100


@command
@click.group()
def certificates() -> None:
    """Show certificates."""


@certificates.command("list")
@takes_ini
@click.pass_obj
def list_certificates(runtime: Runtime) -> None:
    """List the newest 100 certificates, the latest last."""
    with begin(runtime) as work:
        found = services.newest(work, MOST)
    print_table(
        ("code", "name", "exam", "rank", "awarded", "revoked"),
        [
            (
                each.code,
                each.full_name,
                each.exam_title,
                each.rank,
                each.awarded_at,
                each.revoked_at,
            )
            for each in found
        ],
    )
