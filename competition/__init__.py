"""The Competition Service: the backend of a mathematics league.

In comments, ``decisions G17`` means row G17 of docs/decisions/contract.md, and ``spec "…"`` means
the customer's specification of the API, which is not part of this repository.
"""

import warnings
from typing import Any

# Pyramid 2.1 and Cornice 6.1 import pkg_resources. setup.py requires a setuptools that has it.
warnings.filterwarnings("ignore", "pkg_resources is deprecated", UserWarning)


def main(global_config: dict[str, Any], **settings: Any) -> Any:
    """Build the WSGI application; the entry point for ``paste.app_factory``."""
    from competition.core.plugins import build
    from competition.core.startup import announce

    config = build(settings)
    announce(config.registry.runtime.settings, "wsgi")
    return config.make_wsgi_app()
