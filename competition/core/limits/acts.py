"""Rate limits on acts, such as sending a code or checking a password.

They apply in addition to the rate limits on requests (docs/decisions/0015-guessing.md).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from competition.core.audit import security_log
from competition.core.errors import ApiError, RateLimitExceeded
from competition.core.limits.addresses import customer
from competition.core.limits.counters import Rate, RateLimiter, RateLimitSettings, Rates, Window
from competition.core.work import Work


@dataclass(frozen=True)
class Act:
    """An act with its rate limits. `name` begins with the plugin's name, and appears in the
    security log.

    `of_account` limits the acts on one account from all addresses together. `account` is the
    account's email address or id; the account need not exist. `own` is the rate that each address
    always has for the account, even if other addresses have used up the account's limit.
    `of_address` limits the acts of one address on all accounts.
    """

    name: str
    account: str = ""
    of_account: Rates = ()
    own: Rate | None = None
    of_address: Rates = ()


def count_act(work: Work, act: Act) -> None:
    """Count an act. Raises RateLimitExceeded if one of its limits is exceeded."""
    _count(work, act.name, _windows(work, act))


@contextmanager
def guessing(work: Work, act: Act, wrong: type[ApiError]) -> Iterator[None]:
    """Context manager: count an act, such as checking a password, if it raises the error `wrong`.

    The act is counted at the start, and the count is undone if the act ends in any other way. So an
    attacker can't exceed the limit with parallel requests. Raises RateLimitExceeded.
    """
    windows = _windows(work, act)
    _count(work, act.name, windows)
    try:
        yield
    except wrong:
        raise
    except BaseException:
        _give_back(work, windows)
        raise
    else:
        _give_back(work, windows)


def _count(work: Work, name: str, windows: list[Window]) -> None:
    if not windows:
        return
    verdict = work.runtime[RateLimiter].hit(windows)
    if verdict is not None and not verdict.allowed:
        security_log.tell(work, "limit_refused", limit=name)
        raise RateLimitExceeded(headers=verdict.headers(work.now))


def _give_back(work: Work, windows: list[Window]) -> None:
    if windows:
        work.runtime[RateLimiter].give_back(windows)


def _windows(work: Work, act: Act) -> list[Window]:
    """The windows in which an act is counted; none if rate limits are disabled."""
    settings = work.settings[RateLimitSettings]
    if not settings.enabled:
        return []
    prefix, address = f"action:{act.name}", customer(work.address)
    own = Window(f"{prefix}:own:{address}:{act.account}", act.own) if act.own else None
    found = [Window(f"{prefix}:account:{act.account}", rate, own) for rate in act.of_account]
    # An address in a configured network already has its own rate for all its requests.
    if settings.of_network(work.address) is None:
        found += [Window(f"{prefix}:address:{address}", rate) for rate in act.of_address]
    return found
