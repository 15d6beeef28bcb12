"""The Competition Service: the backend of a mathematics league."""

from typing import Any


def main(global_config: dict[str, Any], **settings: Any) -> Any:
    """The WSGI application, for ``paste.app_factory``."""
    from competition.core.plugins import build

    return build(settings).make_wsgi_app()
