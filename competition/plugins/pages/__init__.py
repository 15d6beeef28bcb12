"""The base of the web pages for candidates (plugin portal) and staff (plugin console). It serves
the files of the pages, and the configuration of this service that the pages need."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any, ClassVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pyramid.config import Configurator

from competition.core.days import LeagueTime
from competition.core.limits.counters import (
    GeneralRates,
    RateLimitSettings,
    Rates,
    parse_rates,
)
from competition.core.settings import Settings, setting


def parse_time_zone(text: str) -> str:
    """The name of an IANA time zone. Raises ValueError if this machine has no time zone of this
    name."""
    try:
        # UTC is known without the system's data.
        return text if text == "UTC" else ZoneInfo(text).key
    except (OSError, LookupError, ValueError):
        raise ValueError(
            f"{text!r} is not a time zone such as Africa/Lagos. If the name is right, install the"
            " system's package tzdata"
        ) from None


@dataclass(frozen=True, kw_only=True)
class PagesSettings:
    """Settings of the web pages.

    `time_zone` is the league's time zone, by its IANA name. The dashboard of staff counts days in
    this time zone. `sockets` is the URL under which clients reach the sockets. The default is the
    public URL, and in development the address of the socket process. `languages` are the languages
    of the pages. Visitors whose browser prefers none of them get the first one.

    The rates are the limits of requests with the pages' API key: `rates` for each user, and
    `anonymous_rates` for each pair of a network address and the account that the request names.
    """

    prefix: ClassVar[str] = "competition.pages"
    time_zone: str = setting("UTC", parse=parse_time_zone)
    sockets: str = setting("")
    languages: tuple[str, ...] = setting(("en", "fr"))
    rates: Rates = setting(parse_rates("300/minute 6000/hour"), parse=parse_rates)
    anonymous_rates: Rates = setting(parse_rates("20/minute 200/day"), parse=parse_rates)

    @staticmethod
    def problems(values: Mapping[str, Any]) -> Iterator[str]:
        url = urlsplit(values.get("sockets", ""))
        if values.get("sockets") and (url.scheme not in ("ws", "wss") or not url.hostname):
            yield "sockets: this is not a URL such as wss://league.example/v1/ws/notifications/"
        if values.get("languages") == ():
            yield "languages: there must be at least one"


SETTINGS = PagesSettings

# The limit of requests with the pages' API key for each network address, if they only read and name
# no account, such as the text of the consent. All pupils of a school may share one address.
LOOKUPS = parse_rates("600/minute")


def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _rates(settings: Settings) -> GeneralRates:
    pages = settings[PagesSettings]
    return GeneralRates(
        authenticated=pages.rates,
        anonymous=pages.anonymous_rates,
        address=settings[RateLimitSettings].general.address,
        lookups=LOOKUPS,
    )


def includeme(config: Configurator) -> None:
    # The name must be the same as `keys.NAME`, because the pages' API keys name these rates.
    config.add_key_rates("pages", _rates)
    runtime = config.registry.runtime
    runtime.provide(LeagueTime, LeagueTime(_zone(runtime.settings[PagesSettings].time_zone)))
    config.include("competition.plugins.pages.front_ends")
    if config.registry.has_endpoints:
        config.include("competition.plugins.pages.serving")
    # Nothing else is declared by decorators. The modules that read the files of the pages take 2
    # MiB, and processes that answer no requests don't need them.
    config.scan("competition.plugins.pages.commands")
