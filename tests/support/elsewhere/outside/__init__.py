"""A third-party plugin: a task that runs until a test lets it finish, a command and a table."""

from pathlib import Path

import click
from pyramid.config import Configurator

from competition.core.commands import command, takes_ini
from competition.core.jobs import jobs
from competition.core.runtime import Runtime
from competition.core.work import begin

MIGRATIONS = Path(__file__).parent / "migrations"


def includeme(config: Configurator) -> None:
    config.scan("outside")


@command
@click.command()
@click.argument("folder")
@takes_ini
@click.pass_obj
def hold(runtime: Runtime, folder: str) -> None:
    """Enqueue a job that waits for a file in FOLDER."""
    with begin(runtime) as work:
        jobs.enqueue(work, "outside.hold", folder=folder)
