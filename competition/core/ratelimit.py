"""Limits on how often something may be done, counted in Redis.

One script decides all windows of a request in one round trip; a refusal counts in none of them.
A window starts with its first hit. Counters may be lost: when Redis is down, requests pass.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import redis

from competition.core.metrics import Metrics

log = logging.getLogger(__name__)

PERIODS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}

# For each window: KEYS[i] the counter, ARGV[2i-1] the limit, ARGV[2i] the period in ms.
# Answers, for each window, the count after this hit and the milliseconds until it ends; the count
# is limit + 1 where the window refuses.
SCRIPT = """
local refused = false
local counts, rests = {}, {}
for i, key in ipairs(KEYS) do
  counts[i] = tonumber(redis.call('GET', key) or '0')
  rests[i] = redis.call('PTTL', key)
  if rests[i] < 0 then rests[i] = tonumber(ARGV[2 * i]) end
  if counts[i] >= tonumber(ARGV[2 * i - 1]) then refused = true end
end
local reply = {}
for i, key in ipairs(KEYS) do
  if not refused then
    counts[i] = redis.call('INCR', key)
    if counts[i] == 1 then redis.call('PEXPIRE', key, ARGV[2 * i]) end
  elseif counts[i] >= tonumber(ARGV[2 * i - 1]) then
    counts[i] = tonumber(ARGV[2 * i - 1]) + 1
  end
  reply[2 * i - 1] = counts[i]
  reply[2 * i] = rests[i]
end
return reply
"""


@dataclass(frozen=True)
class Rate:
    """So many in a period."""

    limit: int
    period: timedelta


def parse_rates(text: str) -> tuple[Rate, ...]:
    """``10/minute 60/hour``; a number before the period multiplies it: ``3/10minute``."""
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


@dataclass(frozen=True)
class Window:
    """A rate for one subject, such as ``user:<id>``."""

    subject: str
    rate: Rate

    @property
    def key(self) -> str:
        return f"limit:{self.subject}:{int(self.rate.period.total_seconds())}"


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
        self._script = client.register_script(SCRIPT)

    def hit(self, windows: Sequence[Window]) -> Verdict | None:
        """Count one in every window, or in none. None when Redis can't be asked."""
        arguments: list[int] = []
        for window in windows:
            arguments += [window.rate.limit, int(window.rate.period.total_seconds() * 1000)]
        try:
            reply = self._script(keys=[window.key for window in windows], args=arguments)
        except redis.RedisError as error:
            log.warning("rate limits are not checked: %s", error)
            self._metrics.unchecked_limits.inc()
            return None
        verdicts = [
            Verdict(
                allowed=reply[2 * index] <= window.rate.limit,
                limit=window.rate.limit,
                remaining=max(0, window.rate.limit - reply[2 * index]),
                reset=reply[2 * index + 1] / 1000,
            )
            for index, window in enumerate(windows)
        ]
        refusals = [each for each in verdicts if not each.allowed]
        if refusals:
            return max(refusals, key=lambda each: each.reset)
        return min(verdicts, key=lambda each: (each.remaining, -each.reset))
