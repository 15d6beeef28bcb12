"""Encode pictures again from their pixels alone, for every plugin that stores pictures.

A stored picture does not contain the place, time or author that a phone wrote into the file, and no
program can mistake it for another type of file.
"""

import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from PIL import Image, ImageCms, ImageOps

from competition.core.messages import Message
from competition.core.storage.pictures import (
    FORMAT_OF,
    FORMATS,
    MOST_PIECES,
    InvalidFileType,
    ReceivedFile,
    decoding,
)

# The qualities to try in this order, until the file is small enough. A picture that is stored
# without a loss is only written once.
QUALITIES = (90, 75, 50)
# The pixel modes of Pillow that a picture of each format may have. Pictures are scaled down in the
# modes `SCALED`.
PNG_MODES = ("1", "L", "LA", "P", "RGB", "RGBA")
MODES = {"PNG": PNG_MODES, "JPEG": ("L", "RGB"), "WEBP": ("RGB", "RGBA")}
SCALED = ("RGB", "RGBA")
SRGB = ImageCms.createProfile("sRGB")


@dataclass
class Picture(ReceivedFile):
    """A re-encoded picture. `width` and `height` are in pixels."""

    width: int = 0
    height: int = 0


def re_encoded(
    file: ReceivedFile,
    *,
    largest: int,
    longest_side: int | None = None,
    is_still: bool = False,
    keeps_profile: bool = False,
) -> Picture:
    """The picture, turned upright and without metadata.

    A picture that was stored without a loss is stored without a loss again, even if it then has
    more than `largest` bytes. Other pictures get a lower quality until they have at most `largest`
    bytes, or the lowest quality. With `longest_side`, in pixels, a larger picture is scaled down.
    With `is_still`, animated pictures are rejected; otherwise only their first picture is used. The
    colours are converted to sRGB or, with `keeps_profile`, keep their profile.

    Check the number of pixels before you call this (`received_file`). Raises InvalidFileType if the
    picture is broken, or is animated although `is_still` is true.
    """
    kind = FORMAT_OF[file.extension]
    is_lossless = kind == "PNG" or (kind == "WEBP" and _is_lossless(file.stream))
    file.stream.seek(0)
    try:
        with decoding, Image.open(file.stream, formats=FORMATS) as image:
            # Phones write MPO files. Their other pictures are previews of the first picture, and
            # are ignored.
            if is_still and image.format != "MPO" and getattr(image, "is_animated", False):
                raise InvalidFileType.field(
                    file.field,
                    Message(
                        "Animated pictures are not accepted. Send a picture without animation."
                    ),
                )
            if longest_side is not None:
                # Pillow decodes a JPEG at about the requested size, but never smaller.
                scale = longest_side / max(image.size)
                image.draft("RGB", (_whole(image.width * scale), _whole(image.height * scale)))
            profile = image.info.get("icc_profile") if image.mode in SCALED else None
            picture = _upright(image)
            if not keeps_profile and picture.mode in ("RGB", "RGBA", "CMYK"):
                picture = _in_srgb(picture)
            picture = _in_mode(picture, MODES[kind] if longest_side is None else SCALED)
            if longest_side is not None:
                picture.thumbnail((longest_side, longest_side))
            options = {"icc_profile": profile} if keeps_profile else {}
            stream = _written(picture, kind, is_lossless, largest, options)
            return Picture(stream, file.extension, file.field, file.filename, *picture.size)
    except InvalidFileType:
        raise
    except Exception:  # Pillow does not document what it raises for a broken picture
        raise InvalidFileType.field(
            file.field, Message("The picture is damaged. Please send another one.")
        ) from None


def _upright(picture: Image.Image) -> Image.Image:
    """The picture, turned as its EXIF data says. Like browsers, this ignores EXIF data that can't
    be read. Some programs overwrite it with zeros to remove it."""
    # Reading broken pixels may raise SyntaxError as well, and must not be ignored.
    picture.load()
    try:
        return ImageOps.exif_transpose(picture)
    except SyntaxError:  # what Pillow raises for EXIF data that does not begin as TIFF
        return picture


def _whole(length: float) -> int:
    """A length in whole pixels, of which a picture has at least one."""
    return max(1, round(length))


def _in_srgb(picture: Image.Image) -> Image.Image:
    """The picture, converted to sRGB from the colours of its profile. Like browsers, this ignores a
    profile that is invalid, or does not fit the kind of the picture's colours."""
    mode = "RGBA" if picture.mode == "RGBA" else "RGB"
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(picture.info.get("icc_profile", b"")))
        converted = ImageCms.profileToProfile(picture, source, SRGB, outputMode=mode)
    except (ImageCms.PyCMSError, OSError):
        return picture
    return converted or picture


def _in_mode(picture: Image.Image, modes: Sequence[str]) -> Image.Image:
    """The picture without metadata, converted to one of these pixel modes of Pillow if it has
    another mode."""
    is_transparent = picture.has_transparency_data
    if picture.mode.startswith("I"):
        # Greys of 16 bits. `convert` alone would cut off values above 255.
        transparency = picture.info.get("transparency", 0)
        picture = picture.point(lambda value: value * (1 / 256)).convert("L")
        if is_transparent:
            picture.info["transparency"] = transparency // 256
    if picture.mode in ("L", "RGB") and is_transparent:
        picture = picture.convert("LA" if picture.mode == "L" else "RGBA")
    if picture.mode not in modes:
        picture = picture.convert("RGBA" if is_transparent and "RGBA" in modes else "RGB")
    # Remove the metadata except a palette's transparent colour, because `save` would write some of
    # them, such as comments.
    palette = {"transparency": picture.info.get("transparency")} if picture.mode == "P" else {}
    picture.info = {name: value for name, value in palette.items() if value is not None}
    return picture


def _written(
    picture: Image.Image, kind: str, is_lossless: bool, largest: int, options: Mapping[str, Any]
) -> IO[bytes]:
    for quality in QUALITIES:
        stream = io.BytesIO()
        # Store a colour for each pixel of a JPEG. With subsampling, thin coloured lines turn brown.
        picture.save(stream, kind, quality=quality, subsampling=0, lossless=is_lossless, **options)
        if is_lossless or stream.tell() <= largest:
            break
    return stream


def _is_lossless(stream: IO[bytes]) -> bool:
    """Whether the first picture of a WebP file was compressed without a loss."""
    stream.seek(12)
    for _ in range(MOST_PIECES):
        name, size = stream.read(4), int.from_bytes(stream.read(4), "little")
        if name in (b"VP8L", b"VP8 "):
            return name == b"VP8L"
        # `ANMF` is a picture of an animation. The chunk of its pixels follows after 16 bytes.
        stream.seek(16 if name == b"ANMF" else size + size % 2, os.SEEK_CUR)
    return False
