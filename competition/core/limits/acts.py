"""Rate limits on acts, such as sending a code or checking a password.

They apply in addition to the rate limits on requests (docs/decisions/0015-guessing.md).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from competition.core.audit import security_log
from competition.core.errors import ApiError, RateLimitExceeded
from competition.core.limits.counters import (
    RateLimiter,
    RateLimitSettings,
    Rates,
    Window,
    windows_of,
)
from competition.core.users import networks
from competition.core.work import Work


@dataclass(frozen=True)
class Act:
    """An act with its rate limits. `name` begins with the plugin's name, and appears in the
    security log.

    `of_account` limits the acts on one account from all addresses together. `account` is the
    account's email address or id; the account need not exist. `of_address` limits the acts of one
    address on all accounts. An IPv6 address is counted by its network (/48). `of_network` limits
    the acts of an IPv4 network (/24) on all accounts.

    If one of these limits is reached, two kinds of networks may still act on the account, at the
    rates `own`: configured networks, such as a school's, and networks from which the account was
    registered or has logged in within 90 days.
    """

    name: str
    account: str = ""
    of_account: Rates = ()
    of_address: Rates = ()
    of_network: Rates = ()
    own: Rates = ()


def count_act(work: Work, act: Act) -> None:
    """Count an act. Raises RateLimitExceeded if one of its limits is exceeded."""
    _count(work, act)


@contextmanager
def guessing(work: Work, act: Act, wrong: type[ApiError]) -> Iterator[None]:
    """Context manager: count an act, such as checking a password, if it raises the error `wrong`.

    Raises RateLimitExceeded if one of the act's limits is exceeded.
    """
    with work.runtime[RateLimiter].counting_only(_count(work, act), wrong):
        yield


def _count(work: Work, act: Act) -> Sequence[Window]:
    """Count an act, and return the windows that have counted it. Raises RateLimitExceeded if one of
    its limits is exceeded."""
    if not work.settings[RateLimitSettings].enabled:
        return []
    windows = _windows(work, act)
    if not windows:
        return []
    limiter = work.runtime[RateLimiter]
    verdict = limiter.hit(windows)
    # The act also counts in the owner's own windows, so that the limit is not higher for the owner.
    # Strangers don't fill these windows.
    own = _own_windows(work, act)
    is_own_counted = bool(own) and (
        (own_verdict := limiter.hit(own)) is None or own_verdict.allowed
    )
    if verdict is None or verdict.allowed:
        return [*windows, *own] if is_own_counted else windows
    if is_own_counted and (_is_configured(work) or networks.is_known(work, act.account)):
        return own
    security_log.record(work, "limit_refused", limit=act.name)
    raise RateLimitExceeded(headers=verdict.headers(work.now))


def _windows(work: Work, act: Act) -> list[Window]:
    """The windows in which an act is counted, except the windows of `_own_windows`."""
    prefix = f"action:{act.name}"
    found = windows_of(f"{prefix}:account:{act.account}", act.of_account)
    # An address in a configured network already has its own rate for all its requests.
    if _is_configured(work):
        return found
    network = networks.network_of(work.address)
    address = work.address if networks.is_ipv4(work.address) else network
    found += windows_of(f"{prefix}:address:{address}", act.of_address)
    if address != network:
        found += windows_of(f"{prefix}:network:{network}", act.of_network)
    return found


def _own_windows(work: Work, act: Act) -> list[Window]:
    """The windows in which an act of the account is counted for the origin of the request: the
    network of the address. An IPv4 address in a configured network, such as a school's, is its own
    origin."""
    origin = networks.network_of(work.address)
    if _is_configured(work) and networks.is_ipv4(work.address):
        origin = work.address
    return windows_of(f"action:{act.name}:own:{origin}:{act.account}", act.own)


def _is_configured(work: Work) -> bool:
    return work.settings[RateLimitSettings].of_network(work.address) is not None
