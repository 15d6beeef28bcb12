"""A client of the API: JSON over HTTP, with an API key and, after the login, a token."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from tools.demo.errors import CallFailed, DemoError

# Field → (file name, content, media type). A field without a file name is text.
Files = Mapping[str, tuple[str | None, bytes, str]]

TIMEOUT_SECONDS = 30
# How often a request is sent again if the service is busy.
MOST_WAITS = 30
RETRY = "Retry-After"


@contextmanager
def connect(base_url: str, api_key: str) -> Iterator["Client"]:
    """Context manager: a client without a login."""
    # Ignore proxies of the environment, because the service is on this machine.
    with httpx.Client(timeout=TIMEOUT_SECONDS, trust_env=False) as http:
        yield Client(http, base_url.rstrip("/"), {"X-Api-Key": api_key})


@dataclass(frozen=True)
class Client:
    """Sends requests to a base URL, which ends with ``/v1``. Threads may share it."""

    _http: httpx.Client = field(repr=False)
    _base_url: str
    _headers: Mapping[str, str] = field(repr=False)

    def acting_for(self, access_token: str) -> "Client":
        """The same client for a user who has logged in."""
        return replace(self, _headers={**self._headers, "Authorization": f"Bearer {access_token}"})

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers with the API key and the token."""
        return self._headers

    def get(self, path: str, **query: str | int) -> Any:
        return self._call("GET", path, params=query)

    def post(self, path: str, body: object = None) -> Any:
        return self._call("POST", path, json=body)

    def patch(self, path: str, body: object) -> Any:
        return self._call("PATCH", path, json=body)

    def put(self, path: str, body: object) -> Any:
        return self._call("PUT", path, json=body)

    def upload(self, method: str, path: str, files: Files) -> Any:
        return self._call(method, path, files=files)

    def pages(self, path: str, **query: str | int) -> Iterator[Any]:
        """Every page of a paginated reply."""
        page: int | None = 1
        while page is not None:
            reply = self.get(path, **query, page=page)
            yield reply
            page = page + 1 if reply["pagination"]["has_next"] else None

    def download(self, url: str) -> bytes:
        """Download from a temporary link, which needs no login."""
        return self._send("GET", url).content

    def _call(self, method: str, path: str, **options: Any) -> Any:
        """Send a request and return the decoded body. Raises CallFailed if it is rejected."""
        reply = self._send(method, self._base_url + path, headers=self._headers, **options)
        return reply.json() if reply.content else None

    def _send(self, method: str, url: str, **options: Any) -> httpx.Response:
        reply = self._try(method, url, **options)
        for _ in range(MOST_WAITS):
            # A busy service has changed nothing, and names the time after which to retry.
            if reply.status_code != httpx.codes.SERVICE_UNAVAILABLE or RETRY not in reply.headers:
                break
            time.sleep(int(reply.headers[RETRY]))
            reply = self._try(method, url, **options)
        if reply.is_success:
            return reply
        path = httpx.URL(url).path
        raise CallFailed(method, path, reply.status_code, _code(reply), reply.text)

    def _try(self, method: str, url: str, **options: Any) -> httpx.Response:
        """Send a request. Raises DemoError if there is no response."""
        try:
            return self._http.request(method, url, **options)
        except httpx.TransportError as error:
            path = httpx.URL(url).path
            raise DemoError(f"{method} {path}: no answer ({error})") from error


def _code(reply: httpx.Response) -> str:
    """The error code of a reply, or `""` if it does not come from the service but from a proxy."""
    try:
        return str(reply.json()["code"])
    except (ValueError, TypeError, KeyError):
        return ""
