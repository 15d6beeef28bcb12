"""A third-party plugin that registers one object of each kind that plugins may add."""

from dataclasses import dataclass
from typing import ClassVar

import click
from pyramid.config import Configurator

from competition.core import flags
from competition.core.commands import command
from competition.core.limits.counters import Rates, parse_rates
from competition.core.runtime import Runtime
from competition.core.settings import setting
from competition.core.work import begin

REQUIRES = ("accounts",)


@dataclass(frozen=True, kw_only=True)
class ExternalSettings:
    prefix: ClassVar[str] = "competition.external"
    greeting: str = setting("Hello")
    rate: Rates = setting(parse_rates("2/minute"), parse=parse_rates)


SETTINGS = ExternalSettings


@command
@click.command("greet")
@click.argument("name")
@click.pass_obj
def greet(runtime: Runtime, name: str) -> None:
    """Print a greeting."""
    with begin(runtime) as work:
        loudly = flags.enabled(work, "external.loudly")
    greeting = runtime.settings[ExternalSettings].greeting
    click.echo(f"{greeting}, {name.upper() if loudly else name}!")


def includeme(config: Configurator) -> None:
    config.add_flag("external.loudly", default=False, description="Greetings are loud.")
    config.add_ceiling("external", lambda settings: settings[ExternalSettings].rate, by="api_key")
    config.add_staff_permission("external.shout", "Greet all users at once.")
    config.add_static_files("external/static", "static")
    config.scan()
