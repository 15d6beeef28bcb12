"""The commands that run processes: `competition api`, `worker`, `ws` and `services`.

Each command imports its server when it runs, because the other commands don't need that server.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from competition.cli.ini import VARIABLE, Ini, ini_argument
from competition.core.database import DatabaseSettings
from competition.core.push.sockets import SocketSettings
from competition.core.runtime import EMBEDDED, RedisSettings, ServiceSettings
from competition.core.settings import Settings
from competition.core.startup import announce
from competition.parent import ending_with_parent
from competition.supervisor import PAUSE, GivenUp, StopRequest


@click.command()
@ini_argument
def api(ini: Ini) -> None:
    """Run the API server, until SIGTERM or Ctrl-C.

    The server first answers the requests that it has received.
    """
    from competition.cli.api import serve

    serve(ini)


@click.command()
@ini_argument
def worker(ini: Ini) -> None:
    """Run background jobs, until SIGTERM.

    The worker first finishes its running jobs.
    """
    from competition.worker import run

    ini.set_up_logging()
    with ini.runtime() as runtime:
        announce(runtime.settings, "worker")
        run(runtime)


@click.command()
@ini_argument
def ws(ini: Ini) -> None:
    """Run the WebSocket server, until SIGTERM.

    The server first asks its clients to reconnect.
    """
    from competition.cli.ports import check_port
    from competition.ws.process import run

    ini.set_up_logging()
    with ini.runtime() as runtime:
        announce(runtime.settings, "ws")
        check_port(runtime.settings[SocketSettings], "WS_PORT")
        run(runtime)


class AroundCommand(click.Command):
    """A command that takes another command after ``--``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        cut = args.index("--") if "--" in args else len(args)
        ctx.params["command"] = args[cut + 1 :]
        return super().parse_args(ctx, args[:cut])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND...]"]


@click.command(cls=AroundCommand)
@click.option("--temporary", is_flag=True, help="Use new, empty servers; delete them at the end.")
@ini_argument
def services(ini: Ini, temporary: bool, command: Sequence[str]) -> None:
    """Run only the embedded PostgreSQL and Valkey, until Ctrl-C.

    With a COMMAND, the servers run only until COMMAND ends, and its exit status is returned.
    COMMAND gets the variables COMPETITION_INI and COMPETITION_VAR, so that each `competition` that
    it runs uses these servers.
    """
    settings = ini.settings()
    if not are_embedded(settings):
        raise click.ClickException(
            "There are no servers to run. Set competition.database.url or competition.redis.url to"
            f" `{EMBEDDED}`."
        )
    with ExitStack() as stack:
        request = stack.enter_context(StopRequest())
        var = settings[ServiceSettings].var
        if temporary:
            var = Path(stack.enter_context(TemporaryDirectory()))
        servers = embedded_servers(var, durable=not temporary)
        stack.callback(servers.erase if temporary else servers.stop)
        servers.start()
        if command:
            sys.exit(_status(command, _environment(ini, var), request))
        click.echo(f"PostgreSQL  {servers.addresses.database_url}")
        click.echo(f"Valkey      {servers.addresses.redis_url}")
        click.echo("Ctrl-C stops both.")
        while not request.is_made:
            for name in servers.ended():
                raise GivenUp(f"{name} ended unexpectedly, so this command ends too.")
            time.sleep(PAUSE)


def are_embedded(settings: Settings) -> bool:
    return EMBEDDED in (settings[DatabaseSettings].url, settings[RedisSettings].url)


def embedded_servers(var: Path, *, durable: bool = True) -> Any:
    # Imported here, because production must not import the embedded servers.
    from competition.embedded import Servers

    return Servers(var, durable=durable)


def _environment(ini: Ini, var: Path) -> dict[str, str]:
    return {
        **os.environ,
        VARIABLE: str(ini.path.resolve()),
        "COMPETITION_VAR": str(var.resolve()),
    }


def _status(command: Sequence[str], environment: dict[str, str], request: StopRequest) -> int:
    """Run the command and return its exit status.

    This function forwards a SIGTERM to the command. A Ctrl-C need not be forwarded, because the
    terminal sends it to both processes.
    """
    try:
        process = subprocess.Popen(command, env=environment, preexec_fn=ending_with_parent())
    except OSError as error:
        raise click.ClickException(f"{command[0]} can't be run: {error.strerror}.") from None
    passed_on = False
    while (status := process.poll()) is None:
        if signal.SIGTERM in request.signals and not passed_on:
            process.terminate()
            passed_on = True
        time.sleep(PAUSE)
    # As in a shell: 128 plus the number of the signal.
    return 128 - status if status < 0 else status
