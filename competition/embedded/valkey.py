import socket
from signal import SIGTERM

from competition.embedded.binaries import Binaries
from competition.embedded.place import Place
from competition.embedded.server import Server


class Valkey(Server):
    """The embedded Valkey."""

    def __init__(self, place: Place, *, durable: bool) -> None:
        super().__init__(
            "valkey",
            place,
            durable=durable,
            data_option=("--dir", str(place.home)),
            pid_files=(place.home / "valkey.pid",),
            stop_signal=SIGTERM,
        )

    def prepare(self, binaries: Binaries) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self.place.valkey_socket),
            "unixsocketperm": "700",
            "pidfile": str(self.pid_files[0]),
            "set-proc-title": "no",  # `stop_left_behind` recognises the process by its command line
            "databases": "256",  # one for each parallel test worker
            "save": "",
            "appendonly": "yes" if self.durable else "no",
            "appenddirname": "valkey",
        }
        options = (part for name, value in settings.items() for part in (f"--{name}", value))
        return [str(binaries.valkey), *self.data_option, *options]

    def is_ready(self, pid: int) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(1)
                connection.connect(str(self.place.valkey_socket))
                connection.sendall(b"PING\r\n")
                # The reply is -LOADING as long as Valkey reads its data.
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False
