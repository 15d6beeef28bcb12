"""The Competition Service: the backend of a mathematics league.

In comments, ``decisions G17`` is row G17 of docs/decisions/contract.md; ``spec "…"`` is the
customer's specification of the API, which is not part of this repository.
"""

import warnings
from typing import Any

# Pyramid 2.1 and Cornice 6.1 import it; setup.py pins the setuptools that still has it.
warnings.filterwarnings("ignore", "pkg_resources is deprecated", UserWarning)


def main(global_config: dict[str, Any], **settings: Any) -> Any:
    """The WSGI application, for ``paste.app_factory``."""
    from competition.core.plugins import build
    from competition.core.startup import announce

    config = build(settings)
    announce(config.registry.runtime.settings, "wsgi")
    return config.make_wsgi_app()
