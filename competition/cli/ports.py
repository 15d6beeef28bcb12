"""The check that a server's port is free."""

import errno
import socket

import click

from competition.core.push.sockets import SocketSettings
from competition.core.runtime import ServerSettings


def check_port(server: ServerSettings | SocketSettings, variable: str) -> None:
    """Check that the server's port is free. Without this check, two Granian servers could share it.

    `variable` is the environment variable that sets this port for `make run`; the error names it.
    Raises ClickException if the port is in use.
    """
    family = socket.AF_INET6 if ":" in server.host else socket.AF_INET
    with socket.socket(family) as probe:
        # Ignore connections that ended a moment ago.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((server.host, server.port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise click.ClickException(
                f"Port {server.port} of {server.host} is in use. Choose another one:"
                f" `{variable}={server.port + 10} make run`, or {server.prefix}.port in the ini"
                " file."
            ) from None
