"""Check pictures and PDF documents that clients send, before they are stored.

A file is judged by its name and by its content (decisions F5). A picture that would take too much
time or memory to decode is rejected before it is decoded.
"""

import os
import re
import threading
from dataclasses import dataclass
from pathlib import PurePath
from typing import IO

from PIL import Image

from competition.core.errors import ApiError
from competition.core.messages import Message
from competition.core.storage.unreadable_pdfs import Fault, fault

# Pillow's names of the accepted formats, by the extensions of stored files.
FORMAT_OF = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP"}
FORMATS = tuple(FORMAT_OF.values())
# MPO is Pillow's name for a JPEG that contains further pictures. Some telephones create such files.
IMAGES = {"MPO": "jpg", **{form: extension for extension, form in FORMAT_OF.items()}}
# Chrome on Windows saves JPEGs as `jfif`. It and Firefox also offer the last three.
JPEG_EXTENSIONS = dict.fromkeys(("jpg", "jpeg", "jpe", "jfif", "jif", "pjpeg", "pjp"), "jpg")
EXTENSIONS = {**JPEG_EXTENSIONS, "png": "png", "webp": "webp", "pdf": "pdf"}
# What follows the last dot of a name and is no extension: a part of a time or date, or words.
NO_EXTENSION = re.compile(r"[0-9]+|.*\s.*", re.DOTALL)
# The names of the accepted types, for people.
TYPES = ("JPEG", "PNG", "WebP")
# The most pixels of a picture, as stated in its header: a kilobyte can decode to half a gigabyte.
# A JPEG may have more, because telephones take pictures of 25 million pixels, and because a JPEG
# can be decoded in a smaller size. Pillow's own limit is off, because Pillow only warns about
# pictures of up to twice that limit.
MOST_PIXELS = {"JPEG": 25_000_000, "MPO": 25_000_000, "PNG": 13_000_000, "WEBP": 13_000_000}
Image.MAX_IMAGE_PIXELS = None
# The most chunks of a picture that are not pixels, and the most chunks of pixels. Reading takes
# time for each chunk, and a file can have a million of them.
MOST_PIECES = 500
MOST_PIECES_OF_PIXELS = 20_000
# The most scans of a progressive JPEG, which usually has about ten.
MOST_SCANS = 50
# Markers of a JPEG: those without content, the start of a scan, the end, and those that may come
# after pixels.
JPEG_ALONE = (0x01, *range(0xD0, 0xDA))
JPEG_SCAN, JPEG_END = 0xDA, 0xD9
JPEG_MARKER = re.compile(rb"\xff([^\x00\xd0-\xd7\xff])", re.DOTALL)
# Readers search the first `PDF_HEAD` bytes of a PDF for its header. Some readers search the last
# `PDF_TAIL` bytes for its end marker.
PDF_BEGIN, PDF_END = b"%PDF-", b"%%EOF"
PDF_HEAD = PDF_TAIL = 1024
PICTURE_BEGINS = (b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF")
# How many of the last bytes readers search for the directory of a ZIP.
ARCHIVE_TAIL = 22 + 0xFFFF
# How much of a file is read at a time, in bytes.
CHUNK = 64 * 1024
DAMAGED = Message("The file is damaged or incomplete. Please send it again.")
LOCKED = Message("This PDF is protected by a password. Save it without one, and send it again.")
# Held while a picture is decoded. A process decodes one at a time, because each may take 250 MB of
# memory.
decoding = threading.Lock()


class InvalidFileType(ApiError):
    status = 400
    code = "invalid_file_type"
    advice = "Send a file of a type that the API reference lists for this field."
    detail = Message(
        "The file has a type that is not accepted here. The API reference lists the accepted types."
    )


@dataclass
class ReceivedFile:
    """A file from a client. `field` is the name of the form's field.

    For a checked picture or PDF document, `extension` is the type of the content, whatever the
    client named the file, and `filename` is empty. A file of another type (`Upload.media_types`)
    has not been checked: `extension` is empty, and `filename` is the name that the client sent.
    """

    stream: IO[bytes]
    extension: str
    field: str = "file"
    filename: str = ""


def received_file(
    stream: IO[bytes],
    name: str,
    *,
    filename: str,
    pdf: bool = False,
    longest_side: int | None = None,
) -> ReceivedFile:
    """Check the file in the stream: it has to be a picture or, if `pdf` is true, a PDF document.
    Bytes before the header of a PDF, or long after its end, are removed from the stream.

    `name` is the name of the form's field, for the error message. With `longest_side`, in pixels, a
    picture is judged by its sides instead of the number of its pixels. Raises InvalidFileType if
    the file is of another type, is broken, needs a password, or has no pages or too many pixels.
    """
    suffix = extension_of(filename)
    accepted = {*IMAGES.values(), *(["pdf"] if pdf else [])}
    types = [*TYPES, *(["PDF"] if pdf else [])]
    if suffix and EXTENSIONS.get(suffix) not in accepted:
        raise InvalidFileType.field(
            name,
            Message(
                ".${suffix} files are not accepted here. The accepted types are: ${types}.",
                suffix=suffix[:20],
                types=types,
            ),
        )
    extension = _content(stream, name, longest_side)
    if extension not in accepted:
        raise InvalidFileType.field(
            name,
            Message(
                "The content of the file is not of an accepted type. The accepted types are:"
                " ${types}.",
                types=types,
            ),
        )
    if extension == "pdf" and (found := fault(stream)):
        raise InvalidFileType.field(name, LOCKED if found is Fault.NEEDS_PASSWORD else DAMAGED)
    return ReceivedFile(stream, extension, name)


def extension_of(filename: str) -> str:
    """The extension of a file's name in lower case, without its dot, or an empty string."""
    suffix = PurePath(filename.strip()).suffix.lstrip(".").lower()
    return "" if NO_EXTENSION.fullmatch(suffix) else suffix


def _content(stream: IO[bytes], name: str, longest_side: int | None) -> str | None:
    """The extension for the type of the content, or None if that is unknown.

    Raises InvalidFileType for a file that is broken, or a picture that has too many pixels.
    """
    stream.seek(0)
    if _ends_as_archive(stream):
        return None
    stream.seek(0)
    begin = stream.read(PDF_HEAD + len(PDF_BEGIN))
    damaged = InvalidFileType.field(name, DAMAGED)
    if not begin.startswith(PICTURE_BEGINS):
        header = begin.find(PDF_BEGIN)
        if header < 0:
            return None
        if not _cut_pdf(stream, header):
            raise damaged
        # An archive in front of the last end marker is at the end now.
        return None if _ends_as_archive(stream) else "pdf"
    if begin.startswith(b"\xff\xd8") and not _jpeg_ends(stream):
        raise damaged
    if begin.startswith(b"\x89PNG") and not _png_is_modest(stream):
        raise damaged
    stream.seek(0)
    try:
        with Image.open(stream, formats=FORMATS) as image:
            form = str(image.format)
            _check_pixels(image, form, name, longest_side)
            image.verify()
            return IMAGES[form]
    except InvalidFileType:
        raise
    except Exception:  # what Pillow raises for a broken picture is not documented
        raise damaged from None


def _check_pixels(image: Image.Image, form: str, name: str, longest_side: int | None) -> None:
    """Check the number of pixels or, with `longest_side`, the width and the height. Raises
    InvalidFileType if the picture is too large."""
    if longest_side is not None and max(image.size) > longest_side:
        raise InvalidFileType.field(
            name,
            Message(
                "The picture is too large. Each side may have ${max} pixels at most.",
                max=longest_side,
            ),
        )
    if longest_side is None and image.width * image.height > MOST_PIXELS[form]:
        raise InvalidFileType.field(
            name,
            Message(
                "The picture has too many pixels. The limit for ${form} is ${max}.",
                form=form,
                max=f"{MOST_PIXELS[form]:,}",
            ),
        )


def _ends_as_archive(stream: IO[bytes]) -> bool:
    """Whether the file is also a ZIP archive. A ZIP reader looks for a directory at the end of the
    file, so the same file may begin as a picture."""
    tail = _tail(stream, ARCHIVE_TAIL)
    begin = stream.tell() - len(tail)
    for end in re.finditer(rb"PK\x05\x06.{8}(.{4})", tail, re.DOTALL):
        if tail.startswith(b"PK\x06\x07", max(0, end.start() - 20)):  # a large archive (ZIP64)
            return True
        directory = begin + end.start() - int.from_bytes(end[1], "little")
        if directory >= 0:
            stream.seek(directory)
            if stream.read(4) == b"PK\x01\x02":
                return True
    return False


def _cut_pdf(stream: IO[bytes], begin: int) -> bool:
    """Remove the bytes before `begin`, and those after the last end marker of a PDF. Returns False
    if the PDF has no end marker.

    A PDF that all readers open is not changed: it begins with its header, and at most `PDF_TAIL`
    bytes follow the end marker.
    """
    size_sent = position = stream.seek(0, os.SEEK_END)
    end = -1
    after = b""
    while position > begin and end < 0:
        size = min(CHUNK, position - begin)
        position = stream.seek(position - size)
        # The end marker may be cut in two by the border between two chunks.
        chunk = stream.read(size) + after[: len(PDF_END) - 1]
        end, after = chunk.rfind(PDF_END), chunk
    if end < 0:
        return False
    stream.seek(position + end + len(PDF_END))
    rest = stream.read(2).lstrip(b"\r\n")
    end = stream.tell() - len(rest)
    if begin == 0 and size_sent - end <= PDF_TAIL:
        return True
    for moved in range(begin, end, CHUNK) if begin else ():
        stream.seek(moved)
        chunk = stream.read(min(CHUNK, end - moved))
        stream.seek(moved - begin)
        stream.write(chunk)
    stream.truncate(end - begin)
    return True


def _tail(stream: IO[bytes], size: int) -> bytes:
    """The last bytes of a stream. The stream is at its end afterwards."""
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - size))
    return stream.read()


def _jpeg_ends(stream: IO[bytes]) -> bool:
    """Whether the JPEG is complete and has not too many pieces.

    Pillow would have to decode the picture to find out, and the sender could make that slow.
    """
    stream.seek(2)
    return _jpeg_begins(stream) and _jpeg_scans_end(stream)


def _jpeg_begins(stream: IO[bytes]) -> bool:
    """Whether the JPEG has a scan. The stream is then behind the marker of the first scan."""
    for _ in range(MOST_PIECES):
        marker = stream.read(2)
        if marker == b"\xff\xda":
            return True
        if len(marker) < 2:
            return False
        if marker[0] != 0xFF or marker[1] in (0x00, 0xFF):
            # Padding, or bytes that all readers skip.
            stream.seek(-1, os.SEEK_CUR)
        elif marker[1] not in JPEG_ALONE and not _skip_segment(stream):
            return False
    return False


def _jpeg_scans_end(stream: IO[bytes]) -> bool:
    """Whether the scans end with the end marker, and are not too many. A reader processes all
    pixels of the picture for each scan, even if the scan has only a few bytes."""
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
    """Move to the end of a segment. Returns False if its length is not valid: the length counts its
    own two bytes."""
    size = int.from_bytes(stream.read(2))
    if size >= 2:
        stream.seek(size - 2, os.SEEK_CUR)
    return size >= 2


def _next_marker(stream: IO[bytes]) -> int | None:
    """The next marker after the pixels of a scan, or None. Pixel data is escaped, so it contains no
    markers."""
    while chunk := stream.read(CHUNK):
        found = JPEG_MARKER.search(chunk)
        if found:
            stream.seek(found.end() - len(chunk), os.SEEK_CUR)
            return found[1][0]
        if len(chunk) > 1 and chunk.endswith(b"\xff"):
            stream.seek(-1, os.SEEK_CUR)
    return None


def _png_is_modest(stream: IO[bytes]) -> bool:
    """Whether the PNG has few enough chunks. A reader decompresses some of them one by one."""
    stream.seek(8)
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
