"""Build the OpenAPI document with all plugins, in its closed form by default."""

from functools import cache
from typing import Any

from competition.core.plugins import build, installed
from competition.plugins.docs.document.served import describe


@cache
def whole_document(*, only_ours: bool = False, closed: bool = True) -> dict[str, Any]:
    """The OpenAPI document of all installed plugins, or only of the built-in ones.

    Building it needs no database, Redis or other server.
    """
    names = [name for name, each in installed().items() if each.is_ours or not only_ours]
    nowhere = "/nowhere"
    config = build(
        {
            "competition.environment": "development",
            "competition.plugins": " ".join(names),
            "competition.support_email": "support@league.example",
            "competition.database.url": f"postgresql+psycopg:///?host={nowhere}",
            "competition.redis.url": f"unix://{nowhere}",
            "competition.signing.keys": "development-" + "k" * 32,
            "competition.receipts.keys": "development-receipts-key-known-to-everybody",
            "competition.mail.sender": "league@league.example",
            "competition.mail.folder": nowhere,
            "competition.storage.folder": nowhere,
        }
    )
    config.make_wsgi_app()
    config.registry.runtime.close()
    return describe(config.registry, closed=closed)
