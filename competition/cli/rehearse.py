"""`competition rehearse`."""

import os
import sys

import click


@click.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    short_help="Play an exam day against the service that runs.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def rehearse(arguments: tuple[str, ...]) -> None:
    # A program of its own: it knows plugins, as the command line does not.
    os.execv(sys.executable, [sys.executable, "-m", "competition.rehearsal", *arguments])
