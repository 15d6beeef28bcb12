"""`competition bench`."""

import os
import sys

import click


@click.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    short_help="Measure what requests cost on this machine.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def bench(arguments: tuple[str, ...]) -> None:
    # A program of its own: it knows plugins, as the command line does not.
    os.execv(sys.executable, [sys.executable, "-m", "competition.bench", *arguments])
