import ipaddress

import pytest
from pyramid.request import Request

from competition.core.limits.addresses import client_address

PROXIES = tuple(map(ipaddress.ip_network, ["10.0.0.0/8", "fd00::/8"]))


def address(peer, forwarded=None, trusted=PROXIES):
    request = Request.blank("/", environ={"REMOTE_ADDR": peer})
    if forwarded is not None:
        request.headers["X-Forwarded-For"] = forwarded
    return client_address(request.environ, trusted)


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        # There is no proxy.
        ("203.0.113.5", None, "203.0.113.5"),
        # An untrusted client can write any address into the header, so the header is ignored.
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),
        ("203.0.113.5", "10.0.0.1", "203.0.113.5"),
        # A trusted proxy names the client.
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
        # The request passed two trusted proxies.
        ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"),
        # A trusted proxy adds its entry on the right. Entries on the left may be written by the
        # client.
        ("10.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "10.9.9.9, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "garbage, 198.51.100.1", "198.51.100.1"),
        # The client is inside the trusted network.
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", "10.0.0.7", "10.0.0.7"),
        ("10.0.0.1", " , ", "10.0.0.1"),
    ],
)
def test_the_client_is_the_last_address_that_is_no_trusted_proxy(peer, forwarded, client):
    assert address(peer, forwarded) == client


def test_without_trusted_proxies_forwarded_addresses_are_ignored():
    assert address("10.0.0.1", "198.51.100.1", trusted=()) == "10.0.0.1"


@pytest.mark.parametrize(
    ("peer", "forwarded"),
    [
        # A server that listens on IPv6 and IPv4 writes IPv4 addresses like this.
        ("::ffff:10.0.0.1", "198.51.100.1"),
        # Some proxies add the port, which changes with every connection.
        ("10.0.0.1", "198.51.100.1:4711"),
        ("10.0.0.1", "::ffff:198.51.100.1"),
    ],
)
def test_different_spellings_of_an_address_are_the_same_client(peer, forwarded):
    assert address(peer, forwarded) == "198.51.100.1"


def test_the_port_is_removed_from_an_ipv6_address():
    assert address("fd00::1", "[2001:db8::7]:4711") == "2001:db8::7"


def test_entries_that_the_client_has_written_are_not_read(monkeypatch):
    read = []
    parse = ipaddress.ip_address

    def parse_and_note(text):
        read.append(text)
        return parse(text)

    monkeypatch.setattr(ipaddress, "ip_address", parse_and_note)
    assert address("10.0.0.1", "192.0.2.101, 192.0.2.102, 198.51.100.77") == "198.51.100.77"
    assert "198.51.100.77" in read
    assert not {"192.0.2.101", "192.0.2.102"} & {*read}
