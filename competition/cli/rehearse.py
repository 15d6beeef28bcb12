"""The command `competition rehearse`, without its code.

The code is imported only when the command is called. It imports plugins, which the command line
must not do, and libraries that only the extra `rehearsal` installs.
"""

from importlib import import_module

import click


class Rehearse(click.Command):
    """The command of `competition.rehearsal.command`."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        try:
            module = import_module("competition.rehearsal.command")
        except ModuleNotFoundError as error:
            if error.name != "httpx":
                raise
            raise click.ClickException(
                "`competition rehearse` needs another package:"
                " run pip install 'competition[rehearsal]'."
            ) from None
        command: click.Command = module.rehearse
        return command.make_context(info_name, args, parent, **extra)


rehearse = Rehearse("rehearse", short_help="Play an exam day on the running service.")
