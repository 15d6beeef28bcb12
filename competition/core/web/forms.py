"""Read multipart bodies as a stream, and reject a file as soon as it exceeds its limit.

No file is in memory as a whole. `competition.core.storage.pictures` checks the content of files.
"""

import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO, Any

import colander
import multipart

from competition.core.errors import (
    ApiError,
    Invalid,
    ServiceUnavailable,
    UnsupportedMediaType,
)
from competition.core.messages import Message
from competition.core.schemas import Type
from competition.core.storage.pictures import FORMATS, ReceivedFile, received_file
from competition.core.web.request import MULTIPART, Request

# The largest file that stays in memory, in bytes. A larger file goes to a temporary file.
IN_MEMORY = 64 * 1024
# The longest text field, in bytes.
LARGEST_TEXT = 64 * 1024
MOST_PARTS = 20
# The largest total size of the forms that a process reads or processes at the same time, in bytes.
# Their files may take as much space in the temporary folder.
MOST_AT_ONCE = 96 * 1024 * 1024
# Allowance for text fields, headers and boundaries around the files, in bytes.
OVERHEAD = 1024 * 1024


class FileSizeExceeded(ApiError):
    status = 400
    code = "file_size_exceeded"
    advice = "Send a smaller file. The API reference has the largest size of each file."
    detail = Message("The file is too large. Send a smaller file.")


class Forms:
    """The total size of the forms that the process is reading or processing. There is one instance
    per process (`Runtime.part`)."""

    def __init__(self) -> None:
        self._bytes = 0
        self._lock = threading.Lock()

    @contextmanager
    def room(self, size: int) -> Iterator[None]:
        """Context manager: count a form of `size` bytes while it is read and processed. Raises
        ServiceUnavailable if all forms together would exceed `MOST_AT_ONCE`."""
        with self._lock:
            if self._bytes + size > MOST_AT_ONCE:
                raise ServiceUnavailable
            self._bytes += size
        try:
            yield
        finally:
            with self._lock:
                self._bytes -= size


@dataclass(frozen=True)
class Upload:
    """A file field of a form. `largest` is the size of the largest accepted file, in bytes. With
    `pdf` the field accepts PDF documents that open without a password, as well as pictures.
    `longest_side` is the largest width and height of a picture, in pixels. If it is None, the
    number of pixels is limited instead.

    A field for other files has `media_types`. The view then checks their content. The web pages get
    the size and the types of the field under its name. If another endpoint has a field of the same
    name, set `rule` to a name to use instead.
    """

    name: str
    largest: int
    pdf: bool = False
    longest_side: int | None = None
    media_types: tuple[str, ...] = ()
    rule: str = ""

    @property
    def content_types(self) -> tuple[str, ...]:
        if self.media_types:
            return self.media_types
        images = tuple(f"image/{kind.lower()}" for kind in FORMATS)
        return (*images, "application/pdf") if self.pdf else images


class FormFile(Type):
    """The type of a file field in the schema of a form. The endpoint must also declare the field as
    an Upload in its `files`."""

    schema = {"type": "string", "format": "binary"}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> ReceivedFile:
        if not isinstance(value, ReceivedFile):
            raise colander.Invalid(node, Message("This field must be a file."))
        return value


def largest_form(uploads: Iterable[Upload]) -> int:
    """The size of the largest body with these files, in bytes."""
    return sum(upload.largest for upload in uploads) + OVERHEAD


def read_form(request: Request, uploads: tuple[Upload, ...]) -> dict[str, Any]:
    """The fields of a form by name: a string, or a ReceivedFile for each of the `uploads`.

    Raises UnsupportedMediaType, Invalid, InvalidFileType, FileSizeExceeded, and ServiceUnavailable
    if the process has too many forms at the moment.
    """
    media_type, options = multipart.parse_options_header(request.headers.get("Content-Type", ""))
    if media_type != MULTIPART or not options.get("boundary"):
        raise UnsupportedMediaType(Message("Send the body as ${type}.", type=MULTIPART))
    known = {upload.name: upload for upload in uploads}
    length = request.content_length
    largest = largest_form(uploads)
    if length is not None and length > largest:
        raise FileSizeExceeded
    spools = ExitStack()
    # Close the temporary files after the response, also if the response is an error.
    request.add_finished_callback(lambda request: spools.close())
    forms = request.registry.runtime.part(Forms)
    spools.enter_context(forms.room(largest if length is None else length))
    try:
        parser = multipart.PushMultipartParser(
            options["boundary"],
            content_length=-1 if length is None else length,
            max_segment_count=MOST_PARTS,
        )
        return _read_parts(parser.parse_blocking(request.body_file_raw.read), known, spools)
    except (multipart.MultipartError, UnicodeDecodeError):
        raise Invalid(
            Message("The body is not valid ${type}. Check its syntax.", type=MULTIPART)
        ) from None


def _read_parts(
    events: Iterable[Any], known: dict[str, Upload], spools: ExitStack
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    segment: Any = None
    upload: Upload | None = None
    stream: IO[bytes]
    for event in events:
        if isinstance(event, multipart.MultipartSegment):
            segment = event
            if not segment.name or segment.name in values:
                raise Invalid(
                    Message(
                        "A part of the form has no name, or the name of another part. "
                        "Give each part its own name."
                    )
                )
            upload = known.get(segment.name) if segment.filename else None
            stream = spools.enter_context(_spool())
        elif event:
            if upload is not None and stream.tell() + len(event) > upload.largest:
                raise FileSizeExceeded.field(upload.name, FileSizeExceeded.detail)
            # Text fields and unknown files are cut off at the length of a text field.
            if upload is not None or stream.tell() <= LARGEST_TEXT:
                stream.write(event)
        elif upload is not None and upload.media_types:
            values[upload.name] = ReceivedFile(stream, "", upload.name, segment.filename)
        elif upload is not None:
            values[upload.name] = received_file(
                stream,
                upload.name,
                filename=segment.filename,
                pdf=upload.pdf,
                longest_side=upload.longest_side,
            )
        elif segment is not None and not segment.filename:
            stream.seek(0)
            values[segment.name] = stream.read().decode()
    return values


def _spool() -> IO[bytes]:
    return tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)
