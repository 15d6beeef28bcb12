"""People: profiles and lists of candidates and staff, accounts, roles, and the audit trail."""

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
