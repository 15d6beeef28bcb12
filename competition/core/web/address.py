"""The client's address, and which proxies are believed about it."""

import ipaddress
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def parse_networks(text: str) -> tuple[Network, ...]:
    """Networks from a text such as ``10.0.0.0/8 192.0.2.7``; raises ValueError."""
    return tuple(ipaddress.ip_network(word) for word in text.split())


def client_address(environ: Mapping[str, Any], trusted: tuple[Network, ...]) -> str:
    """The client's address: the last one in the chain that is not a trusted proxy (decisions
    H7)."""
    chain = [_address(environ.get("REMOTE_ADDR") or "")]
    forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
    chain += [_address(hop.strip()) for hop in reversed(forwarded.split(",")) if hop.strip()]
    for hop in chain:
        if not is_in(hop, trusted):
            return hop
    return chain[-1]


# A client comes again and again.
@lru_cache(maxsize=10_000)
def _address(hop: str) -> str:
    """An address in one spelling, so that a client is one client: without the port that some
    proxies add, and an IPv4 address as such. What is no address stays as it is."""
    host = re.sub(r"^\[(.+)\](:\d+)?$|^([\d.]+):\d+$", r"\1\3", hop)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return hop
    return str(getattr(address, "ipv4_mapped", None) or address)


def is_in(hop: str, networks: tuple[Network, ...]) -> bool:
    if not networks:
        return False
    try:
        address = ipaddress.ip_address(hop)
    except ValueError:
        return False
    return any(address in network for network in networks)
