"""Which limits a request falls under, and whose they are (spec "Limits", decisions H).

`competition.core.ratelimit` counts.
"""

import ipaddress
import math
import re
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

from pyramid.response import Response

from competition.core.auth import api_keys, sessions
from competition.core.auth.identity import Identity
from competition.core.errors import ApiError, RateLimitExceeded, ThrottleExceeded
from competition.core.ratelimit import Rate, Verdict, Window, parse_rate, parse_rates
from competition.core.request import Request
from competition.core.settings import setting
from competition.core.work import Work

# Which windows an endpoint falls under: `general` by user or by address and email, `refresh` by
# the user of the refresh token, `submission` its own ceiling a user, `webhook` its own an API key,
# `none` none.
Limit = Literal["general", "refresh", "submission", "webhook", "none"]

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# Bits that a customer's IPv6 addresses have in common: whoever has one has 2**64 of them.
CUSTOMER = 64
Rates = tuple[Rate, ...]


def _networks(text: str) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(word) for word in text.split())


def _network_rates(text: str) -> tuple[tuple[Network, Rate], ...]:
    pairs = (word.partition("=") for word in text.split())
    return tuple((ipaddress.ip_network(network), parse_rate(rate)) for network, _, rate in pairs)


@dataclass(frozen=True)
class Limits:
    """Rates by subject. `one_time_passwords` is a limit a recipient and purpose (decisions D12)."""

    authenticated: Rates
    anonymous: Rates
    address: Rates
    submission: Rates
    webhook: Rates
    one_time_passwords: Rates


STANDARD = Limits(
    authenticated=parse_rates("10/minute 60/hour 1000/day"),
    anonymous=parse_rates("5/minute 60/day"),
    address=parse_rates("300/minute"),
    submission=parse_rates("60/minute"),
    webhook=parse_rates("60/minute"),
    one_time_passwords=parse_rates("3/10minute"),
)
PRESETS = {
    "standard": STANDARD,
    # A laptop plays a season in a minute, all from one address.
    "development": replace(
        STANDARD,
        authenticated=parse_rates("6000/minute"),
        anonymous=parse_rates("6000/minute"),
        address=parse_rates("60000/minute"),
    ),
}


@dataclass(frozen=True, kw_only=True)
class RateLimitSettings:
    """`preset` gives every rate that is not set by itself. `networks` are those, such as schools,
    whose addresses have another ceiling: ``203.0.113.0/24=1000/minute``. `trusted_proxies` are
    networks whose X-Forwarded-For is believed."""

    prefix: ClassVar[str] = "competition.ratelimit"
    enabled: bool = setting(True)
    preset: str = setting("standard", choices=tuple(PRESETS))
    authenticated: Rates = setting((), parse=parse_rates)
    anonymous: Rates = setting((), parse=parse_rates)
    address: Rates = setting((), parse=parse_rates)
    submission: Rates = setting((), parse=parse_rates)
    webhook: Rates = setting((), parse=parse_rates)
    one_time_passwords: Rates = setting((), parse=parse_rates)
    networks: tuple[tuple[Network, Rate], ...] = setting((), parse=_network_rates)
    trusted_proxies: tuple[Network, ...] = setting((), parse=_networks)

    def of_network(self, address: str | None) -> Rate | None:
        """The ceiling of an address in a network that is named here."""
        own = [each for each in self.networks if _is_in(address or "", each[:1])]
        if not own:
            return None
        # The narrowest: a school's in a town's.
        _, rate = max(own, key=lambda each: each[0].prefixlen)
        return rate

    @cached_property
    def limits(self) -> Limits:
        preset = PRESETS[self.preset]
        return Limits(
            **{
                each.name: getattr(self, each.name) or getattr(preset, each.name)
                for each in fields(Limits)
            }
        )


def client_address(request: Request, trusted: tuple[Network, ...]) -> str:
    """The last address of the chain that is not one of our proxies (decisions H7)."""
    chain = [_address(request.environ.get("REMOTE_ADDR") or "")]
    forwarded = request.headers.get("X-Forwarded-For", "")
    chain += [_address(hop.strip()) for hop in reversed(forwarded.split(",")) if hop.strip()]
    for hop in chain:
        if not _is_in(hop, trusted):
            return hop
    return chain[-1]


def _address(hop: str) -> str:
    """Written one way, so that a client is one client: without the port that some proxies add, and
    an IPv4 address as such. What is no address stays as it is."""
    host = re.sub(r"^\[(.+)\](:\d+)?$|^([\d.]+):\d+$", r"\1\3", hop)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return hop
    return str(getattr(address, "ipv4_mapped", None) or address)


def _is_in(hop: str, networks: tuple[Network, ...]) -> bool:
    try:
        address = ipaddress.ip_address(hop)
    except ValueError:
        return False
    return any(address in network for network in networks)


def check(request: Request, limit: Limit, identity: Identity | None) -> None:
    """Count the request; raises ThrottleExceeded. The headers go on whatever is answered."""
    settings = request.work.settings[RateLimitSettings]
    if not settings.enabled or limit == "none":
        return
    windows = _windows(request, limit, identity, settings)
    verdict = request.work.runtime.limiter.hit(windows)
    if verdict is None:
        return
    headers = _headers(request.work, verdict)

    def add_headers(request: Request, response: Response) -> None:
        # A refusal by a tighter limit has said it already.
        for name, value in headers.items():
            response.headers.setdefault(name, value)

    request.add_response_callback(add_headers)
    if not verdict.allowed:
        raise ThrottleExceeded(headers=_retry_after(verdict))


def check_one_time_password(work: Work, purpose: str, email: str) -> None:
    """Raises RateLimitExceeded; counts known and unknown addresses alike (decisions D13)."""
    settings = work.settings[RateLimitSettings]
    if not settings.enabled:
        return
    rates = settings.limits.one_time_passwords
    verdict = work.runtime.limiter.hit([Window(f"otp:{purpose}:{email}", rate) for rate in rates])
    if verdict is not None and not verdict.allowed:
        raise RateLimitExceeded(headers={**_headers(work, verdict), **_retry_after(verdict)})


def errors(limit: Limit) -> tuple[type[ApiError], ...]:
    return () if limit == "none" else (ThrottleExceeded,)


def _windows(
    request: Request, limit: Limit, identity: Identity | None, settings: RateLimitSettings
) -> list[Window]:
    limits = settings.limits
    if limit == "submission" and identity is not None:
        return [Window(f"submission:{identity.user_id}", rate) for rate in limits.submission]
    if limit == "webhook":
        key = api_keys.fingerprint(request.headers["X-Api-Key"])
        return [Window(f"webhook:{key}", rate) for rate in limits.webhook]
    user = identity.user_id if identity else None
    if limit == "refresh":
        user = sessions.refreshing_user(request.work, str(_body(request).get("refresh")))
    if user is not None:
        return [Window(f"user:{user}", rate) for rate in limits.authenticated]
    address = request.work.address
    email = _named_email(request)
    in_network = settings.of_network(address)
    altogether = limits.address if in_network is None else (in_network,)
    client = _customer(address)
    windows = [Window(f"address:{client}", rate) for rate in altogether]
    # A school is one address: an account that is named has windows of its own there, and a class
    # that names none has only those of the school.
    if email or in_network is None:
        windows += [Window(f"anonymous:{client}:{email or ''}", rate) for rate in limits.anonymous]
    return windows


def _customer(address: str | None) -> str | None:
    """Who is counted: an IPv4 address, or the network of an IPv6 address. A client may come from
    another one of that with each request."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.IPv6Network((int(parsed), CUSTOMER), strict=False))


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
