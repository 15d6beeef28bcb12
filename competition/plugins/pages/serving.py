"""Serve the pages: their files, the document of each front-end, its service worker and manifest,
and `/pages/config.json`.

Nothing here is counted against a rate limit, because everything is in memory: thousands of
candidates open the pages in the same minute.
"""

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import urlsplit

from pyramid.config import PHASE2_CONFIG, Configurator
from pyramid.response import Response

from competition.core.auth.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD
from competition.core.errors import NotFound, StorageUnavailable
from competition.core.push import sockets
from competition.core.push.sockets import SocketSettings
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.storage.contract import Storage
from competition.core.web.request import Request
from competition.core.web.service import endpoints
from competition.plugins.pages import PagesSettings, keys
from competition.plugins.pages.front_ends import STATIC, Files, FrontEnd, PageModule
from competition.plugins.pages.release import Release, compressed

log = logging.getLogger(__name__)

BASE = Files("pages", Path(__file__).parent / STATIC)
READING = ("GET", "HEAD")
FOREVER = "public, max-age=31536000, immutable"
# A Cache-Control header for documents, workers and the configuration: browsers cache them, but
# check each time whether they have changed.
ASK = "no-cache"
HTML = "text/html; charset=utf-8"
SCRIPT = "text/javascript; charset=utf-8"
MANIFEST = "application/manifest+json"
JSON = "application/json"
# A storage key for which a link is created to find out the links' origin. No such file has to
# exist.
ANY_FILE = "pages/any"

# The browser's features that pages can't use. They only have to keep the screen on during an exam,
# and to copy the id of a failed request. Names that some browsers don't know are left out, because
# these browsers would log a warning.
DENIED = (
    *("accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen"),
    *("geolocation", "gyroscope", "hid", "idle-detection", "magnetometer", "microphone", "midi"),
    *("payment", "picture-in-picture", "publickey-credentials-create", "publickey-credentials-get"),
    *("serial", "sync-xhr", "usb", "xr-spatial-tracking"),
)
PERMISSIONS = ", ".join(
    [*(f"{each}=()" for each in DENIED), "clipboard-write=(self)", "screen-wake-lock=(self)"]
)


class FileRule(TypedDict):
    """The rules for a file that users upload."""

    largest_bytes: int
    types: list[str]


class PasswordRules(TypedDict):
    shortest: int
    longest: int


class PagesConfig(TypedDict):
    """The configuration of this service for the pages. `files` are the rules for uploads by the
    name of the field, and `modules` the addresses of modules that plugins add, by front-end.
    `settings` has the settings whose values appear in texts of the pages, such as for how many days
    candidates can appeal, by the name of the setting without `competition.`."""

    name: str
    support_email: str
    time_zone: str
    languages: list[str]
    plugins: list[str]
    release: str
    api: str
    api_key: str
    sockets: str
    files_origin: str | None
    passwords: PasswordRules
    files: dict[str, FileRule]
    modules: dict[str, list[str]]
    settings: dict[str, int | str]


class Site:
    """The data and files from which the pages' views answer. In development, a reload of a page
    reads changed files again."""

    def __init__(self, registry: Any) -> None:
        self._registry = registry
        self._runtime: Runtime = registry.runtime
        catalogue = self._runtime.catalogue
        self._front_ends = tuple(catalogue[FrontEnd].values())
        self._modules = tuple(catalogue[PageModule].values())
        self._reads_again = self._runtime.service.environment == "development"
        self.release = self._read()
        # The documents, by hash of the release and name of the front-end.
        self._shells: dict[tuple[str, str], bytes] = {}
        self._files_origin: str | None = None
        # Follow the imports of the main modules, and of the modules that the workers cache, so that
        # the application does not start if a module is missing. The release has already followed
        # the imports of the pages' modules.
        for each in self._front_ends:
            self.shell(each)
            if each.worker:
                self.release.worker(each)
        if not self._reads_again:
            # Compress at the start, so that the first visitor does not wait for it.
            self.release.compress()

    def _read(self) -> Release:
        return Release(BASE, self._front_ends, self._modules)

    def shell(self, front_end: FrontEnd) -> bytes:
        """The document of a front-end, which is written once per release."""
        if self._reads_again and not self.release.is_current:
            self.release = self._read()
        written = self.release.hash, front_end.name
        if written not in self._shells:
            service, settings = self._runtime.service, self._runtime.settings[PagesSettings]
            document = self.release.shell(
                front_end,
                name=service.name,
                languages=settings.languages,
                support=service.support_email,
            )
            self._shells[written] = document.encode()
        return self._shells[written]

    def headers(self, front_end: FrontEnd) -> dict[str, str]:
        """The headers of the documents and of the worker of a front-end."""
        return {
            "Content-Security-Policy": self._policy(front_end),
            "Cross-Origin-Opener-Policy": "same-origin",
            "Permissions-Policy": PERMISSIONS,
        }

    def _policy(self, front_end: FrontEnd) -> str:
        files = (self.files_origin() or "") if front_end.shows_files else ""
        # `connect-src` names the origin of the sockets, because some browsers don't count wss: as
        # 'self', and because in development the sockets have another port.
        rules = {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "font-src": "'self'",
            "img-src": f"'self' blob: {files}",
            "connect-src": f"'self' {_origin(self.sockets)} {files}",
            "worker-src": "'self'",
            "manifest-src": "'self'",
            "frame-src": "blob:" if front_end.shows_frames else "'none'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
            "require-trusted-types-for": "'script'",
            "trusted-types": "pages",
        }
        return "; ".join(f"{name} {value.strip()}" for name, value in rules.items())

    @property
    def sockets(self) -> str:
        """The URL under which clients reach the sockets."""
        runtime = self._runtime
        own = runtime.settings[PagesSettings].sockets
        if own:
            return own
        path = f"{API_PREFIX}{sockets.PATH}"
        if runtime.service.environment == "development" and not runtime.service.public_url:
            served = runtime.settings[SocketSettings]
            return f"ws://{served.host}:{served.port}{path}"
        # http becomes ws, and https becomes wss.
        return f"ws{runtime.public_url.removeprefix('http')}{path}"

    def files_origin(self) -> str | None:
        """The origin of the storage's links to files. None if the service itself sends the files,
        or if the storage is unavailable."""
        if self._files_origin is None:
            try:
                link = self._runtime[Storage].link(ANY_FILE, "image/png", 1)
            except StorageUnavailable:
                log.warning("pages can't show files: the storage creates no links")
                return None
            # Cache "" if the storage has no links, so that it is not queried again.
            self._files_origin = _origin(link) if link else ""
        return self._files_origin or None

    def config(self, api_key: str) -> PagesConfig:
        service, settings = self._runtime.service, self._runtime.settings[PagesSettings]
        uploads = [each for endpoint in endpoints(self._registry) for each in endpoint.files]
        release = self.release
        return {
            "name": service.name,
            "support_email": service.support_email,
            "time_zone": settings.time_zone,
            "languages": list(settings.languages),
            "plugins": sorted(self._runtime.packages.values()),
            "release": release.hash,
            "api": API_PREFIX,
            "api_key": api_key,
            "sockets": self.sockets,
            "files_origin": self.files_origin(),
            "passwords": {"shortest": SHORTEST_PASSWORD, "longest": LONGEST_PASSWORD},
            "files": {
                each.rule or each.name: {
                    "largest_bytes": each.largest,
                    "types": list(each.content_types),
                }
                for each in uploads
            },
            "modules": release.modules(),
            "settings": self._runtime.settings.on_pages(),
        }


def static_file(request: Request) -> Response:
    """A file of the present release.

    Raises NotFound for a file of another release: a page of an earlier release asks its reader to
    reload it.
    """
    release = _site(request).release
    # Remove the slash that the request class adds at the end of each path.
    file = release.file(request.matchdict["file"].removesuffix("/"))
    if file is None or request.matchdict["release"] != release.hash:
        raise NotFound
    response = Response(file.content, content_type=file.media_type)
    response.headers.update({"Content-Type": file.media_type, "Cache-Control": FOREVER})
    _compress(request, response, file.compressed)
    return response


def config_file(request: Request) -> Response:
    request.only_reads = True
    config = _site(request).config(keys.current(request.work))
    return _asked(request, json.dumps(config).encode(), JSON)


def _asked(request: Request, body: bytes, media_type: str) -> Response:
    """A response that the browser caches, but checks with the service before each use."""
    response = Response(body, conditional_response=True)
    response.headers.update({"Content-Type": media_type, "Cache-Control": ASK})
    _compress(request, response, compressed(body))
    response.md5_etag()
    return response


def _compress(request: Request, response: Response, by_coding: Mapping[str, bytes]) -> None:
    """Send the first of these bodies whose content coding the client accepts."""
    if not by_coding:
        return
    response.vary = ("Accept-Encoding",)
    # Send clients without this header the uncompressed body. By the standard they accept any
    # encoding, but in practice few of them do.
    if "Accept-Encoding" not in request.headers:
        return
    for coding, _ in request.accept_encoding.acceptable_offers(list(by_coding))[:1]:
        response.body, response.content_encoding = by_coding[coding], coding


def _site(request: Request) -> Site:
    site: Site = request.registry.pages
    return site


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _add_front_end(config: Configurator, front_end: FrontEnd) -> None:
    def shell(request: Request) -> Response:
        site = _site(request)
        response = answer(request, site.shell(front_end), HTML)
        if not site.release.has_page(front_end, request.matchdict["below"]):
            # The document says that the page does not exist. Send it in full each time, never as
            # "304 Not Modified".
            response.status, response.conditional_response = 404, False
        return response

    def worker(request: Request) -> Response:
        return answer(request, _site(request).release.worker(front_end), SCRIPT)

    def manifest(request: Request) -> Response:
        name = request.registry.runtime.service.name
        return answer(request, _site(request).release.manifest(front_end, name), MANIFEST)

    def answer(request: Request, body: bytes, media_type: str) -> Response:
        response = _asked(request, body, media_type)
        response.headers.update(_site(request).headers(front_end))
        return response

    prefix = front_end.prefix
    if front_end.worker:
        _add_view(config, f"{prefix}sw.js/", worker)
    if front_end.manifest:
        _add_view(config, f"{prefix}app.webmanifest/", manifest)
    # Addresses of pages contain no dot, so a missing file such as /favicon.ico is a 404. So is a
    # version of the API that does not exist.
    _add_view(config, prefix + "{below:(?!v\\d+/|static/)[^.]*}", shell)


def _add_view(config: Configurator, path: str, view: Callable[[Request], Response]) -> None:
    route = f"pages {path}"
    config.add_route(route, path, request_method=READING)
    config.add_view(view, route_name=route)


def _add_front_ends(config: Configurator) -> None:
    """Add the routes of the front-ends, the longest prefixes first. The prefix "/" takes every path
    that no other route takes, so these routes come after all others."""
    front_ends = config.registry.runtime.catalogue[FrontEnd].values()
    for each in sorted(front_ends, key=lambda each: len(each.prefix), reverse=True):
        _add_front_end(config, each)


def make_site(event: Any) -> None:
    """Subscriber: read the files when the WSGI application starts. Raises ConfigurationError if a
    module imports a module that does not exist."""
    registry = event.app.registry
    registry.pages = Site(registry)


def includeme(config: Configurator) -> None:
    _add_view(config, "/static/{release:[0-9a-f]+}/{file:.+}", static_file)
    _add_view(config, "/pages/config.json/", config_file)
    # Routes that an action adds come after the routes of all plugins.
    config.action("front-ends", _add_front_ends, (config,), order=PHASE2_CONFIG)
    config.add_subscriber(make_site, "pyramid.events.ApplicationCreated")
