"""Processes, sockets and servers, as other tests start them."""

from tests.process.conftest import beside, start_worker  # noqa: F401
from tests.ws.conftest import sockets_with  # noqa: F401
