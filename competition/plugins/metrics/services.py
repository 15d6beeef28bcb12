from competition.core.auth.access import KeyScope
from competition.core.monitoring.metrics import MetricsSettings
from competition.core.monitoring.scraping import check_scraper
from competition.core.users import api_keys
from competition.core.work import Work


def check_may_scrape(work: Work, token: str | None, key: str | None) -> None:
    """The token of the settings, or in its place an API key that opens the metrics.

    Raises NotFound while there is no token, NotAuthenticated, AuthenticationFailed,
    PermissionDenied.
    """
    settings = work.settings[MetricsSettings]
    if settings.token and token is None and key is not None:
        api_keys.check(work, key, KeyScope.METRICS)
    else:
        check_scraper(settings, token)
