from competition.core.auth.access import KeyScope
from competition.core.monitoring.metrics import MetricsSettings, check_scraper
from competition.core.users import api_keys
from competition.core.work import Work


def check_may_scrape(work: Work, token: str | None, key: str | None) -> None:
    """Check that the caller may read the metrics.

    The caller needs the token from the settings or, if no token was sent, an API key with the scope
    `metrics`.

    Raises NotFound if the settings have no token. Raises NotAuthenticated if nothing was sent,
    AuthenticationFailed for a wrong token or key, and PermissionDenied for a key without the scope.
    """
    settings = work.settings[MetricsSettings]
    if settings.token and token is None and key is not None:
        api_keys.check(work, key, KeyScope.METRICS)
    else:
        check_scraper(settings, token)
