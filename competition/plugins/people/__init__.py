"""Candidates and staff, as the service's users see each other, and the management of accounts."""

from pyramid.config import Configurator

REQUIRES = ("accounts",)


def includeme(config: Configurator) -> None:
    config.add_examples(
        role="league",
        action="candidate.role",
        subject="exam 7",
        old="screening",
        new="league",
        address="203.0.113.7",
        request_id="5f2c9a",
    )
    config.scan()
