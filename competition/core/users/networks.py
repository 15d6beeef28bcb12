"""The networks from which an account was registered, or has logged in.

When an account has reached its limit of wrong passwords and codes, users can still try a few from
each of these networks, so that nobody can lock the owner out from elsewhere
(docs/decisions/0015-guessing.md). Only keyed digests of the networks are stored.
"""

import ipaddress
from datetime import timedelta
from functools import lru_cache
from uuid import UUID

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.jobs.housekeeping import retention
from competition.core.users.credentials import KnownNetwork
from competition.core.users.models import User
from competition.core.work import Work

# A network counts as known for this long after the last login from it.
KNOWN_FOR = timedelta(days=90)
# A further login within this time does not update the row, so that most logins write nothing.
FRESH_FOR = timedelta(days=1)
# The purpose for which the keyring signs the networks.
SIGNED_FOR = "network of a login"
# The lengths of the prefixes of networks. A provider gives a customer up to a /48, which has 65,536
# networks of the usual size (/64). An IPv4 address often changes within a /24.
PREFIXES = {4: 24, 6: 48}

# The statement below uses the table rather than the class, because SQLAlchemy then runs it faster.
# Each login runs it.
KNOWN_NETWORKS = KnownNetwork.metadata.tables["known_network"]
# The parameters have other names than the columns: SQLAlchemy does not allow a bindparam with the
# name of a column that the statement sets.
REMEMBER = (
    insert(KNOWN_NETWORKS)
    .values(
        user_id=bindparam("user"), digest=bindparam("signature"), last_login_at=bindparam("now")
    )
    .on_conflict_do_update(
        index_elements=["user_id", "digest"],
        set_={"last_login_at": bindparam("now")},
        where=KNOWN_NETWORKS.c.last_login_at < bindparam("fresh_since"),
    )
)


# Cached, because many logins and guesses come from one address.
@lru_cache(maxsize=10_000)
def network_of(address: str | None) -> str | None:
    """The network of an address: its /24, or the /48 of an IPv6 address. A string that is not an
    address is returned unchanged."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return address
    return str(ipaddress.ip_network((parsed, PREFIXES[parsed.version]), strict=False))


def is_ipv4(address: str | None) -> bool:
    return (network_of(address) or "").endswith(f"/{PREFIXES[4]}")


def remember(work: Work, user_id: UUID) -> None:
    """Record a login or a registration from the caller's network."""
    if work.address is None:
        return
    signature = work.runtime.keyring.sign(SIGNED_FOR, _signed(work, user_id))
    values = {"user": user_id, "signature": signature, "now": work.now}
    work.db.execute(REMEMBER, {**values, "fresh_since": work.now - FRESH_FOR})


def is_known(work: Work, account: str) -> bool:
    """Whether the account has logged in, or was registered, from the caller's network within 90
    days. `account` is an email address or an id. Returns False if there is no such account."""
    of_account = User.email == account if "@" in account else User.id == UUID(account)
    found = work.db.execute(
        select(KnownNetwork.user_id, KnownNetwork.digest)
        .join(User, KnownNetwork.user_id == User.id)
        .where(of_account, KnownNetwork.last_login_at > work.now - KNOWN_FOR)
    )
    return any(
        [
            work.runtime.keyring.verifies(SIGNED_FOR, _signed(work, user_id), digest)
            for user_id, digest in found
        ]
    )


def _signed(work: Work, user_id: UUID) -> str:
    return f"{user_id}:{network_of(work.address)}"


@retention("core.known_networks")
def forget_old(work: Work) -> None:
    """Delete networks from which no login to the account was recorded for 90 days."""
    old = KnownNetwork.last_login_at <= work.now - KNOWN_FOR
    work.db.execute(delete(KnownNetwork).where(old))
