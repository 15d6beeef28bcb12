"""The mechanism: what every feature is built on. Features are plugins."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    from competition.core.auth.policy import SecurityPolicy

    for part in ("errors", "request", "service", "openapi", "cors"):
        config.include(f"competition.core.{part}")
    for part in ("mail_sending", "housekeeping", "headcounts"):
        config.scan(f"competition.core.{part}")
    config.set_security_policy(SecurityPolicy())
