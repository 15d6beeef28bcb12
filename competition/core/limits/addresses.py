"""The client's address: determining it behind trusted proxies, and the key for counting it."""

import ipaddress
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from competition.core.users.networks import is_ipv4, network_of

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def parse_networks(text: str) -> tuple[Network, ...]:
    """The networks in a string such as ``10.0.0.0/8 192.0.2.7``. Raises ValueError if one is
    invalid."""
    return tuple(ipaddress.ip_network(word) for word in text.split())


def client_address(environ: Mapping[str, Any], trusted: tuple[Network, ...]) -> str:
    """The client's address: the last address in the chain of proxies that is not a trusted proxy
    (decisions H7)."""
    client = _address(environ.get("REMOTE_ADDR") or "")
    forwarded = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
    # The entries to the left of the client's address come from the client, which can invent any
    # number of them, so they are not read.
    for hop in filter(None, map(str.strip, reversed(forwarded))):
        if not is_in(client, trusted):
            break
        client = _address(hop)
    return client


# Cached, because each request needs it, and clients send many requests.
@lru_cache(maxsize=10_000)
def _address(hop: str) -> str:
    """The canonical form of an address, so that a client always has the same address.

    A port, which some proxies add, is removed. An IPv4 address in IPv6 form is converted. A string
    that is not an address is returned unchanged.
    """
    host = re.sub(r"^\[(.+)\](:\d+)?$|^([\d.]+):\d+$", r"\1\3", hop)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return hop
    return str(getattr(address, "ipv4_mapped", None) or address)


# Cached, because each request needs it for each of its windows.
@lru_cache(maxsize=10_000)
def customer(address: str | None) -> str | None:
    """The key under which the requests of an address are counted.

    It is an IPv4 address itself, or the network (/48) of an IPv6 address, because a client may use
    a different address of its network for each request. All candidates of a school may share one
    IPv4 address, so an IPv4 address is not counted together with the others of its network. None,
    or a string that is not an address, is returned unchanged.
    """
    return address if is_ipv4(address) else network_of(address)


def is_in(hop: str, networks: tuple[Network, ...]) -> bool:
    """Whether an address is in one of these networks."""
    if not networks:
        return False
    try:
        address = ipaddress.ip_address(hop)
    except ValueError:
        return False
    return any(address in network for network in networks)
