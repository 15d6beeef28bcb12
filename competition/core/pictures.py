"""Pictures without what a telephone writes beside them: where they were taken, when, and by whom.

Nothing is decoded, so nothing of the picture is lost, and a small file that would be a huge picture
costs nothing. Of what stands beside it, only how it is turned is kept.
"""

import io
import re
import zlib
from collections.abc import Iterator

from PIL import Image

from competition.core.uploads import (
    JPEG_ALONE,
    MOST_PIECES,
    InvalidFileType,
    ReceivedFile,
)

ORIENTATION = 0x0112
TURNED = range(2, 9)
EXIF = b"Exif\0\0"

SCAN, END = 0xDA, 0xD9
APPLICATIONS = range(0xE0, 0xF0)
COMMENT = 0xFE
# What a reader needs of the segments that applications write: density and colours.
JPEG_KEPT = ((0xE0, b"JFIF\0"), (0xE2, b"ICC_PROFILE\0"), (0xEE, b"Adobe"))
# Within a scan a marker is one when it is neither an escaped byte nor a restart.
MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")

# Besides the critical ones: colours, size, animation.
PNG_KEPT = (
    *(b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"sBIT", b"bKGD", b"pHYs"),
    *(b"acTL", b"fcTL", b"fdAT"),
)

WEBP_KEPT = (b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF", b"ICCP")
# Bits of the first byte of VP8X.
WEBP_EXIF, WEBP_XMP = 0x08, 0x04


def bare(file: ReceivedFile) -> ReceivedFile:
    """The picture alone. Raises InvalidFileType when it is not put together as its kind is."""
    file.stream.seek(0)
    try:
        content = WRITERS[file.extension](file.stream.read())
    except (ValueError, IndexError):
        raise InvalidFileType("The picture can't be read.") from None
    return ReceivedFile(io.BytesIO(content), file.extension)


def _jpeg(content: bytes) -> bytes:
    parts, exif = [], b""
    for marker, part in _segments(content):
        data = part[4:]
        if marker == 0xE1 and data.startswith(EXIF):
            exif = exif or data
        elif marker not in (*APPLICATIONS, COMMENT) or any(
            marker == kept and data.startswith(name) for kept, name in JPEG_KEPT
        ):
            parts.append(part)
    if turned := _orientation(exif):
        parts.insert(0, b"\xff\xe1" + (2 + len(turned)).to_bytes(2) + turned)
    return b"\xff\xd8" + b"".join(parts)


def _segments(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Up to the end of the picture: cameras append further ones, with places of their own."""
    at = 2
    has_scan = False
    for _ in range(MOST_PIECES):
        marker = content[at + 1]
        if content[at] != 0xFF or marker in (0x00, 0xFF):
            # Padding, and what a reader passes over, too.
            at += 1
            continue
        if marker == END and has_scan:
            yield marker, content[at : at + 2]
            return
        if marker in JPEG_ALONE:
            at += 2
            continue
        size = int.from_bytes(content[at + 2 : at + 4])
        end = at + 2 + size
        if size < 2 or end > len(content):
            raise ValueError
        if marker == SCAN:
            has_scan = True
            following = MARKER.search(content, end)
            if following is None:
                raise ValueError
            end = following.start()
        yield marker, content[at:end]
        at = end
    raise ValueError


def _png(content: bytes) -> bytes:
    parts, exif = [], b""
    at, kind = 8, b""
    while kind != b"IEND":
        end = at + 12 + int.from_bytes(content[at : at + 4])
        kind = content[at + 4 : at + 8]
        if end > len(content):
            raise ValueError
        if kind == b"eXIf":
            exif = content[at + 8 : end - 4]
        elif kind[:1].isupper() or kind in PNG_KEPT:
            parts.append(content[at:end])
        at = end
    if turned := _orientation(exif).removeprefix(EXIF):
        chunk = b"eXIf" + turned
        # After the header, which is the first one.
        parts.insert(1, len(turned).to_bytes(4) + chunk + zlib.crc32(chunk).to_bytes(4))
    return content[:8] + b"".join(parts)


def _webp(content: bytes) -> bytes:
    parts, exif = [], b""
    at, whole = 12, min(len(content), 8 + int.from_bytes(content[4:8], "little"))
    while at + 8 <= whole:
        kind, size = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        data = content[at + 8 : at + 8 + size]
        if len(data) < size:
            raise ValueError
        if kind == b"EXIF":
            exif = data
        elif kind in WEBP_KEPT:
            parts.append(_riff(kind, data))
        at += 8 + size + size % 2
    turned = _orientation(exif).removeprefix(EXIF)
    # Without this header there is nothing beside the picture.
    if parts and parts[0].startswith(b"VP8X"):
        header = bytearray(parts[0])
        header[8] = header[8] & ~(WEBP_EXIF | WEBP_XMP) | (WEBP_EXIF if turned else 0)
        parts[0] = bytes(header)
        if turned:
            parts.append(_riff(b"EXIF", turned))
    return _riff(b"RIFF", b"WEBP" + b"".join(parts))


def _riff(kind: bytes, data: bytes) -> bytes:
    return kind + len(data).to_bytes(4, "little") + data + b"\0" * (len(data) % 2)


def _orientation(exif: bytes) -> bytes:
    """EXIF data that says how the picture is turned, and nothing else; empty for one that stands
    upright."""
    found, kept = Image.Exif(), Image.Exif()
    try:
        found.load(exif)
        turned = found.get(ORIENTATION)
    except Exception:  # whatever Pillow says of broken data: its types are not documented
        return b""
    if turned not in TURNED:
        return b""
    kept[ORIENTATION] = turned
    return EXIF + kept.tobytes().removeprefix(EXIF)


WRITERS = {"jpg": _jpeg, "png": _png, "webp": _webp}
