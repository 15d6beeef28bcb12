"""Processes, sockets and servers, as other tests start them."""

from tests.process.conftest import beside, start_worker  # noqa: F401
