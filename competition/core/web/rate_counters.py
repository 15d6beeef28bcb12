"""Counts requests in Redis, and says whether a limit is exceeded; `limits` decides which ones
apply.

One script decides all windows of a request in one round trip; a refusal counts in none of them, nor
in those of groups that come after. A window starts with its first hit. What turns out not to count
is given back. Counters may be lost: when Redis is down, requests pass.
"""

import ipaddress
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import ClassVar

import redis

from competition.core.jobs.broker import Script
from competition.core.logs import patient
from competition.core.metrics import Metrics
from competition.core.settings import setting
from competition.core.web.address import Network, is_in, parse_networks

log = patient(__name__)

PERIODS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}

# For each window: KEYS[i] the counter, ARGV[3i-2] the limit, ARGV[3i-1] the period in ms, ARGV[3i]
# which window has to be full as well before this one refuses: its own number but for those that
# others may exceed, 0 where it never refuses by itself.
# After these how many windows each group has. The last one of ARGV is 1 where the hit is counted,
# and 0 where it is only asked for.
# Returns a row of numbers, for each window the count after this hit and the milliseconds until it
# ends; the count is limit + 1 where the window refuses, and never more than the limit where it does
# not. Nothing of the groups after one that refuses.
SCRIPT = """
local reply = {}
local function hit(first, last)
  local refused = false
  local counts, limits, rests, refuses = {}, {}, {}, {}
  for i = first, last do
    counts[i] = tonumber(redis.call('GET', KEYS[i]) or '0')
    limits[i] = tonumber(ARGV[3 * i - 2])
    rests[i] = redis.call('PTTL', KEYS[i])
    if rests[i] < 0 then rests[i] = tonumber(ARGV[3 * i - 1]) end
  end
  for i = first, last do
    local other = tonumber(ARGV[3 * i])
    refuses[i] = other > 0 and counts[i] >= limits[i] and counts[other] >= limits[other]
    refused = refused or refuses[i]
  end
  for i = first, last do
    if not refused and ARGV[#ARGV] == '1' then
      counts[i] = redis.call('INCR', KEYS[i])
      if counts[i] == 1 then redis.call('PEXPIRE', KEYS[i], ARGV[3 * i - 1]) end
    end
    reply[2 * i - 1] = refuses[i] and limits[i] + 1 or math.min(counts[i], limits[i])
    reply[2 * i] = rests[i]
  end
  return refused
end
local last = 0
for group = 3 * #KEYS + 1, #ARGV - 1 do
  local first = last + 1
  last = last + tonumber(ARGV[group])
  if hit(first, last) then break end
end
return table.concat(reply, ' ')
"""

# A counter that ended meanwhile stays away.
GIVE_BACK = """
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end
"""


@dataclass(frozen=True)
class Rate:
    """How often something may be done: `limit` times in each `period`."""

    limit: int
    period: timedelta

    @cached_property
    def seconds(self) -> int:
        return int(self.period.total_seconds())


Rates = tuple[Rate, ...]


def parse_rates(text: str) -> Rates:
    """Rates from a text such as ``10/minute 60/hour``; a number before the period multiplies it:
    ``3/10minute``."""
    rates = tuple(parse_rate(word) for word in text.replace(",", " ").split())
    if len({rate.period for rate in rates}) < len(rates):
        raise ValueError(f"{text!r} names a period twice")
    return rates


def parse_rate(word: str) -> Rate:
    limit, _, period = word.partition("/")
    name = period.lstrip("0123456789")
    factor = period.removesuffix(name) or "1"
    if not limit.isdigit() or int(limit) == 0 or name not in PERIODS or int(factor) == 0:
        raise ValueError(f"{word!r} is no rate such as 10/minute or 3/10minute")
    return Rate(int(limit), int(factor) * PERIODS[name])


def _network_rates(text: str) -> tuple[tuple[Network, Rate], ...]:
    pairs = (word.partition("=") for word in text.split())
    return tuple((ipaddress.ip_network(network), parse_rate(rate)) for network, _, rate in pairs)


@dataclass(frozen=True)
class GeneralRates:
    """The rates of a user, of an address with the account that a request names, and of an address
    altogether."""

    authenticated: Rates
    anonymous: Rates
    address: Rates


PRESETS = {
    "standard": GeneralRates(
        authenticated=parse_rates("10/minute 60/hour 1000/day"),
        anonymous=parse_rates("5/minute 60/day"),
        address=parse_rates("300/minute"),
    ),
    # A laptop plays a season in a minute, all from one address.
    "development": GeneralRates(
        authenticated=parse_rates("6000/minute"),
        anonymous=parse_rates("6000/minute"),
        address=parse_rates("60000/minute"),
    ),
}


@dataclass(frozen=True, kw_only=True)
class RateLimitSettings:
    """How often requests may be sent. `preset` gives every rate that is not set by itself.
    `networks` are those, such as schools, whose addresses have another rate:
    ``203.0.113.0/24=1000/minute``. `trusted_proxies` are networks whose X-Forwarded-For is
    believed."""

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
            yield "enabled: nobody is kept from guessing passwords: requests are not counted"
        elif self.preset == "development":
            yield "preset: the limits are those of a laptop"

    def of_network(self, address: str | None) -> Rate | None:
        """The rate of an address in one of `networks`, else None."""
        own = [each for each in self.networks if is_in(address or "", each[:1])]
        if not own:
            return None
        # The narrowest: a school's in a town's.
        _, rate = max(own, key=lambda each: each[0].prefixlen)
        return rate

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
class Window:
    """A counter: a rate for one subject, such as ``user:<id>``. While there is room in `own`, which
    is counted with it and refuses nothing by itself, a full one refuses nothing either."""

    subject: str
    rate: Rate
    own: "Window | None" = None

    @property
    def key(self) -> str:
        return f"limit:{self.subject}:{self.rate.seconds}"


@dataclass(frozen=True)
class Verdict:
    """`limit`, `remaining` and `reset` (in so many seconds) are of the tightest window."""

    allowed: bool
    limit: int
    remaining: int
    reset: float


class RateLimiter:
    def __init__(self, client: redis.Redis, metrics: Metrics) -> None:
        self._metrics = metrics
        self._script = Script(client, SCRIPT)
        self._give_back = Script(client, GIVE_BACK)

    def hit(self, windows: Sequence[Window], *, counts: bool = True) -> Verdict | None:
        """Count one in every window, or in none; without `counts` tell what that would lead to.
        None when Redis can't be asked."""
        return next(iter(self.hit_in_turn(windows, counts=counts)), None)

    def hit_in_turn(self, *groups: Sequence[Window], counts: bool = True) -> list[Verdict]:
        """As `hit`, of one group of windows after the other, until one refuses: nothing is counted
        in those after it. Empty when Redis can't be asked."""
        keys: list[Window] = []
        numbers: list[int] = []
        sizes = []
        for windows in groups:
            counted = _counted(windows)
            for at, window in enumerate(counted):
                refuses = len(keys) + at + 1 if at < len(windows) else 0
                if window.own is not None:
                    refuses = len(keys) + counted.index(window.own) + 1
                numbers += (window.rate.limit, 1000 * window.rate.seconds, refuses)
            keys += counted
            sizes.append(len(counted))
        reply = self._ask(self._script, keys, (*numbers, *sizes, int(counts)))
        if reply is None:
            self._metrics.unchecked_limits.inc()
            return []
        found = [int(number) for number in reply.split()]
        verdicts = []
        for windows, size in zip(groups, sizes, strict=True):
            if found:
                verdicts.append(_verdict(windows, found[0 : 2 * size : 2], found[1 : 2 * size : 2]))
                found = found[2 * size :]
        return verdicts

    def give_back(self, windows: Sequence[Window]) -> None:
        """What a hit counted in them, since it does not count after all."""
        self._ask(self._give_back, _counted(windows), ())

    def _ask(
        self, script: Script, windows: Sequence[Window], numbers: tuple[int, ...]
    ) -> bytes | None:
        """None when Redis can't be asked."""
        try:
            return script([window.key for window in windows], numbers)
        except redis.RedisError as error:
            log.warning("rate limits are not checked: %s", type(error).__name__)
            return None


def _verdict(windows: Sequence[Window], hits: Sequence[int], rests: Sequence[int]) -> Verdict:
    room = [window.rate.limit - count for window, count in zip(windows, hits, strict=False)]
    refusing = [at for at, left in enumerate(room) if left < 0]
    if refusing:
        tightest = max(refusing, key=rests.__getitem__)
    else:
        tightest = min(range(len(room)), key=lambda at: (room[at], -rests[at]))
    return Verdict(
        allowed=not refusing,
        limit=windows[tightest].rate.limit,
        remaining=max(0, room[tightest]),
        reset=rests[tightest] / 1000,
    )


def _counted(windows: Sequence[Window]) -> list[Window]:
    """These, and after them what is others' `own`; each once."""
    owned = {each.own: None for each in windows if each.own is not None}
    return [*windows, *(each for each in owned if each not in windows)]
