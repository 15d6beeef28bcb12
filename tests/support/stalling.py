"""Clients that start to send a request body and stop."""

import socket

from competition.testing.waiting import PATIENCE

OWN_ACCOUNT = "/v1/account-management/"


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def stall(
    connection: socket.socket,
    number: int,
    path: str | None,
    key: str,
    token: str,
    *,
    host: str = "here",
    length: int = 19,
) -> None:
    """Send a request whose body stops before its end. If `number` is even, the body is JSON,
    otherwise a form in chunks. Without a path, the request is a change of the caller's own account.
    """
    kinds = (
        (f"Content-Type: application/json\r\nContent-Length: {length}", '{"first_na'),
        (
            "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked",
            "7\r\n--b\r\nCo",
        ),
    )
    headers, beginning = kinds[number % 2]
    line = f"POST {path}" if path else f"PATCH {OWN_ACCOUNT}"
    connection.sendall(
        f"{line} HTTP/1.1\r\nHost: {host}\r\nX-Api-Key: {key}\r\n"
        f"Authorization: Bearer {token}\r\n{headers}\r\n\r\n{beginning}".encode()
    )
