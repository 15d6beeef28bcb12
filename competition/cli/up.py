"""`competition up`: a whole service on this machine, for development."""

import os
import sys
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from typing import Any

import click

from competition.cli import database, development, example_exam
from competition.cli.ini import Ini, ini_argument
from competition.cli.ports import check_port
from competition.cli.processes import are_embedded, embedded_servers
from competition.core.mail.transport import MailSettings
from competition.core.push.sockets import SocketSettings
from competition.core.runtime import API_PREFIX, ServerSettings, ServiceSettings
from competition.core.settings import Settings
from competition.supervisor import Program, Restarts, StopRequest, Supervisor, describe

PROGRAMS = ("api", "worker", "ws")
# The first pages of the web sites, by the plugin that serves them.
PAGES = {"portal": "/", "console": "/console/"}
PORT = click.IntRange(1, 65535)
# The address at which clients on this machine reach a server that listens on all addresses.
LISTENS_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}


@click.command()
@click.option("--port", envvar="PORT", show_envvar=True, type=PORT, help="Port of the API.")
@click.option(
    "--ws-port",
    envvar="WS_PORT",
    show_envvar=True,
    type=PORT,
    help="Port of the WebSockets.",
)
@ini_argument
def up(port: int | None, ws_port: int | None, ini: Ini) -> None:
    """Run a whole service for development.

    The command upgrades the tables. Then it runs the embedded servers (if INI uses them), the api,
    a worker and the socket process until Ctrl-C. The first run creates an API key and a login for
    each role. The file dev.json in the folder `competition.var` contains these, and all addresses.
    If the candidate has no exam to sit, the command also creates an exam that is open for a day.
    """
    # The programs read these variables, too.
    if port is not None:
        os.environ["COMPETITION_SERVER_PORT"] = str(port)
    if ws_port is not None:
        os.environ["COMPETITION_WS_PORT"] = str(ws_port)
    settings = ini.settings()
    service = settings[ServiceSettings]
    if service.environment == "production":
        raise click.ClickException(
            "`competition up` is for development. In production run `competition db upgrade`,"
            " then `competition api`, `competition worker` and `competition ws`, each under a"
            " supervisor such as systemd."
        )
    servers = embedded_servers(service.var) if are_embedded(settings) else None
    if servers:
        servers.check_not_running()
    check_port(settings[ServerSettings], "PORT")
    check_port(settings[SocketSettings], "WS_PORT")
    with ExitStack() as stack:
        request = stack.enter_context(StopRequest())
        if servers:
            stack.enter_context(servers)
        _run(ini, settings, servers, request)


class RestartedServers:
    """Restarts embedded servers that end, in the same way as the supervisor restarts programs."""

    def __init__(self, servers: Any) -> None:
        self._servers = servers
        self._restarts: dict[str, Restarts] = {}
        self._down: set[str] = set()

    def keep_running(self) -> None:
        """Restart servers that have ended. Raises GivenUp if a server has ended too often."""
        # Imported here, because production must not import the embedded servers.
        from competition.embedded import ServerFailed

        for name, status in self._servers.ended().items():
            restarts = self._restarts.setdefault(name, Restarts(name, _say))
            if name not in self._down:
                self._down.add(name)
                restarts.ended(describe(status))
            elif restarts.is_due:
                restarts.started()
                self._down.remove(name)
                try:
                    self._servers.restart(name)
                except ServerFailed as error:
                    # The next call finds that the server has ended, and restarts it later.
                    _say(str(error))


def _run(ini: Ini, settings: Settings, servers: Any, request: StopRequest) -> None:
    if request.is_made:
        return
    database.upgrade(ini)
    content = _prepare(ini, settings)
    programs = [Program(name, _command(name, ini), _say) for name in PROGRAMS]
    restarted = RestartedServers(servers) if servers else None

    def is_answering() -> bool:
        return is_over() or (
            _answers(settings[ServerSettings]) and _answers(settings[SocketSettings])
        )

    def is_over() -> bool:
        if restarted:
            restarted.keep_running()
        return request.is_made

    with Supervisor(programs, request) as supervisor:
        supervisor.run(until=is_answering)
        if not request.is_made:
            _show(content, example_exam.ensure(content))
        supervisor.run(until=is_over)
        _say("Stopping. Press Ctrl-C again to kill what is still running.")


def _command(name: str, ini: Ini) -> list[str]:
    return [sys.executable, "-m", "competition.cli", name, str(ini.path)]


def _say(text: str) -> None:
    click.echo(text, err=True)


def _prepare(ini: Ini, settings: Settings) -> dict[str, Any]:
    """Create the credentials, write dev.json, and return its contents."""
    file = settings[ServiceSettings].var / "dev.json"
    with ini.work() as work:
        credentials = development.ensure(work, file)
        plugins = set(work.runtime.packages.values())
    mail_dir = settings[MailSettings].folder
    content = {
        "base_url": f"http://{_address(settings[ServerSettings])}{API_PREFIX}",
        "ws_url": f"ws://{_address(settings[SocketSettings])}{API_PREFIX}/ws/notifications/",
        **credentials,
        "mail_dir": str(mail_dir.resolve()) if mail_dir else None,
        "pages": {
            name: f"http://{_address(settings[ServerSettings])}{path}"
            for name, path in PAGES.items()
            if name in plugins
        },
    }
    development.write(file, content)
    return content


def _address(server: ServerSettings | SocketSettings) -> str:
    host = _host(server)
    return f"[{host}]:{server.port}" if ":" in host else f"{host}:{server.port}"


def _host(server: ServerSettings | SocketSettings) -> str:
    return LISTENS_EVERYWHERE.get(server.host, server.host)


def _answers(server: ServerSettings | SocketSettings) -> bool:
    """Whether the server answers HTTP requests."""
    connection = HTTPConnection(_host(server), server.port, timeout=5)
    try:
        connection.request("GET", f"{API_PREFIX}/health/")
        connection.getresponse()
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
    return True


def _show(content: dict[str, Any], exam: str | None) -> None:
    base_url, superadmin = content["base_url"], content["superadmin"]
    root = base_url.removesuffix(API_PREFIX)
    logins = "\n".join(
        f"  {role:<11} {email}" for role, email in content["logins"].items() if role != "superadmin"
    )
    pages = "".join(f"  {name:<11} {url}\n" for name, url in content["pages"].items())
    to_sit = f"The candidate can sit “{exam}” in the portal.\n" if exam else ""
    click.echo(
        f"""
The service is running.
{pages}  developers  {root}/developers/
  API         {base_url}/
  OpenAPI     {base_url}/docs/spec/
  WebSockets  {content["ws_url"]}
  API key     {content["api_key"]}
  superadmin  {superadmin["email"]}  {superadmin["password"]}
  emails      {content["mail_dir"]}
Logins of the other roles, with the same password:
{logins}
{to_sit}Press Ctrl-C to stop everything.
"""
    )
