"""The commands that plugins add to the command line."""

from pathlib import Path

import click

from competition.cli.ini import Ini, default_ini
from competition.core.commands import INI
from competition.core.plugins import build


def commands_of_plugins(ctx: click.Context) -> dict[str, click.Command]:
    """The commands of the plugins that the ini file enables, by name.

    A name such as ``user reset-second-factor`` puts the command in a group of core. Without an ini
    file there are none. The first call builds the service, and stores its Runtime as the ``obj`` of
    the root context.
    """
    root = ctx.find_root()
    if root.obj is None:
        given: Path | None = root.meta.get(INI)
        ini = Ini(given) if given else default_ini()
        if ini is None:
            return {}
        root.obj = build(ini.raw(), has_endpoints=False).registry.runtime
        root.call_on_close(root.obj.close)
    return {str(command.name): command for command in root.obj.catalogue[click.Command].values()}


def explained() -> tuple[type[Exception], ...]:
    """The errors whose message is written for operators: commands print it without a traceback."""
    # Imported only after a failure, because most commands don't need these modules. Production must
    # not even import the embedded servers.
    from alembic.util import CommandError
    from pyramid.exceptions import ConfigurationError

    from competition.core.audit.chain import BrokenChain
    from competition.core.errors import ApiError
    from competition.core.histories.history import MigrationError
    from competition.core.settings import SettingsError
    from competition.embedded import AlreadyRunning, EmbeddedUnavailable, ServerFailed
    from competition.supervisor import GivenUp

    return (
        AlreadyRunning,
        ApiError,
        BrokenChain,
        CommandError,
        ConfigurationError,
        EmbeddedUnavailable,
        GivenUp,
        MigrationError,
        PermissionError,
        ServerFailed,
        SettingsError,
    )


class OpenGroup(click.Group):
    """A group of core's commands to which plugins add commands of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        try:
            added = self.added(ctx)
        except explained():
            # List only the commands of core. Running a plugin's command shows the error.
            added = {}
        return sorted([*super().list_commands(ctx), *added])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or self.added(ctx).get(cmd_name)

    def added(self, ctx: click.Context) -> dict[str, click.Command]:
        """The commands that plugins add to this group, by their names in the group."""
        prefix = f"{self.name} "
        found = {
            name.removeprefix(prefix): command
            for name, command in commands_of_plugins(ctx).items()
            if name.startswith(prefix)
        }
        # Set the Runtime here, because this context may have been created before the service was
        # built.
        ctx.obj = ctx.find_root().obj
        return found
