"""The command `competition api-key`: create, list and revoke API keys."""

from datetime import timedelta

import click

from competition.cli.ini import Ini, ini_argument
from competition.core.auth.access import KeyScope
from competition.core.commands import print_table
from competition.core.limits.counters import KeyRates
from competition.core.users import api_keys


@click.group("api-key")
def api_key() -> None:
    """Manage the API keys of client applications."""


@api_key.command()
@click.argument("name")
@click.option(
    "--days",
    type=click.IntRange(min=1),
    help="Days until the key expires; by default it never expires.",
)
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(list(KeyScope), case_sensitive=False),
    multiple=True,
    help="A scope of the key; may be given several times. `client` opens the API for clients,"
    " `webhook` the reports of backups, and `metrics` the metrics. Default: client.",
)
@click.option(
    "--rates",
    help="The rate limits of requests with the key: standard, development, or those of a plugin."
    " Default: those of the setting competition.ratelimit.",
)
@ini_argument
def create(
    name: str, days: int | None, scopes: tuple[KeyScope, ...], rates: str | None, ini: Ini
) -> None:
    """Create an API key and print it. It can't be shown again."""
    lifetime = timedelta(days=days) if days else None
    with ini.work() as work:
        known = work.runtime.catalogue[KeyRates]
        if rates is not None and rates not in known:
            raise click.BadParameter(
                f"There are no rates named {rates!r}, only {', '.join(sorted(known))}."
            )
        key = api_keys.create(work, name, lifetime, scopes, rates)
    click.echo(key)


@api_key.command("list")
@ini_argument
def list_keys(ini: Ini) -> None:
    """List the names and properties of the API keys, oldest first. The keys are not stored."""
    with ini.work() as work:
        found = api_keys.listing(work)
    print_table(
        ("name", "begins with", "scopes", "rates", "created", "expires", "revoked"),
        [
            (
                *(key.name, key.prefix, " ".join(sorted(api_keys.opened_by(key.scopes)))),
                *(key.rates, key.created_at, key.expires_at, key.revoked_at),
            )
            for key in found
        ],
    )


@api_key.command()
@click.argument("name")
@ini_argument
def revoke(name: str, ini: Ini) -> None:
    """Revoke an API key. All processes reject it within 15 seconds."""
    with ini.work() as work:
        api_keys.revoke(work, name)
    click.echo(f"The API key {name!r} is revoked.")
