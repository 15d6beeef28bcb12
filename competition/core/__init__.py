"""The mechanism: what every feature is built on. Features are plugins."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    from competition.core.auth.policy import SecurityPolicy

    for part in ("errors", "request", "service", "openapi"):
        config.include(f"competition.core.{part}")
    config.scan("competition.core.mail")
    config.scan("competition.core.housekeeping")
    config.set_security_policy(SecurityPolicy())
