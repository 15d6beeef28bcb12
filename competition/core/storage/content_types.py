"""The types of files that can be stored, by their extensions. Core registers pictures and PDF."""

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
# The type of a file whose extension is no longer registered, because the plugin is disabled.
UNKNOWN = "application/octet-stream"


class UnknownContentType(Exception):
    """No content type is registered for an extension. The message lists the registered
    extensions."""


@dataclass(frozen=True)
class ContentType:
    """A type of files. `media_type` is the Content-Type of downloads."""

    extension: str
    media_type: str


def of_extension(catalogue: Catalogue, extension: str) -> str:
    """The media type of an extension. Raises UnknownContentType if it is not registered."""
    known = catalogue[ContentType]
    if extension not in known:
        raise UnknownContentType(
            f"Files with the extension {extension!r} can't be stored, only {', '.join(known)}."
            " Add the extension with config.add_content_type."
        )
    return known[extension].media_type


def of_key(catalogue: Catalogue, key: str) -> str:
    """The media type of a stored file, from the extension in its key; `UNKNOWN` if the extension is
    not registered."""
    known = catalogue[ContentType].get(keys.extension(key))
    return known.media_type if known else UNKNOWN


def add_content_type(config: Configurator, extension: str, media_type: str) -> None:
    """Configuration directive ``config.add_content_type("svg", "image/svg+xml")``: register a type
    of files that can be stored.

    Several plugins may register the same type. Raises ConfigurationError if a value is malformed,
    or the extension already has another type.
    """
    if not keys.EXTENSION.fullmatch(extension):
        raise ConfigurationError(f"{extension!r} is not an extension, such as 'svg'.")
    if not MEDIA_TYPE.fullmatch(media_type):
        raise ConfigurationError(
            f"{media_type!r} is not a media type. Write one like 'image/svg+xml'."
        )
    catalogue = catalogue_of(config)
    added = ContentType(extension, media_type)
    if catalogue[ContentType].get(extension) != added:
        catalogue.add(ContentType, extension, added)


def includeme(config: Configurator) -> None:
    config.add_directive("add_content_type", add_content_type)
    for extension, media_type in CORE.items():
        add_content_type(config, extension, media_type)
