"""Which types of files can be stored, each known by its extension. Core brings pictures and PDF."""

import re
from dataclasses import dataclass

from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import Catalogue, catalogue_of
from competition.core.storage import keys

CORE = {
    "jpg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
    "pdf": "application/pdf",
}
MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.+-]*", re.ASCII)
# Of a file whose type nobody knows any more: its plugin is off.
UNKNOWN = "application/octet-stream"


class UnknownContentType(Exception):
    """No content type has this extension; the message lists those there are."""


@dataclass(frozen=True)
class ContentType:
    """`media_type` is what a download is sent as."""

    extension: str
    media_type: str


def of_extension(catalogue: Catalogue, extension: str) -> str:
    """The media type of an extension. Raises UnknownContentType."""
    known = catalogue[ContentType]
    if extension not in known:
        raise UnknownContentType(
            f"No file with the extension {extension!r} can be stored, only {', '.join(known)}:"
            " a plugin adds others with config.add_content_type."
        )
    return known[extension].media_type


def of_key(catalogue: Catalogue, key: str) -> str:
    """The media type of a stored file."""
    known = catalogue[ContentType].get(keys.extension(key))
    return known.media_type if known else UNKNOWN


def add_content_type(config: Configurator, extension: str, media_type: str) -> None:
    """Configuration directive ``config.add_content_type("svg", "image/svg+xml")``. Several plugins
    may add the same one. Raises ConfigurationError for an extension that has another type
    already."""
    if not keys.EXTENSION.fullmatch(extension):
        raise ConfigurationError(f"{extension!r} is no extension, such as 'svg'.")
    if not MEDIA_TYPE.fullmatch(media_type):
        raise ConfigurationError(f"{media_type!r} is no media type, such as 'image/svg+xml'.")
    catalogue = catalogue_of(config)
    added = ContentType(extension, media_type)
    if catalogue[ContentType].get(extension) != added:
        catalogue.add(ContentType, extension, added)


def includeme(config: Configurator) -> None:
    config.add_directive("add_content_type", add_content_type)
    for extension, media_type in CORE.items():
        add_content_type(config, extension, media_type)
