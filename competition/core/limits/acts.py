"""Rate limits on acts, such as sending a code or checking a password.

They apply in addition to the rate limits on requests (docs/decisions/0015-guessing.md).
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from competition.core.audit import security_log
from competition.core.errors import ApiError, RateLimitExceeded
from competition.core.limits.addresses import customer
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

    Acts from configured networks (`RateLimitSettings.networks`), such as a school's, count only per
    account, not by address or network.

    If `own` is set, the account's known networks have limits of their own. These are the networks
    from which the account was registered or has logged in within 90 days. If `of_account` is
    reached, clients in known or configured networks may still act on the account at the rates
    `own`. If `of_address` or `of_network` is reached, clients in known networks may still act on
    the account at the rates `own_of_address` and `own_of_network`. These rates count the acts on
    all accounts. If both are empty, no limit over all accounts then applies to such clients.
    """

    name: str
    account: str = ""
    of_account: Rates = ()
    of_address: Rates = ()
    of_network: Rates = ()
    own: Rates = ()
    own_of_address: Rates = ()
    own_of_network: Rates = ()


def guessing(work: Work, act: Act, wrong: type[ApiError]) -> AbstractContextManager[None]:
    """Context manager: count the act inside, such as checking a password, only if it raises the
    error `wrong`.

    Raises RateLimitExceeded if one of the act's limits is exceeded.
    """
    return work.runtime[RateLimiter].counting_only(count_act(work, act), wrong)


def count_act(work: Work, act: Act) -> Sequence[Window]:
    """Count an act, and return the windows that have counted it. Raises RateLimitExceeded if one of
    its limits is exceeded."""
    if not work.settings[RateLimitSettings].enabled:
        return []
    limiter = work.runtime[RateLimiter]
    counted: list[Window] = []
    for windows, own in (_of_account(work, act), _of_origin(work, act)):
        verdict = limiter.hit(windows) if windows else None
        is_allowed = verdict is None or verdict.allowed
        # Acts that the usual limit allows also count in the windows of known networks. Otherwise
        # these networks could use up the usual limit first, and then their own limit in addition.
        own_verdict = limiter.hit(own) if own and windows else None
        is_own_allowed = own_verdict is None or own_verdict.allowed
        counted += windows if is_allowed else []
        counted += own if is_own_allowed else []
        if verdict is None or is_allowed or (act.own and is_own_allowed and _is_own(work, act)):
            continue
        limiter.give_back(counted)
        security_log.record(work, "limit_refused", limit=act.name)
        raise RateLimitExceeded(headers=verdict.headers(work.now))
    return counted


def _is_own(work: Work, act: Act) -> bool:
    """Whether the caller's network has limits of its own for the account of the act, because the
    network is configured, or known to the account."""
    return _is_configured(work) or networks.is_known(work, act.account)


def _of_account(work: Work, act: Act) -> tuple[list[Window], list[Window]]:
    """Two lists of windows that count acts on the account.

    Windows of the first list count acts from all addresses. Windows of the second list count acts
    from the caller's network or, for an IPv4 address in a configured network, from this address.
    """
    address = work.address
    origin = customer(address) if _is_configured(work) else networks.network_of(address)
    prefix = f"action:{act.name}"
    return (
        windows_of(f"{prefix}:account:{act.account}", act.of_account),
        windows_of(f"{prefix}:own:{origin}:{act.account}", act.own),
    )


def _of_origin(work: Work, act: Act) -> tuple[list[Window], list[Window]]:
    """Two lists of windows that count acts of the caller's address and network, on all accounts.

    The first list has the usual limits. If one of them is reached, the limits of the second list
    apply instead, but only to acts on accounts to which the network is known. Both lists are empty
    for an address in a configured network.
    """
    # An address in a configured network already has its own rate for all its requests.
    if _is_configured(work):
        return [], []
    network = networks.network_of(work.address)
    address = customer(work.address)
    prefix = f"action:{act.name}"
    usual = windows_of(f"{prefix}:address:{address}", act.of_address)
    own = windows_of(f"{prefix}:own_address:{address}", act.own_of_address)
    if address != network:
        usual += windows_of(f"{prefix}:network:{network}", act.of_network)
        own += windows_of(f"{prefix}:own_network:{network}", act.own_of_network)
    return usual, own


def _is_configured(work: Work) -> bool:
    return work.settings[RateLimitSettings].of_network(work.address) is not None
