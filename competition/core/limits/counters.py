"""Count requests and acts in Redis, and decide whether a rate limit is exceeded.

`competition.core.web.counting` counts requests, and `acts` counts acts. One request or act is a
hit, and a window counts hits for one rate. A script in Redis checks all windows of a hit in one
round trip. If one of them rejects the hit, none of them counts it. A window starts with its first
hit. Counters may be lost, and while Redis is unavailable everything is allowed.
"""

import ipaddress
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar
from uuid import UUID

import redis
from pyramid.config import Configurator

from competition.core.audit import security_log
from competition.core.catalogue import OwnName, catalogue_of
from competition.core.errors import ApiError, ThrottleExceeded
from competition.core.limits.addresses import Network, is_in, parse_networks
from competition.core.monitoring.logs import patient
from competition.core.monitoring.metrics import Metrics
from competition.core.redis import Pause
from competition.core.runtime import Runtime
from competition.core.settings import Settings, setting
from competition.core.work import Work

log = patient(__name__)

PERIODS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}

# KEYS are the counters of the windows. ARGV has two numbers for each window: its limit, and its
# period in milliseconds. The script returns two numbers for each window: the hits left after this
# hit, or -1 if the window rejects it; and the time until the window ends, in milliseconds.
SCRIPT = """
local counts = {}
for i = 1, #KEYS do counts[i] = tonumber(redis.call('GET', KEYS[i]) or '0') end
local rejecting, is_rejected = {}, false
for i = 1, #KEYS do
  rejecting[i] = counts[i] >= tonumber(ARGV[2 * i - 1])
  is_rejected = is_rejected or rejecting[i]
end
local reply = {}
for i = 1, #KEYS do
  local limit, period = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  if not is_rejected then
    counts[i] = redis.call('INCR', KEYS[i])
    if counts[i] == 1 then redis.call('PEXPIRE', KEYS[i], period) end
  end
  local rest = redis.call('PTTL', KEYS[i])
  reply[2 * i - 1] = rejecting[i] and -1 or math.max(0, limit - counts[i])
  reply[2 * i] = rest < 0 and period or rest
end
return reply
"""

# Undo a hit: decrement the counters. A counter that has expired in the meantime is not created
# again.
GIVE_BACK = """
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end
"""


@dataclass(frozen=True)
class Rate:
    """How often something may be done: `limit` times per `period`."""

    limit: int
    period: timedelta

    @cached_property
    def seconds(self) -> int:
        return int(self.period.total_seconds())


Rates = tuple[Rate, ...]


def parse_rates(text: str) -> Rates:
    """The rates in a string such as ``10/minute 60/hour``. A number before the period multiplies
    it: ``3/10minute`` is 3 per 10 minutes. Raises ValueError if the string is invalid."""
    rates = tuple(parse_rate(word) for word in text.replace(",", " ").split())
    if len({rate.period for rate in rates}) < len(rates):
        raise ValueError(f"{text!r} contains the same period twice")
    return rates


def parse_rate(word: str) -> Rate:
    """The rate in a string such as ``10/minute``. Raises ValueError if the string is invalid."""
    limit, _, period = word.partition("/")
    name = period.lstrip("0123456789")
    factor = period.removesuffix(name) or "1"
    if not limit.isdigit() or int(limit) == 0 or name not in PERIODS or int(factor) == 0:
        raise ValueError(f"{word!r} is not a rate such as 10/minute or 3/10minute")
    return Rate(int(limit), int(factor) * PERIODS[name])


def _network_rates(text: str) -> tuple[tuple[Network, Rate], ...]:
    pairs = (word.partition("=") for word in text.split())
    return tuple((ipaddress.ip_network(network), parse_rate(rate)) for network, _, rate in pairs)


@dataclass(frozen=True)
class GeneralRates:
    """The rates for all requests. `authenticated` is for each user. Requests without a user have
    two rates: `anonymous` for each pair of an address and the account that the request names, and
    `address` for each address.

    If `lookups` is not empty, it replaces `anonymous` and `address` for GET and HEAD requests
    without a user, except in configured networks.
    """

    authenticated: Rates
    anonymous: Rates
    address: Rates
    lookups: Rates = ()


PRESETS = {
    "standard": GeneralRates(
        authenticated=parse_rates("10/minute 60/hour 1000/day"),
        anonymous=parse_rates("5/minute 60/day"),
        address=parse_rates("300/minute"),
    ),
    # These rates are high, because the demo plays a whole season in a minute, from one address.
    "development": GeneralRates(
        authenticated=parse_rates("6000/minute"),
        anonymous=parse_rates("6000/minute"),
        address=parse_rates("60000/minute"),
    ),
}


@dataclass(frozen=True, kw_only=True)
class RateLimitSettings:
    """Rate limits on requests.

    `preset` determines the rates that are not set individually. `networks` lists networks, such as
    schools, whose addresses have their own rate: ``203.0.113.0/24=1000/minute``. `trusted_proxies`
    are the networks whose X-Forwarded-For header is trusted.
    """

    prefix: ClassVar[str] = "competition.ratelimit"
    enabled: bool = setting(True)
    preset: str = setting("standard", choices=tuple(PRESETS))
    authenticated: Rates = setting((), parse=parse_rates)
    anonymous: Rates = setting((), parse=parse_rates)
    address: Rates = setting((), parse=parse_rates)
    networks: tuple[tuple[Network, Rate], ...] = setting((), parse=_network_rates)
    trusted_proxies: tuple[Network, ...] = setting((), parse=parse_networks)

    def risks(self) -> Iterator[str]:
        if not self.enabled:
            yield "enabled: rate limits are disabled, so attackers can guess passwords"
        elif self.preset == "development":
            yield "preset: the rate limits of development are too high for production"

    def of_network(self, address: str | None) -> Rate | None:
        """The rate of an address that is in one of `networks`; None for other addresses."""
        own = [each for each in self.networks if is_in(address or "", each[:1])]
        if not own:
            return None
        # The smallest network wins, such as a school's inside a town's.
        _, rate = max(own, key=lambda each: each[0].prefixlen)
        return rate

    def of_address(self, address: str | None, usual: Rates) -> Rates:
        """The rate of the network if the address is in one of `networks`, otherwise the `usual`
        rates."""
        of_network = self.of_network(address)
        return usual if of_network is None else (of_network,)

    @cached_property
    def general(self) -> GeneralRates:
        preset = PRESETS[self.preset]
        return GeneralRates(
            authenticated=self.authenticated or preset.authenticated,
            anonymous=self.anonymous or preset.anonymous,
            address=self.address or preset.address,
        )


SETTINGS = RateLimitSettings


@dataclass(frozen=True)
class KeyRates(OwnName):
    """Rates that an API key can have instead of the rates of RateLimitSettings.

    Like those, they apply to each user and each address, not to the key. Requests of a user are
    counted separately for each KeyRates, so the user's other clients have their own limit.
    """

    name: str
    rates: Callable[[Settings], GeneralRates]


def add_key_rates(
    config: Configurator, name: str, rates: Callable[[Settings], GeneralRates]
) -> None:
    """Configuration directive ``config.add_key_rates``: declare rates that API keys can have.
    Operators name them in `competition api-key create --rates`."""
    catalogue_of(config).add(KeyRates, name, KeyRates(name, rates))


@dataclass(frozen=True)
class Window:
    """A counter: a rate for one subject, such as ``user:<id>``."""

    subject: str
    rate: Rate

    @property
    def key(self) -> str:
        return f"limit:{self.subject}:{self.rate.seconds}"


def windows_of(subject: str, rates: Rates) -> list[Window]:
    return [Window(subject, rate) for rate in rates]


@dataclass(frozen=True)
class Verdict:
    """Whether a hit is allowed. `limit`, `remaining` and `reset` describe the window with the
    fewest hits left. `reset` is the time until this window ends, in seconds."""

    allowed: bool
    limit: int
    remaining: int
    reset: float

    def headers(self, now: datetime) -> dict[str, str]:
        """The X-RateLimit headers of the response and, if the hit is rejected, Retry-After."""
        headers = {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(math.ceil(now.timestamp() + self.reset)),
        }
        if not self.allowed:
            headers["Retry-After"] = str(max(1, math.ceil(self.reset)))
        return headers


class RateLimiter:
    """Counts hits in Redis, and allows everything while Redis is unavailable."""

    def __init__(self, client: redis.Redis, pause: Pause, metrics: Metrics) -> None:
        self._pause = pause
        self._metrics = metrics
        self._hit = client.register_script(SCRIPT)
        self._give_back = client.register_script(GIVE_BACK)

    def hit(self, windows: Sequence[Window]) -> Verdict | None:
        """Count a hit in every window, or in none if one of them rejects the hit. Returns None if
        Redis is unavailable."""
        numbers: list[int] = []
        for window in windows:
            numbers += (window.rate.limit, 1000 * window.rate.seconds)
        reply = self._run(self._hit, windows, numbers)
        if reply is None:
            self._metrics.unchecked_limits.inc()
            return None
        return _verdict(windows, reply[0::2], reply[1::2])

    def give_back(self, windows: Sequence[Window]) -> None:
        """Undo a hit in these windows."""
        self._run(self._give_back, windows, ())

    @contextmanager
    def counting_only(self, windows: Sequence[Window], *wrong: type[ApiError]) -> Iterator[None]:
        """Context manager: undo a hit in these windows, unless the act inside raises one of the
        errors `wrong`.

        The act is counted before it begins, so that nobody can exceed a limit with parallel acts.
        """
        is_wrong = False
        try:
            yield
        except wrong:
            is_wrong = True
            raise
        finally:
            if windows and not is_wrong:
                self.give_back(windows)

    def _run(
        self, script: Callable[..., Any], windows: Sequence[Window], numbers: Sequence[int]
    ) -> list[int] | None:
        """Run a script and return its reply, or None if Redis is unavailable."""
        if self._pause.is_over():
            try:
                reply: list[int] = script([window.key for window in windows], numbers) or []
                return reply
            except redis.RedisError as error:
                self._pause.begin(error)
        log.warning("rate limits are not checked: Redis is unavailable")
        return None


def hit(
    work: Work, limit: str, windows: Sequence[Window], user_id: UUID | None = None
) -> Verdict | None:
    """Count a request in all `windows`. Returns None if `windows` is empty, or if Redis is
    unavailable.

    Raises ThrottleExceeded if one of the windows is full. The security log then gets an entry with
    `limit`, the name of the limit, and the user whose requests are counted.
    """
    verdict = work.runtime[RateLimiter].hit(windows) if windows else None
    if verdict is not None and not verdict.allowed:
        security_log.record(work, "limit_refused", user_id=user_id, limit=limit)
        raise ThrottleExceeded(headers=verdict.headers(work.now))
    return verdict


def _verdict(windows: Sequence[Window], left: Sequence[int], rests: Sequence[int]) -> Verdict:
    """The verdict of the window with the fewest hits left or, if there are several, of the one that
    ends last."""
    at = min(range(len(windows)), key=lambda at: (left[at], -rests[at]))
    return Verdict(
        allowed=left[at] >= 0,
        limit=windows[at].rate.limit,
        remaining=max(0, left[at]),
        reset=rests[at] / 1000,
    )


def _preset(name: str) -> Callable[[Settings], GeneralRates]:
    return lambda _: PRESETS[name]


def includeme(config: Configurator) -> None:
    config.add_directive("add_key_rates", add_key_rates)
    for name in PRESETS:
        add_key_rates(config, name, _preset(name))
    runtime: Runtime = config.registry.runtime
    limiter = RateLimiter(runtime.redis, runtime.redis_pause, runtime.metrics)
    runtime.provide(RateLimiter, limiter)
