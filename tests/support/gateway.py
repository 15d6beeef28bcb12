"""A small application on the server of `competition api`, with two threads, and one aside. Bodies
end after a second without a byte.

python -m tests.support.gateway PORT FILE
"""

import json
import sys
import threading
from hashlib import sha256

from granian.constants import Interfaces

from competition.gateway import Gateway, GatewayServer

LARGEST = 300_000
released = threading.Event()


def application(environ, start_response):
    headers = [("Content-Type", "application/json")]
    if environ["PATH_INFO"] == "/file":
        stream = open(sys.argv[2], "rb")  # noqa: SIM115  # the server closes it
        body = environ["wsgi.file_wrapper"](stream)
        if wanted := environ.get("HTTP_RANGE"):
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            body = body.app_iter_range(int(first), int(last) + 1)
        start_response("200 OK", headers)
        return body
    if environ["PATH_INFO"].startswith("/mistake"):
        raise RuntimeError("a mistake")
    if environ["PATH_INFO"].startswith("/wait"):
        released.wait()
    if environ["PATH_INFO"] == "/release":
        released.set()
    received = environ.pop("wsgi.input").read()
    if environ["PATH_INFO"] == "/refers/":
        # As a traceback does in a circle: to whatever has called this.
        kept = [sys._getframe()]
        kept.append(kept)
    start_response("200 OK", headers)
    told = {name: value for name, value in environ.items() if isinstance(value, str)}
    told |= {"length": len(received), "sha256": sha256(received).hexdigest()}
    return [json.dumps(told).encode()]


def main():
    server = GatewayServer(
        "tests",
        port=int(sys.argv[1]),
        interface=Interfaces.WSGI,
        blocking_threads=2,
        websockets=False,
    )
    server.run(
        lambda: Gateway(
            application,
            pause=1,
            largest_form=LARGEST,
            largest_body=LARGEST,
            aside=[("POST", "/wait/"), ("POST", "/mistake/aside/")],
        )
    )


if __name__ == "__main__":
    main()
