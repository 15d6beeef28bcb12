"""Checks and log messages about the settings when a process starts."""

import logging
import platform
from collections.abc import Iterator
from importlib import metadata
from typing import Any

from competition.core.auth.keyring import SigningSettings, is_guessable
from competition.core.database import DatabaseSettings
from competition.core.limits.counters import RateLimitSettings
from competition.core.runtime import EMBEDDED, RedisSettings, ServerSettings, ServiceSettings
from competition.core.settings import Secret, Settings, SettingsError, is_on_this_machine

log = logging.getLogger(__name__)

DEVELOPMENT_MARK = "development"


def refuse_what_is_not_for_production(settings: Settings) -> None:
    """Raise SettingsError if production has secrets or servers that are only for development, or a
    signing key that can be guessed."""
    if settings[ServiceSettings].environment != "production":
        return
    problems = [
        f"{section.prefix}.{name}: this secret is for development only; set a secret of your own"
        for section, values in settings.sections.items()
        for name in section.__dataclass_fields__
        if _is_development_secret(getattr(values, name))
    ]
    problems += [
        f"competition.signing.keys: key number {number} can be guessed; generate a random one, such"
        " as with `openssl rand -hex 32`"
        for number, key in enumerate(settings[SigningSettings].keys, 1)
        if not _is_development_secret(key) and is_guessable(key)
    ]
    problems += [
        f"{section.prefix}.url: the embedded servers are for development only"
        for section, url in (
            (DatabaseSettings, settings[DatabaseSettings].url),
            (RedisSettings, settings[RedisSettings].url),
        )
        if url == EMBEDDED
    ]
    if problems:
        raise SettingsError(problems)


def announce(settings: Settings, process: str) -> None:
    """Log one line about the process that is starting, and the risks of its settings."""
    service = settings[ServiceSettings]
    version, python = metadata.version("competition"), platform.python_version()
    log.info(
        "%s starts: competition %s for %s, on Python %s, with %s",
        *(process, version, service.environment, python, " ".join(service.plugins.split())),
        extra={"part": process, "version": version, "environment": service.environment},
    )
    warn_of_risks(settings)


def warn_of_risks(settings: Settings) -> None:
    for risk in risks(settings):
        log.warning("%s", risk)


def risks(settings: Settings) -> Iterator[str]:
    """Warnings about settings that are allowed but risky.

    The warnings of the settings' sections (`Settings.risks`) are given only in production. A server
    that other machines can reach without a proxy is a risk in development, too.
    """
    service, server = settings[ServiceSettings], settings[ServerSettings]
    has_proxy = bool(settings[RateLimitSettings].trusted_proxies)
    if service.environment == "production":
        yield from settings.risks()
        # The service itself has no TLS, so a proxy must be in front of it.
        if service.public_url.startswith("https://") and not has_proxy:
            yield (
                f"{RateLimitSettings.prefix}.trusted_proxies: it is empty, although"
                f" {service.prefix}.public_url leads to a proxy. All clients seem to have the"
                " proxy's address, and one client can use up the rate limits of all of them. Name"
                " the network of the proxy."
            )
    if not is_on_this_machine(server.host) and not has_proxy:
        yield (
            f"{server.prefix}.host: other machines can reach the server, but"
            f" {RateLimitSettings.prefix}.trusted_proxies names no proxy. Without a proxy that"
            " buffers requests, a few slow clients can occupy all threads."
        )


def _is_development_secret(value: Any) -> bool:
    secrets = value if isinstance(value, tuple) else (value,)
    return any(isinstance(each, Secret) and DEVELOPMENT_MARK in each for each in secrets)
