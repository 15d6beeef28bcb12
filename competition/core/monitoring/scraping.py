"""Access to the metrics with the token from the settings."""

import hmac

from competition.core.errors import AuthenticationFailed, NotAuthenticated, NotFound
from competition.core.monitoring.metrics import MetricsSettings


def check_scraper(settings: MetricsSettings, sent: str | None) -> None:
    """Check the token that a scraper has sent.

    Raises NotFound if no token is configured, NotAuthenticated if none was sent, and
    AuthenticationFailed if it is wrong.
    """
    if not settings.token:
        raise NotFound
    if sent is None:
        raise NotAuthenticated
    if not hmac.compare_digest(sent.encode(errors="backslashreplace"), settings.token.encode()):
        raise AuthenticationFailed
