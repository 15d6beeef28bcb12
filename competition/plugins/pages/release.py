"""A release of the pages: all static files, the hash in their addresses, and the documents that
load them.

An address contains the hash of all files together. So browsers may cache a file forever, and never
mix the files of two releases. Modules import each other by relative paths, so nothing has to be
rewritten.

Modules are served without their comments, which are nearly half of their size. They are not
minified: compressing them with Brotli rather than gzip saves as much (an eighth), and can't break a
module. Stylesheets lose their spaces, too.
"""

import gzip
import hashlib
import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from html import escape
from pathlib import Path

import brotli
import rcssmin
from pyramid.exceptions import ConfigurationError

from competition.plugins.pages.front_ends import Files, FrontEnd, PageModule
from competition.plugins.pages.modules import Module, Unreadable, read
from competition.plugins.pages.routes import PARAMETER, Route, check_paths, routes_in

TEXT = "charset=utf-8"
# The media types of the files that are served. Other files, such as type declarations, are not
# served.
MEDIA_TYPES = {
    ".js": f"text/javascript; {TEXT}",
    ".css": f"text/css; {TEXT}",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": f"text/plain; {TEXT}",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
COMPRESSED = (".png", ".woff2")
HASH_LENGTH = 16
# The stylesheets of the base, in the order in which they apply.
BASE_STYLES = tuple(f"style/{name}.css" for name in ("tokens", "base", "pieces", "print"))
MAIN_STYLE = "style.css"
# The file in which the stylesheets of the base, or of a front-end, are joined. Joining saves
# requests, and the joined file is an eighth smaller than the single files.
ALL_STYLES = "all.css"
BASE_STYLE = f"style/{ALL_STYLES}"
ICON = "icon.svg"
FONT = "vendor/math.woff2"
# The module that loads a front-end.
FIRST = "ground/first.js"
VENDOR = "/vendor/"
# The name of a folder with a catalogue of texts, which has a module for each language.
TEXTS = "texts"

# The element `unloaded` follows the empty element `page`. If `page` is still empty after some
# seconds, `style/base.css` makes `unloaded` visible.
SHELL = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
{links}
<script type="module" src="{first}" data-main="{main}"></script>
</head>
<body>
<div id="page" data-routes='{routes}'></div>
<div id="unloaded" role="status">{unloaded}</div>
<noscript><p>This site needs JavaScript. Please enable it in your browser. If you need help, write \
to {support}.</p></noscript>
</body>
</html>
"""
# The texts in the document itself, by language. Browsers show them before they have loaded a
# catalogue of texts.
UNLOADED = {
    "en": '<p lang="en">This page has not loaded yet. <a href="">Load it again</a>: this deletes '
    "nothing, also in an exam. If it does not help, write to {support}.</p>",
    "fr": '<p lang="fr">Cette page n&rsquo;est pas encore chargée. <a href="">Charger à '
    "nouveau</a> : cela ne supprime rien, même pendant une épreuve. Si cela n&rsquo;aide pas, "
    "écrivez à {support}.</p>",
}


@dataclass(frozen=True)
class StaticFile:
    content: bytes
    media_type: str
    # The compressed content, by the names of the content codings, the smallest first. Empty if
    # compressing is of no use.
    compressed: Mapping[str, bytes]


class Release:
    """The files of the base (this plugin), of the front-ends, and of the plugins that add modules
    to them, by their paths."""

    def __init__(
        self, base: Files, front_ends: Iterable[FrontEnd], modules: Iterable[PageModule]
    ) -> None:
        self._base = base
        self._front_ends = tuple(front_ends)
        self._modules = tuple(modules)
        self._stamps = _stamps(self._sources)
        contents = _read(self._sources)
        self._contents = dict(sorted((contents | self._joined(contents)).items()))
        self._compressed: dict[str, StaticFile] = {}
        digest = hashlib.sha256()
        for path, content in self._contents.items():
            digest.update(f"{path}\0{len(content)}\0".encode() + content)
        self.hash = digest.hexdigest()[:HASH_LENGTH]
        self._routes = {each.name: self._declared(each) for each in self._front_ends}
        self._pages = {name: _pattern(declared) for name, declared in self._routes.items()}

    @property
    def _sources(self) -> set[Files]:
        front_ends = {each.files for each in self._front_ends}
        return {self._base, *front_ends, *(each.files for each in self._modules)}

    @property
    def is_current(self) -> bool:
        """Whether the files on disk are still those of this release."""
        return _stamps(self._sources) == self._stamps

    def compress(self) -> None:
        """Compress all files."""
        for path in self._contents:
            self.file(path)

    def file(self, path: str) -> StaticFile | None:
        """The file at this path, or None. The first call compresses it."""
        if path not in self._compressed and path in self._contents:
            self._compressed[path] = _compressed(path, self._contents[path])
        return self._compressed.get(path)

    def address(self, files: Files, file: str) -> str:
        """The address of a plugin's file."""
        return f"/static/{self.hash}/{files.path(file)}"

    def modules(self) -> dict[str, list[str]]:
        """The addresses of the added modules, by front-end."""
        return {
            front_end.name: [
                self.address(each.files, each.module) for each in self._added(front_end)
            ]
            for front_end in self._front_ends
        }

    def shell(
        self, front_end: FrontEnd, *, name: str, languages: Sequence[str], support: str
    ) -> str:
        """The HTML document that is served at all addresses of a front-end. `languages` are those
        of the pages, the most important one first."""
        main = front_end.files.path(front_end.main)
        icon = f'<link rel="icon" type="image/svg+xml" href="{self.address(self._base, ICON)}">'
        manifest = f'<link rel="manifest" href="{front_end.prefix}app.webmanifest">'
        links = [
            icon,
            *([manifest] if front_end.manifest else []),
            *(f'<link rel="stylesheet" href="{each}">' for each in self._styles(front_end)),
            *(f'<link rel="modulepreload" href="{each}">' for each in self._graph(main)),
        ]
        unloaded = "".join(UNLOADED[each] for each in languages if each in UNLOADED)
        return SHELL.format(
            language=escape(languages[0]),
            name=escape(name),
            links="\n".join(links),
            first=self.address(self._base, FIRST),
            main=self.address(front_end.files, front_end.main),
            routes=_attribute(json.dumps(self.routes(front_end), separators=(",", ":"))),
            unloaded=unloaded.format(support=escape(support)),
            support=escape(support),
        )

    def has_page(self, front_end: FrontEnd, path: str) -> bool:
        """Whether a route of this front-end, or of a plugin that adds to it, matches the path below
        the prefix."""
        parts = filter(None, path.split("/"))
        return self._pages[front_end.name].fullmatch("/" + "/".join(parts)) is not None

    def routes(self, front_end: FrontEnd) -> list[dict[str, str | bool]]:
        """The routes of a front-end and of the plugins that add to it, for the router. `module` is
        an address."""
        return [
            {key: value for key, value in asdict(each).items() if value is not False}
            for each in self._routes[front_end.name]
        ]

    def _declared(self, front_end: FrontEnd) -> list[Route]:
        """The routes of a front-end and of the plugins that add to it, with the addresses of the
        modules. Raises ConfigurationError if a file is not a list of routes, a module does not
        export its page, two pages have the same address, or a module that a page or a plugin loads
        does not exist."""
        added = self._added(front_end)
        found = []
        loaded = [each.files.path(each.module) for each in added]
        sources: list[FrontEnd | PageModule] = [front_end, *added]
        for source in sources:
            if source.routes is None:
                continue
            file = source.files.path(source.routes)
            for each in routes_in(file, self._contents[file]):
                module = posixpath.normpath(posixpath.join(posixpath.dirname(file), each.module))
                if module not in self._contents:
                    raise ConfigurationError(f"{file} names {each.module!r}, which does not exist.")
                if each.page not in self._module(module).exports:
                    raise ConfigurationError(f"{file}: {each.module} exports no {each.page!r}.")
                found.append(replace(each, module=f"/static/{self.hash}/{module}"))
                loaded.append(module)
        check_paths(front_end.name, found)
        self._reached(*loaded, with_texts=True)
        return found

    def _added(self, front_end: FrontEnd) -> list[PageModule]:
        """The modules that other plugins add to a front-end."""
        return [each for each in self._modules if each.front_end == front_end.name]

    def worker(self, front_end: FrontEnd) -> bytes:
        """The service worker of a front-end. It begins with the constant `RELEASE`, which has the
        hash and the addresses of the files that `main`, the modules `offline` and the modules of
        other plugins load, with the texts in all languages. So each release has a different worker,
        and browsers install the new one.

        Raises ConfigurationError if one of these modules does not exist."""
        assert front_end.worker is not None
        own = [front_end.files.path(each) for each in (front_end.main, *front_end.offline)]
        added = [each.files.path(each.module) for each in self._added(front_end)]
        release = {
            "hash": self.hash,
            "files": [
                *self._styles(front_end),
                self.address(self._base, FIRST),
                *self._graph(*own, *added, with_texts=True),
                self.address(self._base, ICON),
                self.address(self._base, FONT),
            ],
        }
        script = self._contents[front_end.files.path(front_end.worker)]
        return f"const RELEASE = {json.dumps(release)};\n".encode() + script

    def manifest(self, front_end: FrontEnd, name: str) -> bytes:
        """The manifest of a front-end, with the name of the league and the addresses of its
        icons."""
        assert front_end.manifest is not None
        manifest = json.loads((front_end.files.folder / front_end.manifest).read_text())
        for icon in manifest.get("icons", []):
            icon["src"] = self.address(front_end.files, icon["src"])
        return json.dumps({"name": name, "short_name": name, **manifest}).encode()

    def _joined(self, contents: Mapping[str, bytes]) -> dict[str, bytes]:
        """The stylesheets of the base joined into one file, and those of each front-end into
        another, its main stylesheet first. Comments and spaces are removed. The result has the
        content of each joined file by its path, which is in the folder of its first stylesheet, so
        that relative addresses still work."""
        base = [self._base.path(each) for each in BASE_STYLES]
        parts = {self._base.path(BASE_STYLE): [each for each in base if each in contents]}
        for front_end in self._front_ends:
            start = front_end.files.path("")
            main = front_end.files.path(MAIN_STYLE)
            own = [each for each in contents if each.startswith(start) and each.endswith(".css")]
            own.sort(key=lambda each: (each != main, each))
            parts[front_end.files.path(ALL_STYLES)] = own
        return {
            path: rcssmin.cssmin(b"\n".join(contents[each] for each in own))
            for path, own in parts.items()
        }

    def _styles(self, front_end: FrontEnd) -> list[str]:
        """The addresses of the stylesheets: those of the base, of the front-end, and of the modules
        that other plugins add to it."""
        added = [
            self.address(each.files, each.style) for each in self._added(front_end) if each.style
        ]
        own = self.address(front_end.files, ALL_STYLES)
        return [self.address(self._base, BASE_STYLE), own, *added]

    def _graph(self, *paths: str, with_texts: bool = False) -> list[str]:
        """The addresses of the modules at these paths, and of all modules that they import."""
        reached = self._reached(*paths, with_texts=with_texts)
        return [f"/static/{self.hash}/{each}" for each in reached]

    def _reached(self, *paths: str, with_texts: bool = False) -> list[str]:
        """The paths of these modules, and of all modules that they import, directly or indirectly.
        `with_texts` adds the texts in all languages. Raises ConfigurationError if one of the
        modules does not exist."""
        found = list(paths)
        for path in found:
            module = self._module(path)
            texts = [each for each in module.later if each.split("/")[-2:-1] == [TEXTS]]
            for imported in [*module.imports, *(texts if with_texts else [])]:
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))
                if target not in self._contents or not imported.startswith("."):
                    raise ConfigurationError(f"{path} imports {imported!r}, which does not exist.")
                if target not in found:
                    found.append(target)
        return found

    def _module(self, path: str) -> Module:
        return _module(path, self._contents[path])


def _found(sources: Iterable[Files]) -> Iterator[tuple[str, Path]]:
    """The served files, by their paths in a release."""
    for each in sources:
        for file in each.folder.rglob("*"):
            if file.suffix in MEDIA_TYPES:
                yield each.path(file.relative_to(each.folder).as_posix()), file


def _read(sources: Iterable[Files]) -> dict[str, bytes]:
    return {path: without_comments(path, file.read_bytes()) for path, file in _found(sources)}


def without_comments(path: str, content: bytes) -> bytes:
    """The content of a file, without the comments if it is one of the service's own modules.

    The line breaks in comments stay, so that browsers' errors name the lines of the file.

    Raises ConfigurationError for a module that is not valid JavaScript.
    """
    if not path.endswith(".js") or VENDOR in path:
        return content
    return _module(path, content).code


def _module(path: str, content: bytes) -> Module:
    try:
        return read(content)
    except Unreadable as error:
        raise ConfigurationError(f"{path}: {error}.") from error


def _attribute(text: str) -> str:
    """The text as an attribute between single quotes. JSON is full of double quotes, which would
    take six characters each if they were escaped."""
    return escape(text, quote=False).replace("'", "&#x27;")


def _pattern(declared: Iterable[Route]) -> re.Pattern[str]:
    """A regular expression that matches the paths of these pages, without the prefix."""
    paths = ("/" + each.path.strip("/") for each in declared)
    patterns = ("[^/]+".join(map(re.escape, PARAMETER.split(path))) for path in paths)
    return re.compile("|".join(patterns))


def _stamps(sources: Iterable[Files]) -> dict[str, tuple[int, int]]:
    """The modification times and sizes of the files, by which `is_current` notices changes."""
    stats = {path: file.stat() for path, file in _found(sources)}
    return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in stats.items()}


def _compressed(path: str, content: bytes) -> StaticFile:
    suffix = posixpath.splitext(path)[1]
    return StaticFile(
        content, MEDIA_TYPES[suffix], {} if suffix in COMPRESSED else compressed(content)
    )


@lru_cache(maxsize=1024)
def compressed(content: bytes) -> Mapping[str, bytes]:
    """A text in the content codings that browsers accept, the smallest first. Browsers accept
    Brotli (`br`) from https and localhost only.

    Brotli and gzip compress at their best level. For all files together, this takes Brotli a
    second. Results are cached, also for the documents of the pages, which are created for each
    request.
    """
    return {"br": brotli.compress(content), "gzip": gzip.compress(content, mtime=0)}
