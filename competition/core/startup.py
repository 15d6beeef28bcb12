"""What a process checks and logs about its settings when it starts."""

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
    """Stop a start in production with settings that are for development. Raises SettingsError."""
    if settings[ServiceSettings].environment != "production":
        return
    problems = [
        f"{section.prefix}.{name}: the development secret is not for production"
        for section, values in settings.sections.items()
        for name in section.__dataclass_fields__
        if _is_development_secret(getattr(values, name))
    ]
    problems += [
        f"competition.signing.keys: number {number} can be guessed: draw one at random, such as"
        " with `openssl rand -hex 32`"
        for number, key in enumerate(settings[SigningSettings].keys, 1)
        if not _is_development_secret(key) and is_guessable(key)
    ]
    problems += [
        f"{section.prefix}.url: the embedded servers are not for production"
        for section, url in (
            (DatabaseSettings, settings[DatabaseSettings].url),
            (RedisSettings, settings[RedisSettings].url),
        )
        if url == EMBEDDED
    ]
    if problems:
        raise SettingsError(problems)


def announce(settings: Settings, process: str) -> None:
    """Log what starts here, in one line, and what the operator should know of it."""
    service = settings[ServiceSettings]
    version, python = metadata.version("competition"), platform.python_version()
    log.info(
        "%s starts: competition %s for %s, on Python %s, with %s",
        *(process, version, service.environment, python, " ".join(service.plugins.split())),
        extra={"part": process, "version": version, "environment": service.environment},
    )
    warn_of_risks(settings)


def warn_of_risks(settings: Settings) -> None:
    """Log what the operator should know, one line for each risk."""
    for risk in risks(settings):
        log.warning("%s", risk)


def risks(settings: Settings) -> Iterator[str]:
    """What production allows although it is risky; and, in development too, a server that other
    machines reach without a proxy."""
    if settings[ServiceSettings].environment == "production":
        yield from settings.risks()
    server = settings[ServerSettings]
    if not is_on_this_machine(server.host) and not settings[RateLimitSettings].trusted_proxies:
        yield (
            f"{server.prefix}.host: other machines reach the server, but"
            f" {RateLimitSettings.prefix}.trusted_proxies names no proxy. Without a proxy that"
            " buffers requests, a few clients that send slowly can occupy all threads."
        )


def _is_development_secret(value: Any) -> bool:
    secrets = value if isinstance(value, tuple) else (value,)
    return any(isinstance(each, Secret) and DEVELOPMENT_MARK in each for each in secrets)
