"""Limits on acts: what a rule does only so often, such as sending a code or checking a password.

They come on top of the limits on requests (docs/decisions/0015-guessing.md).
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
    """Something that a rule does only so often. `name` begins with the plugin's name; the security
    log shows it.

    `of_account` limits the acts that concern one account, from all addresses together. `account`
    names it by an email or an id, whether it exists or not. Each address may always perform `own`
    acts on the account, even if other addresses have used up its limit. `of_address` limits what
    one address does to all accounts.
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
    """Context: count an act, such as the check of a password, if it ends with the error `wrong`.

    It is counted at the beginning, and taken back at any other end. So of many attempts at once, no
    more are made than of many in a row. Raises RateLimitExceeded.
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
    """The windows that an act is counted in; none if nothing is limited."""
    settings = work.settings[RateLimitSettings]
    if not settings.enabled:
        return []
    prefix, address = f"action:{act.name}", customer(work.address)
    own = Window(f"{prefix}:own:{address}:{act.account}", act.own) if act.own else None
    found = [Window(f"{prefix}:account:{act.account}", rate, own) for rate in act.of_account]
    # An address in a named network has a rate of its own for all its requests.
    if settings.of_network(work.address) is None:
        found += [Window(f"{prefix}:address:{address}", rate) for rate in act.of_address]
    return found
