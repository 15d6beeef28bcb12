"""The API as a client program calls it: JSON over HTTP, an API key, a token once logged in."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from tools.demo.errors import CallFailed, DemoError

# Field → (file name, content, media type).
Files = Mapping[str, tuple[str, bytes, str]]

TIMEOUT_SECONDS = 30
# So often is a request sent again that a busy service has put off.
MOST_WAITS = 30
RETRY = "Retry-After"


@contextmanager
def connect(base_url: str, api_key: str) -> Iterator["Client"]:
    """A client that acts for nobody yet."""
    # The environment's proxies have no business between a laptop and itself.
    with httpx.Client(timeout=TIMEOUT_SECONDS, trust_env=False) as http:
        yield Client(http, base_url.rstrip("/"), {"X-Api-Key": api_key})


@dataclass(frozen=True)
class Client:
    """Calls under one base URL, which ends with ``/v1``; threads may share it."""

    _http: httpx.Client = field(repr=False)
    _base_url: str
    _headers: Mapping[str, str] = field(repr=False)

    def acting_for(self, access_token: str) -> "Client":
        """The same client for a user who has logged in."""
        return replace(self, _headers={**self._headers, "Authorization": f"Bearer {access_token}"})

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers that say who calls, and for whom."""
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
        """What a temporary link leads to; the link alone is the permission."""
        return self._send("GET", url).content

    def _call(self, method: str, path: str, **options: Any) -> Any:
        """The decoded body. Raises CallFailed."""
        reply = self._send(method, self._base_url + path, headers=self._headers, **options)
        return reply.json() if reply.content else None

    def _send(self, method: str, url: str, **options: Any) -> httpx.Response:
        reply = self._try(method, url, **options)
        for _ in range(MOST_WAITS):
            # A service that is too busy has done nothing, and says when to ask again.
            if reply.status_code != httpx.codes.SERVICE_UNAVAILABLE or RETRY not in reply.headers:
                break
            time.sleep(int(reply.headers[RETRY]))
            reply = self._try(method, url, **options)
        if reply.is_success:
            return reply
        path = httpx.URL(url).path
        raise CallFailed(method, path, reply.status_code, _code(reply), reply.text)

    def _try(self, method: str, url: str, **options: Any) -> httpx.Response:
        """Raises DemoError when nobody answers."""
        try:
            return self._http.request(method, url, **options)
        except httpx.TransportError as error:
            path = httpx.URL(url).path
            raise DemoError(f"{method} {path}: no answer ({error})") from error


def _code(reply: httpx.Response) -> str:
    """`""` for a body that is not the service's, such as a proxy's."""
    try:
        return str(reply.json()["code"])
    except (ValueError, TypeError, KeyError):
        return ""
