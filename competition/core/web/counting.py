"""Choose the rate limits that apply to a request, and count it (spec "Limits", decisions H).

`competition.core.web.policy` counts each request before it reads the caller from the database, so a
request over its limit costs no SQL statement. A `Window` is one rate of one limit, with the user,
address or key whose requests it counts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from pyramid.config import Configurator
from pyramid.response import Response

from competition.core.catalogue import OwnName, catalogue_of
from competition.core.errors import ApiError, ThrottleExceeded
from competition.core.limits.addresses import customer
from competition.core.limits.counters import (
    GeneralRates,
    KeyRates,
    RateLimiter,
    RateLimitSettings,
    Rates,
    Verdict,
    Window,
    hit,
    parse_rates,
    windows_of,
)
from competition.core.settings import Settings
from competition.core.users import api_keys, sessions
from competition.core.users.logins import address_of
from competition.core.web.request import Request
from competition.core.web.responses import add_headers

# An endpoint's `limit` is the name of a Ceiling, or one of these three. GENERAL counts by user, or
# by address and email. REFRESH counts by the session of the refresh token. If the token is older
# than the previous one, has expired or belongs to an ended session, REFRESH counts by the token and
# by the address. A request with any other text instead of a refresh token is counted like GENERAL.
# UNLIMITED counts nothing.
GENERAL = "general"
REFRESH = "refresh"
UNLIMITED = "none"
# The security log's name for the limit of all requests from one address.
ADDRESS = "address"
# How often a session may be refreshed. The user's other requests don't count here: reloading a page
# refreshes the session, and a candidate who gets no new token can neither save nor submit.
REFRESHES = parse_rates("60/minute")
DAY = timedelta(days=1)
READING = ("GET", "HEAD")

CountedBy = Literal["user", "api_key", "address"]


@dataclass(frozen=True)
class Ceiling(OwnName):
    """A rate limit that some endpoints have instead of the general rate limit. `rates` returns its
    rates from the settings. `by` says whether requests are counted by user, by API key or by
    network address. An address in a configured network, such as a school's, has the rate of the
    network."""

    name: str
    rates: Callable[[Settings], Rates]
    by: CountedBy


def add_ceiling(
    config: Configurator,
    name: str,
    rates: Callable[[Settings], Rates],
    *,
    by: CountedBy = "user",
) -> None:
    """Configuration directive ``config.add_ceiling``: declare a rate limit. Endpoints name it as
    their `limit`."""
    catalogue_of(config).add(Ceiling, name, Ceiling(name, rates, by))


def count_request(
    request: Request,
    limit: str,
    user_id: UUID | None,
    key_rates: str | None = None,
    *,
    names_account: bool = False,
) -> None:
    """Count a request, and put the X-RateLimit headers on its response.

    `user_id` is the user whom the token names, if the endpoint is for users. `key_rates` is the
    name of the rate limits (`KeyRates`) of the request's API key, or None for the general ones.
    `names_account` says whether the endpoint's body has a field `email`; if not, a field of this
    name is ignored. Raises ThrottleExceeded if the request is over its limit.
    """
    if limit == UNLIMITED or not request.work.settings[RateLimitSettings].enabled:
        return
    session_id = ended = None
    if limit == REFRESH:
        token = str(_body(request).get("refresh"))
        session_id = sessions.of_refresh(request.work, token)
        ended = sessions.ended_token(request.work, token)
    if session_id is not None:
        found = [hit(request.work, limit, windows_of(f"refresh:{session_id}", REFRESHES))]
    elif limit not in (GENERAL, REFRESH):
        found = [hit(request.work, limit, _windows_of_ceiling(request, limit, user_id), user_id)]
    elif user_id is not None:
        rates, mark = _rates(request, key_rates)
        windows = windows_of(f"user:{user_id}{mark}", rates.authenticated)
        found = [hit(request.work, limit, windows, user_id)]
    else:
        found = _hit_anonymous(request, limit, key_rates, names_account, ended)
    verdicts = [verdict for verdict in found if verdict is not None]
    if verdicts:
        tightest = min(verdicts, key=lambda verdict: (verdict.remaining, -verdict.reset))
        headers = tightest.headers(request.work.now)

        def add_limit(request: Request, response: Response) -> None:
            # Headers that the response has already stay: if the view has applied a tighter limit,
            # they are in its error.
            add_headers(response, headers)

        request.add_response_callback(add_limit)


def count_address(request: Request) -> None:
    """Count a request against the limit of its address, and no other limit. Raises ThrottleExceeded
    if the request is over that limit."""
    settings = request.work.settings[RateLimitSettings]
    if settings.enabled:
        hit(request.work, ADDRESS, _windows_of_address(request, settings.general.address))


def count_bad_credentials(request: Request, limit: str) -> None:
    """Count a request with an invalid key or token against the limit of its address. Raises
    ThrottleExceeded if the request is over that limit, and the endpoint's `limit` is GENERAL or
    REFRESH."""
    try:
        count_address(request)
    except ThrottleExceeded:
        if limit in (GENERAL, REFRESH):
            raise


def errors(limit: str) -> tuple[type[ApiError], ...]:
    """The errors that an endpoint with this limit can return."""
    return () if limit == UNLIMITED else (ThrottleExceeded,)


def _rates(request: Request, key_rates: str | None) -> tuple[GeneralRates, str]:
    """The rates for a request whose API key has the rate limits (`KeyRates`) named `key_rates`, and
    the suffix of the names under which its requests are counted. If there are no such rate limits,
    these are the general rates and an empty suffix."""
    settings = request.work.settings
    own = request.work.runtime.catalogue[KeyRates].get(key_rates or "")
    # A plugin that declared the KeyRates may be disabled.
    if own is None:
        return settings[RateLimitSettings].general, ""
    return own.rates(settings), f":{own.name}"


def _hit_anonymous(
    request: Request,
    limit: str,
    key_rates: str | None,
    names_account: bool,
    ended: UUID | None,
) -> list[Verdict | None]:
    """Count a request without a user, by its address and by the account that its body names.

    If the rates of the API key have a rate for lookups, a request that only reads, from outside the
    configured networks, is counted against that rate and no other. Otherwise the address comes
    first: the body of a request over the limit of its address is not parsed.

    `ended` is the id of a refresh token that can't be used any longer, or None. If it is set, the
    request is counted by the token instead of the account, because all pupils of a school may come
    back from one address after their tokens have expired. Raises ThrottleExceeded if the request is
    over one of the limits.
    """
    work, whose = request.work, customer(request.work.address)
    rates, mark = _rates(request, key_rates)
    in_network = work.settings[RateLimitSettings].of_network(work.address) is not None
    if rates.lookups and request.method in READING and not in_network:
        return [hit(work, limit, windows_of(f"lookups:{whose}{mark}", rates.lookups))]
    altogether = _windows_of_address(request, rates.address)
    of_address = hit(work, ADDRESS, altogether)
    email = _named_email(request) if names_account else None
    anonymous = rates.anonymous
    if in_network:
        # All pupils of a configured network, such as a school's, share one address. There, requests
        # that name an account are counted by account too, but not by day: a classmate could use up
        # the day's requests. Requests that name no account are only counted against the network's
        # rate.
        anonymous = tuple(rate for rate in anonymous if rate.period < DAY) if email else ()
    of_account = windows_of(f"anonymous:{whose}:{email or ''}{mark}", anonymous)
    if ended is not None:
        of_account = windows_of(f"refresh:{ended}", REFRESHES)
    try:
        return [of_address, hit(work, limit, of_account)]
    except ThrottleExceeded:
        # A rejected request counts nowhere (decisions H8).
        work.runtime[RateLimiter].give_back(altogether)
        raise


def _windows_of_address(request: Request, usual: Rates) -> list[Window]:
    """The windows that count all requests from the client's address, at the rate of its network or,
    if the network is not configured, at the `usual` rates."""
    address = request.work.address
    rates = request.work.settings[RateLimitSettings].of_address(address, usual)
    return windows_of(f"address:{customer(address)}", rates)


def _windows_of_ceiling(request: Request, name: str, user_id: UUID | None) -> list[Window]:
    """The windows of a Ceiling, which counts by user, address or API key. If it counts by user, a
    request without a user is counted by its API key."""
    ceiling: Ceiling = request.work.runtime.catalogue[Ceiling][name]
    rates = ceiling.rates(request.work.settings)
    if ceiling.by == "address":
        address = request.work.address
        whose = customer(address)
        rates = request.work.settings[RateLimitSettings].of_address(address, rates)
    elif ceiling.by == "user" and user_id is not None:
        whose = str(user_id)
    else:
        whose = api_keys.fingerprint(request.headers["X-Api-Key"])
    return windows_of(f"ceiling:{name}:{whose}", rates)


def _named_email(request: Request) -> str | None:
    email = _body(request).get("email")
    return address_of(email.strip()[:254]) if isinstance(email, str) else None


def _body(request: Request) -> dict[str, Any]:
    """The JSON body, or an empty dict if it is not valid. The endpoint rejects such a body
    later."""
    try:
        body: dict[str, Any] = request.json_object
    except ApiError:
        return {}
    return body


def includeme(config: Configurator) -> None:
    config.add_directive("add_ceiling", add_ceiling)
