"""Which limits a request falls under; refuses it with 429 when one is exceeded (spec "Limits",
decisions H).

`competition.core.web.rate_counters` counts.
"""

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any, Literal

from pyramid.config import Configurator
from pyramid.response import Response

from competition.core.auth import api_keys, security_log, sessions
from competition.core.auth.identity import Identity
from competition.core.catalogue import OwnName, catalogue_of, function_of
from competition.core.errors import ApiError, RateLimitExceeded, ThrottleExceeded
from competition.core.settings import Settings
from competition.core.web.rate_counters import (
    Rate,
    RateLimiter,
    RateLimitSettings,
    Rates,
    Verdict,
    Window,
)
from competition.core.web.request import Request, add_headers
from competition.core.work import Work

# What an endpoint's `limit` may be besides the name of a Ceiling: the general windows, by user or
# by address and email; those of the user whose refresh token it is; or none at all.
GENERAL = "general"
REFRESH = "refresh"
UNLIMITED = "none"
# In the WSGI environment: what was found, for another try of the request, which counts once.
VERDICT = "competition.verdict"
# Of a work's `held`, with windows: the verdict of what was counted in them together with others.
AHEAD = "counted ahead"
# Bits that a customer's IPv6 addresses have in common: whoever has one has 2**64 of them.
CUSTOMER_PREFIX = 64
DAY = timedelta(days=1)
# One has less than 200 bytes.
MOST_WITH_ROOM = 20_000


class WithRoom(OrderedDict[str | None, None]):
    """Addresses, the latest ones, whose last anonymous request to this process left room for
    another one. What such an address sends is looked at before it is counted: when others have used
    up its windows meanwhile, that is one request for each process."""

    def note(self, address: str | None, verdict: Verdict | None) -> None:
        if verdict is None or not verdict.allowed or not verdict.remaining:
            self.pop(address, None)
            return
        self[address] = None
        if len(self) > MOST_WITH_ROOM:
            self.popitem(last=False)


@dataclass(frozen=True)
class Ceiling(OwnName):
    """A limit that some endpoints have in the place of the general ones: `rates` takes its rates
    from the settings, `by` says whose requests are counted together."""

    name: str
    rates: Callable[[Settings], Rates]
    by: Literal["user", "api_key"]


@dataclass(frozen=True)
class Guess:
    """A try of a `secret`, such as a password, of an account, whether there is one or not: how many
    there may be of the account from all addresses, and from an address for all accounts. What
    others try leaves each address `own` tries."""

    secret: str
    account: str
    of_account: Rates
    own: Rate
    of_address: Rates = ()

    def windows(self, work: Work) -> tuple[Window, ...]:
        return (
            *_of_account(work, self.secret, self.account, self.of_account, self.own),
            *_of_acts_from_address(work, self.secret, self.of_address),
        )


# Of an endpoint: what it guesses, of the account that the body's email names.
Guesses = Callable[[Work, str], Guess]


def add_ceiling(
    config: Configurator,
    name: str,
    rates: Callable[[Settings], Rates] | str,
    *,
    by: Literal["user", "api_key"] = "user",
) -> None:
    """Configuration directive ``config.add_ceiling``: what an endpoint names as its `limit`. The
    function, or its dotted name."""
    catalogue_of(config).add(Ceiling, name, Ceiling(name, function_of(config, rates), by))


def check(
    request: Request, limit: str, identity: Identity | None, guesses: Guesses | None = None
) -> None:
    """Count the request against its limits. Raises ThrottleExceeded. The X-RateLimit headers go on
    every response.

    What it `guesses` is counted at once, too, where nothing refuses it, and given back if the
    request ends before anything was guessed."""
    settings = request.work.settings[RateLimitSettings]
    if not settings.enabled or limit == UNLIMITED:
        return
    with_room: WithRoom | None = None
    address = _customer(request.work.address)
    if limit == GENERAL and identity is None:
        with_room = request.work.runtime.part(WithRoom)
    if with_room is not None and address not in with_room:
        # Before the body is looked at, which says whose other windows these are.
        _check_address(request, settings, counts=False)
    verdict = request.environ.get(VERDICT)
    if verdict is None:
        windows = _windows(request, limit, identity, settings)
        verdict = _hit(request, windows, guesses)
        request.environ[VERDICT] = verdict
    if with_room is not None:
        with_room.note(address, verdict)
    if verdict is None:
        return
    headers = _headers(request.work, verdict)

    def tell(request: Request, response: Response) -> None:
        # A refusal by a tighter limit has said it already.
        add_headers(response, headers)

    request.add_response_callback(tell)
    if not verdict.allowed:
        security_log.tell(request.work, "limit_refused", limit=limit)
        raise ThrottleExceeded(headers=_retry_after(verdict))


def _hit(request: Request, windows: list[Window], guesses: Guesses | None) -> Verdict | None:
    work = request.work
    limiter: RateLimiter = work.runtime.limiter
    email = _named_email(request) if guesses else None
    guess = guesses(work, email).windows(work) if guesses and email else ()
    if not guess:
        return limiter.hit(windows)
    return limiter.hit(windows)


def check_address(request: Request) -> None:
    """Count a request against the ceiling of its address alone. Raises ThrottleExceeded."""
    settings = request.work.settings[RateLimitSettings]
    if settings.enabled:
        _check_address(request, settings)


def count_bad_credentials(request: Request, limit: str) -> None:
    """A key or a token that is no good counts for its address: to look it up costs a statement.

    Raises ThrottleExceeded, but not where the general windows refuse nobody.
    """
    try:
        check_address(request)
    except ThrottleExceeded:
        if limit in (GENERAL, REFRESH):
            raise


def _check_address(request: Request, settings: RateLimitSettings, *, counts: bool = True) -> None:
    """Raises ThrottleExceeded."""
    windows = _of_address(request.work.address, settings)
    verdict = request.work.runtime.limiter.hit(windows, counts=counts)
    if verdict is not None and not verdict.allowed:
        security_log.tell(request.work, "limit_refused", limit="address")
        raise ThrottleExceeded(headers={**_headers(request.work, verdict), **_retry_after(verdict)})


def check_action(work: Work, subject: str, rates: Rates) -> None:
    """Count one act, such as the sending of a mail to an address, which `subject` names; it begins
    with the plugin's name.

    Raises RateLimitExceeded.
    """
    # What it names is no secret here, but may be somebody.
    _check(work, "action", tuple(Window(f"action:{subject}", rate) for rate in rates))


def check_account_action(work: Work, action: str, account: str, rates: Rates, own: Rate) -> None:
    """Count one act, such as the sending of a mail, for the account that it is about. What others
    do leaves each address `own` acts.

    Raises RateLimitExceeded.
    """
    _check(work, action, tuple(_of_account(work, action, account, rates, own)))


def check_address_action(work: Work, action: str, rates: Rates) -> None:
    """Count one act for the address that it comes from. Raises RateLimitExceeded."""
    _check(work, action, tuple(_of_acts_from_address(work, action, rates)))


@contextmanager
def guessing(work: Work, guess: Guess, wrong: type[ApiError]) -> Iterator[None]:
    """Count a guess if it ends in the error `wrong`.

    It counts from the beginning, and is given back if it was right: many at once are no more than
    one after the other. Raises RateLimitExceeded.
    """
    windows = guess.windows(work)
    _check(work, guess.secret, windows)
    try:
        yield
    except wrong:
        raise
    except BaseException:
        _give_back(work, windows)
        raise
    else:
        _give_back(work, windows)


def _check(work: Work, action: str, windows: tuple[Window, ...]) -> None:
    if not work.settings[RateLimitSettings].enabled or not windows:
        return
    verdict = work.runtime.limiter.hit(windows)
    if verdict is not None and not verdict.allowed:
        security_log.tell(work, "limit_refused", limit=action)
        raise RateLimitExceeded(headers={**_headers(work, verdict), **_retry_after(verdict)})


def _give_back(work: Work, windows: Sequence[Window]) -> None:
    if work.settings[RateLimitSettings].enabled:
        work.runtime.limiter.give_back(windows)


def _of_account(work: Work, action: str, account: str, rates: Rates, own: Rate) -> list[Window]:
    kept = Window(f"action:{action}:own:{_customer(work.address)}:{account}", own)
    return [Window(f"action:{action}:account:{account}", rate, kept) for rate in rates]


def _of_acts_from_address(work: Work, action: str, rates: Rates) -> list[Window]:
    if work.settings[RateLimitSettings].of_network(work.address) is not None:
        # It has been given a number of requests altogether.
        return []
    return [Window(f"action:{action}:address:{_customer(work.address)}", rate) for rate in rates]


def errors(limit: str) -> tuple[type[ApiError], ...]:
    return () if limit == UNLIMITED else (ThrottleExceeded,)


def _windows(
    request: Request, limit: str, identity: Identity | None, settings: RateLimitSettings
) -> list[Window]:
    if limit not in (GENERAL, REFRESH):
        return _of_ceiling(request, request.work.runtime.catalogue[Ceiling][limit], identity)
    general = settings.general
    user = identity.user_id if identity else None
    if limit == REFRESH:
        user = sessions.refreshing_user(request.work, str(_body(request).get("refresh")))
    if user is not None:
        return [Window(f"user:{user}", rate) for rate in general.authenticated]
    address = request.work.address
    email = _named_email(request)
    client = _customer(address)
    windows = _of_address(address, settings)
    # A school is one address. An account that is named has windows of its own there, but none of a
    # day: a classmate could use it up. A class that names none has only those of the school.
    in_network = settings.of_network(address) is not None
    if email or not in_network:
        windows += [
            Window(f"anonymous:{client}:{email or ''}", rate)
            for rate in general.anonymous
            if not in_network or rate.period < DAY
        ]
    return windows


def _of_address(address: str | None, settings: RateLimitSettings) -> list[Window]:
    in_network = settings.of_network(address)
    altogether = settings.general.address if in_network is None else (in_network,)
    return [Window(f"address:{_customer(address)}", rate) for rate in altogether]


def _of_ceiling(request: Request, ceiling: Ceiling, identity: Identity | None) -> list[Window]:
    """The counters of an endpoint's own limit: the user's, if users are counted and one is logged
    in; otherwise the API key's."""
    if ceiling.by == "user" and identity is not None:
        whose = str(identity.user_id)
    else:
        whose = api_keys.fingerprint(request.headers["X-Api-Key"])
    rates = ceiling.rates(request.work.settings)
    return [Window(f"ceiling:{ceiling.name}:{whose}", rate) for rate in rates]


# A client comes again and again, and each request asks for each of its windows.
@lru_cache(maxsize=10_000)
def _customer(address: str | None) -> str | None:
    """The name under which an address is counted: an IPv4 address itself, of an IPv6 address its
    network, since a client may use another address of that with each request."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.IPv6Network((int(parsed), CUSTOMER_PREFIX), strict=False))


def _named_email(request: Request) -> str | None:
    email = _body(request).get("email")
    return email.strip().lower()[:254] if isinstance(email, str) else None


def _body(request: Request) -> dict[str, Any]:
    try:
        body: dict[str, Any] = request.json_object
    except ApiError:
        return {}
    return body


def _headers(work: Work, verdict: Verdict) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(verdict.limit),
        "X-RateLimit-Remaining": str(verdict.remaining),
        "X-RateLimit-Reset": str(math.ceil(work.now.timestamp() + verdict.reset)),
    }


def _retry_after(verdict: Verdict) -> dict[str, str]:
    return {"Retry-After": str(max(1, math.ceil(verdict.reset)))}


def includeme(config: Configurator) -> None:
    config.add_directive("add_ceiling", add_ceiling)
