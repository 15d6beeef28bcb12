"""Multipart bodies: read as they stream, refused as soon as a file is too large.

A file is judged by its name and by its content (decisions F5). Nothing is held whole in memory.
"""

import os
import re
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import PurePath
from typing import IO, Any

import multipart
from PIL import Image
from pyramid.request import Request

from competition.core.errors import ApiError, Invalid, UnsupportedMediaType

MULTIPART = "multipart/form-data"
FORMATS = ("JPEG", "PNG", "WEBP")
# Pillow opens a JPEG that has further pictures in it, as telephones make them, as MPO.
IMAGES = {"JPEG": "jpg", "MPO": "jpg", "PNG": "png", "WEBP": "webp"}
EXTENSIONS = {"jpg": "jpg", "jpeg": "jpg", "png": "png", "webp": "webp", "pdf": "pdf"}
# Pixels, as the first bytes of a picture say: in a kilobyte there can be half a gigabyte to read.
# Telephones take 25 million, as JPEG, which is read in a smaller size; others are read whole. Ours
# is a refusal; Pillow's own limit would only be a warning.
MOST_PIXELS = {"JPEG": 25_000_000, "MPO": 25_000_000, "PNG": 13_000_000, "WEBP": 13_000_000}
Image.MAX_IMAGE_PIXELS = None
# Of a picture, besides its pixels, and of those: each takes a reader a moment, and a file has room
# for a million.
MOST_PIECES = 500
MOST_PIECES_OF_PIXELS = 20_000
# Of a progressive JPEG, which has about ten.
MOST_SCANS = 50
# Markers of a JPEG: with nothing behind them, of a scan, of the end; and any among the pixels.
JPEG_ALONE = (0x01, *range(0xD0, 0xDA))
JPEG_SCAN, JPEG_END = 0xDA, 0xD9
JPEG_MARKER = re.compile(rb"\xff([^\x00\xd0-\xd7\xff])", re.DOTALL)
# Where readers look for the end of a PDF, and for the directory of a ZIP, in bytes from the end.
PDF_END = b"%%EOF"
PDF_TAIL = 1024
ARCHIVE_TAIL = 22 + 0xFFFF
IN_MEMORY = 64 * 1024
LARGEST_TEXT = 64 * 1024
MOST_PARTS = 20
# Texts, headers and boundaries around the files.
OVERHEAD = 1024 * 1024


class InvalidFileType(ApiError):
    status = 400
    code = "invalid_file_type"
    detail = "The file has a type that is not accepted here."


class FileSizeExceeded(ApiError):
    status = 400
    code = "file_size_exceeded"
    detail = "The file is too large."


@dataclass(frozen=True)
class Upload:
    """A file field. `largest` in bytes."""

    name: str
    largest: int
    pdf: bool = False

    @property
    def content_types(self) -> tuple[str, ...]:
        images = tuple(f"image/{kind.lower()}" for kind in FORMATS)
        return (*images, "application/pdf") if self.pdf else images


@dataclass
class ReceivedFile:
    """`extension` says what the content is."""

    stream: IO[bytes]
    extension: str


def largest_form(uploads: Iterable[Upload]) -> int:
    """Bytes of a body with these files."""
    return sum(upload.largest for upload in uploads) + OVERHEAD


def read_form(request: Request, uploads: tuple[Upload, ...]) -> dict[str, Any]:
    """Texts and ReceivedFiles by field, each of them once.

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
    # Until the request is answered, whether that is by the view or by a refusal.
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
            # Of what is not a file, or not one of ours, no more is kept than any field may have.
            if upload is not None or stream.tell() <= LARGEST_TEXT:
                stream.write(event)
        elif upload is not None:
            values[upload.name] = _judge(upload, segment.filename, stream)
        elif segment is not None and not segment.filename:
            stream.seek(0)
            values[segment.name] = stream.read().decode()


def _spool() -> IO[bytes]:
    return tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)


def _judge(upload: Upload, filename: str, stream: IO[bytes]) -> ReceivedFile:
    suffix = PurePath(filename).suffix.lstrip(".").lower()
    accepted = {*IMAGES.values(), *(["pdf"] if upload.pdf else [])}
    if suffix and EXTENSIONS.get(suffix) not in accepted:
        raise InvalidFileType(f"{upload.name}: .{suffix[:20]} files are not accepted.")
    extension = _content(stream)
    if extension not in accepted:
        raise InvalidFileType(f"{upload.name}: the content is not of an accepted type.")
    return ReceivedFile(stream, extension)


def _content(stream: IO[bytes]) -> str | None:
    """The extension that fits the content, whatever its name says; None for anything unknown or
    broken. Raises InvalidFileType for a picture that would take too much to read."""
    stream.seek(0)
    if _ends_as_archive(stream):
        return None
    stream.seek(0)
    if stream.read(5) == b"%PDF-":
        return "pdf" if PDF_END in _tail(stream, PDF_TAIL) else None
    stream.seek(0)
    begin = stream.read(8)
    if begin.startswith(b"\xff\xd8") and not _jpeg_ends(stream):
        return None
    if begin == b"\x89PNG\r\n\x1a\n" and not _png_is_modest(stream):
        return None
    stream.seek(0)
    try:
        with Image.open(stream, formats=FORMATS) as image:
            form = str(image.format)
            if image.width * image.height > MOST_PIXELS[form]:
                raise InvalidFileType(
                    f"The picture has too many pixels: a {form} has {MOST_PIXELS[form]:,} at most."
                )
            image.verify()
            return IMAGES[form]
    except InvalidFileType:
        raise
    except Exception:  # whatever Pillow says of a broken picture: its types are not documented
        return None


def _ends_as_archive(stream: IO[bytes]) -> bool:
    """Whether the file is a ZIP archive as well: a ZIP reader looks for a directory at the end, and
    whatever stands before it may be a picture."""
    tail = _tail(stream, ARCHIVE_TAIL)
    begin = stream.tell() - len(tail)
    for end in re.finditer(rb"PK\x05\x06.{8}(.{4})", tail, re.DOTALL):
        if tail.startswith(b"PK\x06\x07", max(0, end.start() - 20)):  # the form of large ones
            return True
        directory = begin + end.start() - int.from_bytes(end[1], "little")
        if directory >= 0:
            stream.seek(directory)
            if stream.read(4) == b"PK\x01\x02":
                return True
    return False


def _tail(stream: IO[bytes], size: int) -> bytes:
    """The last bytes of a stream, which is at its end then."""
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - size))
    return stream.read()


def _jpeg_ends(stream: IO[bytes]) -> bool:
    """Whether the JPEG is complete, in not too many pieces. Pillow would only notice by decoding
    it, and what that costs is up to who made the file."""
    stream.seek(2)
    return _jpeg_begins(stream) and _jpeg_scans_end(stream)


def _jpeg_begins(stream: IO[bytes]) -> bool:
    """To the marker of the first scan."""
    for _ in range(MOST_PIECES):
        marker = stream.read(2)
        if marker == b"\xff\xda":
            return True
        if len(marker) < 2:
            return False
        if marker[0] != 0xFF or marker[1] in (0x00, 0xFF):
            # Padding, and what a reader passes over, too.
            stream.seek(-1, os.SEEK_CUR)
        elif marker[1] not in JPEG_ALONE and not _skip_segment(stream):
            return False
    return False


def _jpeg_scans_end(stream: IO[bytes]) -> bool:
    """To the end marker. Of a picture that comes in several scans each is a few bytes, perhaps, and
    a reader goes over all pixels for it."""
    marker: int | None = JPEG_SCAN
    scans = 0
    for _ in range(MOST_PIECES):
        scans += marker == JPEG_SCAN
        if marker is None or scans > MOST_SCANS:
            return False
        if marker == JPEG_END:
            return True
        if marker not in JPEG_ALONE and not _skip_segment(stream):
            return False
        marker = _next_marker(stream)
    return False


def _skip_segment(stream: IO[bytes]) -> bool:
    """False where there is none: it says how long it is, and that takes two bytes."""
    size = int.from_bytes(stream.read(2))
    if size >= 2:
        stream.seek(size - 2, os.SEEK_CUR)
    return size >= 2


def _next_marker(stream: IO[bytes]) -> int | None:
    """Over the pixels, which are escaped: nothing in them looks like one."""
    while chunk := stream.read(IN_MEMORY):
        found = JPEG_MARKER.search(chunk)
        if found:
            stream.seek(found.end() - len(chunk), os.SEEK_CUR)
            return found[1][0]
        if len(chunk) > 1 and chunk.endswith(b"\xff"):
            stream.seek(-1, os.SEEK_CUR)
    return None


def _png_is_modest(stream: IO[bytes]) -> bool:
    """Whether the PNG is in not too many pieces. A reader inflates some of them, again and
    again."""
    pieces = pixels = 0
    while len(head := stream.read(8)) == 8 and head[4:] != b"IEND":
        if head[4:] in (b"IDAT", b"fdAT"):
            pixels += 1
        else:
            pieces += 1
        if pieces > MOST_PIECES or pixels > MOST_PIECES_OF_PIXELS:
            return False
        stream.seek(int.from_bytes(head[:4]) + 4, os.SEEK_CUR)
    return True
