"""The front-ends, and the modules that other plugins add to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

from competition.core.auth.identity import Kind
from competition.core.catalogue import OwnName, catalogue_of
from competition.core.mail.links import PageLinks

STATIC = "static"


@dataclass(frozen=True)
class Files:
    """The static files of a plugin: the files in its folder `static`. They are served below the
    plugin's name, so that relative links between plugins are the same as in `competition/plugins`.
    """

    plugin: str
    folder: Path

    def path(self, file: str) -> str:
        """The path of one of the files in a release."""
        return f"{self.plugin}/{STATIC}/{file}"


@dataclass(frozen=True)
class FrontEnd(OwnName):
    """The pages for one group of users, such as candidates: all addresses that begin with `prefix`.

    `main` is the module that starts the pages. `worker` is a service worker, which is served below
    the prefix. It caches the files that `main`, the modules `offline` and the modules of other
    plugins load. `manifest` is the web app's manifest. With `shows_files` the pages may load files
    from the storage's own origin, and with `shows_frames` they may show a PDF in a frame. `routes`
    declares the pages: see `routes.py`.
    """

    name: str
    prefix: str
    files: Files
    main: str
    worker: str | None
    manifest: str | None
    shows_files: bool
    shows_frames: bool
    offline: tuple[str, ...] = ()
    routes: str | None = None


@dataclass(frozen=True)
class PageModule(OwnName):
    """A plugin's addition to a front-end: a module, its stylesheet, and the pages that the file
    `routes` declares."""

    front_end: str
    files: Files
    module: str
    style: str | None = None
    routes: str | None = None


def add_front_end(
    config: Configurator,
    name: str,
    prefix: str,
    *,
    main: str = "main.js",
    routes: str = "routes.json",
    worker: str | None = None,
    offline: tuple[str, ...] = (),
    manifest: str | None = None,
    shows_files: bool = False,
    shows_frames: bool = False,
    kind: Kind | None = None,
    links: Mapping[str, str] | None = None,
) -> None:
    """Configuration directive ``config.add_front_end("console", "/console/")``: serve the pages in
    the folder `static` of the plugin. The file `routes` declares the pages.

    `offline` names the modules of pages that must open without a connection. `links` has the paths
    of pages that emails link to, by subject: ``{"results": "results"}`` with the prefix
    ``/console/`` is ``/console/results``. With `kind`, only emails to accounts of this kind link to
    these pages. Raises ConfigurationError for a prefix without slashes or a file that does not
    exist.
    """
    if not (prefix.startswith("/") and prefix.endswith("/")):
        raise ConfigurationError(f"The prefix {prefix!r} must begin and end with a slash.")
    files = _files(config, main, routes, worker, manifest, *offline)
    front_end = FrontEnd(
        name, prefix, files, main, worker, manifest, shows_files, shows_frames, offline, routes
    )
    catalogue = catalogue_of(config)
    catalogue.add(FrontEnd, name, front_end)
    paths = {subject: prefix + path for subject, path in (links or {}).items()}
    catalogue.add(PageLinks, name, PageLinks(kind, paths))


def add_page_module(
    config: Configurator,
    front_end: str,
    module: str,
    *,
    style: str | None = None,
    routes: str | None = None,
) -> None:
    """Configuration directive ``config.add_page_module("console", "pages.js",
    routes="routes.json")``: add a module in the folder `static` of the plugin to a front-end, and
    the pages that the file `routes` declares. Raises ConfigurationError if there is no such
    front-end or file."""
    catalogue = catalogue_of(config)
    if front_end not in catalogue[FrontEnd]:
        raise ConfigurationError(
            f"A page module is added to {front_end!r}, but there is no front-end of this name."
            " Require the plugin that has it."
        )
    files = _files(config, module, style, routes)
    added = PageModule(front_end, files, module, style, routes)
    catalogue.add(PageModule, f"{files.plugin}.{front_end}.{module}", added)


def _files(config: Configurator, *files: str | None) -> Files:
    """The static files of the plugin that is being included. Raises ConfigurationError if the
    plugin is not a package, or if it lacks one of these files."""
    package: ModuleType = config.package
    plugin = config.registry.runtime.packages.get(package.__name__)
    if plugin is None or package.__file__ is None:
        raise ConfigurationError("A plugin with pages must be a package with a folder `static`.")
    folder = Path(package.__file__).parent / STATIC
    for file in filter(None, files):
        if not (folder / file).is_file():
            raise ConfigurationError(f"The plugin {plugin} has no file {STATIC}/{file}.")
    return Files(plugin, folder)


def includeme(config: Configurator) -> None:
    config.add_directive("add_front_end", add_front_end)
    config.add_directive("add_page_module", add_page_module)
