"""The mechanism: what every feature is built on. Features are plugins.

Core is put together as a plugin is: a part may have SETTINGS (its sections) and an includeme, which
adds its directives and scans for what it declares.
"""

from pyramid.config import Configurator

PARTS = (
    "runtime",
    "db",
    "keyring",
    "errors",
    "metrics",
    "flags",
    "console",
    "auth.tokens",
    "auth.sessions",
    "jobs.tasks",
    "jobs.housekeeping",
    "mail.transport",
    "mail.sending",
    "storage.backends",
    "push.feeds",
    "push.sockets",
    "users.attachments",
    "users.headcounts",
    "web.rates",
    "web.slots",
    "web.limits",
    "web.examples",
    "web.request",
    "web.service",
    "web.openapi",
    "web.cors",
    "web.downloads",
    "web.policy",
)


def includeme(config: Configurator) -> None:
    for part in PARTS:
        module = config.maybe_dotted(f"competition.core.{part}")
        if hasattr(module, "includeme"):
            config.include(module)
