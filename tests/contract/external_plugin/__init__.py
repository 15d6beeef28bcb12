"""A plugin as another package would bring it: one of everything that a plugin may add."""

from dataclasses import dataclass
from typing import ClassVar

import click
from pyramid.config import Configurator

from competition.core import flags
from competition.core.runtime import Runtime
from competition.core.settings import setting
from tests.contract.external_plugin import events, services

REQUIRES = ("accounts",)


@dataclass(frozen=True, kw_only=True)
class ExternalSettings:
    prefix: ClassVar[str] = "competition.external"
    greeting: str = setting("Hello")


SETTINGS = ExternalSettings


@click.command("greet")
@click.argument("name")
@click.pass_obj
def greet(runtime: Runtime, name: str) -> None:
    """Greet somebody."""
    with runtime.work() as work:
        loudly = flags.enabled(work, "external_loudly")
    greeting = runtime.settings[ExternalSettings].greeting
    click.echo(f"{greeting}, {name.upper() if loudly else name}!")


def includeme(config: Configurator) -> None:
    runtime = config.registry.runtime
    config.add_flag("external_loudly", default=False, description="Greetings are loud.")
    runtime.subscribers[events.Greeted].append(services.write_to)
    runtime.commands.append(greet)
    config.scan()
