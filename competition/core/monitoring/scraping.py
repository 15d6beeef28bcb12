"""Access to the metrics: for whoever sends the token of the settings."""

import hmac

from competition.core.errors import AuthenticationFailed, NotAuthenticated, NotFound
from competition.core.monitoring.metrics import MetricsSettings


def check_scraper(settings: MetricsSettings, sent: str | None) -> None:
    """Raises NotFound while there is no token, NotAuthenticated, AuthenticationFailed."""
    if not settings.token:
        raise NotFound
    if sent is None:
        raise NotAuthenticated
    if not hmac.compare_digest(sent.encode(errors="backslashreplace"), settings.token.encode()):
        raise AuthenticationFailed
