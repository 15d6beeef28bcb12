"""Multipart bodies: read as they stream, and rejected as soon as a file is too large.

No file is held in memory as a whole. `competition.core.storage.pictures` checks what is in it.
"""

import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Any

import multipart

from competition.core.errors import ApiError, Invalid, UnsupportedMediaType
from competition.core.storage.pictures import FORMATS, received_file
from competition.core.web.request import MULTIPART, Request

# Bytes of a file that stay in memory; the rest goes to a temporary file.
IN_MEMORY = 64 * 1024
# The longest text field, in bytes.
LARGEST_TEXT = 64 * 1024
MOST_PARTS = 20
# Room for texts, headers and boundaries around the files, in bytes.
OVERHEAD = 1024 * 1024


class FileSizeExceeded(ApiError):
    status = 400
    code = "file_size_exceeded"
    detail = "The file is too large."


@dataclass(frozen=True)
class Upload:
    """A file field of a form. `largest` is in bytes. With `pdf` it takes documents as well as
    pictures."""

    name: str
    largest: int
    pdf: bool = False

    @property
    def content_types(self) -> tuple[str, ...]:
        images = tuple(f"image/{kind.lower()}" for kind in FORMATS)
        return (*images, "application/pdf") if self.pdf else images


def largest_form(uploads: Iterable[Upload]) -> int:
    """The largest body with these files, in bytes."""
    return sum(upload.largest for upload in uploads) + OVERHEAD


def read_form(request: Request, uploads: tuple[Upload, ...]) -> dict[str, Any]:
    """The fields of a form by name: a string, or a ReceivedFile for each of the `uploads`.

    Raises UnsupportedMediaType, Invalid, InvalidFileType, FileSizeExceeded.
    """
    media_type, options = multipart.parse_options_header(request.headers.get("Content-Type", ""))
    if media_type != MULTIPART or not options.get("boundary"):
        raise UnsupportedMediaType(f"Send the body as {MULTIPART}.")
    known = {upload.name: upload for upload in uploads}
    values: dict[str, Any] = {}
    length = request.content_length
    if length is not None and length > largest_form(uploads):
        raise FileSizeExceeded
    spools = ExitStack()
    # The temporary files last until the response, whether the view makes it or an error.
    request.add_finished_callback(lambda request: spools.close())
    try:
        parser = multipart.PushMultipartParser(
            options["boundary"],
            content_length=-1 if length is None else length,
            max_segment_count=MOST_PARTS,
        )
        _read_parts(parser.parse_blocking(request.body_file_raw.read), known, spools, values)
    except (multipart.MultipartError, UnicodeDecodeError):
        raise Invalid(f"The body is not valid {MULTIPART}.") from None
    return values


def _read_parts(
    events: Iterable[Any], known: dict[str, Upload], spools: ExitStack, values: dict[str, Any]
) -> None:
    segment: Any = None
    upload: Upload | None = None
    stream: IO[bytes]
    for event in events:
        if isinstance(event, multipart.MultipartSegment):
            segment = event
            if not segment.name or segment.name in values:
                raise Invalid("A part of the form has no name, or one that was there before.")
            upload = known.get(segment.name) if segment.filename else None
            stream = spools.enter_context(_spool())
        elif event:
            if upload is not None and stream.tell() + len(event) > upload.largest:
                raise FileSizeExceeded(f"{segment.name} is too large.")
            # A part that is no file, or an unknown one, is cut at the length of a text field.
            if upload is not None or stream.tell() <= LARGEST_TEXT:
                stream.write(event)
        elif upload is not None:
            values[upload.name] = received_file(
                stream, upload.name, filename=segment.filename, pdf=upload.pdf
            )
        elif segment is not None and not segment.filename:
            stream.seek(0)
            values[segment.name] = stream.read().decode()


def _spool() -> IO[bytes]:
    return tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)
