"""Re-encode pictures for questions in sRGB, without metadata.

The stored picture is made from the pixels alone. So it does not contain the place, time or author
that a phone wrote into the file, and no program can mistake it for another type of file.
"""

import io
from dataclasses import dataclass
from typing import IO

from PIL import Image, ImageCms, ImageOps

from competition.core.messages import Message
from competition.core.storage.pictures import (
    FORMAT_OF,
    FORMATS,
    InvalidFileType,
    ReceivedFile,
    decoding,
)

# The size of the largest picture, in bytes.
LARGEST = 2 * 1024 * 1024
# The largest width or height of a picture, in pixels.
LONGEST_SIDE = 4096
# The qualities to try, until the picture is at most as large as an upload may be. A PNG has no
# quality, and may become a little larger than the file that was sent.
QUALITIES: dict[str, tuple[int, ...]] = {"JPEG": (90, 75, 50), "WEBP": (90, 75, 50), "PNG": (0,)}
# The pixel modes of Pillow that a picture of each format may have.
PNG_MODES = ("1", "L", "LA", "P", "RGB", "RGBA")
MODES = {"PNG": PNG_MODES, "JPEG": ("L", "RGB"), "WEBP": ("RGB", "RGBA")}
SRGB = ImageCms.createProfile("sRGB")


@dataclass(frozen=True)
class Picture:
    """A re-encoded picture. `width` and `height` are in pixels."""

    stream: IO[bytes]
    extension: str
    width: int
    height: int


def re_encoded(file: ReceivedFile) -> Picture:
    """The picture upright, in sRGB, and without metadata.

    Its number of pixels has been checked before. Raises InvalidFileType if the picture is broken or
    animated.
    """
    file.stream.seek(0)
    kind = FORMAT_OF[file.extension]
    try:
        with decoding, Image.open(file.stream, formats=FORMATS) as image:
            # Phones write MPO files. Their other pictures are previews of the first picture, and
            # are ignored.
            if image.format != "MPO" and getattr(image, "is_animated", False):
                raise InvalidFileType.field("file", Message("Animated pictures are not accepted."))
            picture = _for_screens(ImageOps.exif_transpose(image), kind)
            return Picture(_written(picture, kind), file.extension, *picture.size)
    except InvalidFileType:
        raise
    except Exception:  # Pillow does not document what it raises for a broken picture
        raise InvalidFileType.field(
            "file", Message("The picture is damaged. Please send another one.")
        ) from None


def _for_screens(picture: Image.Image, kind: str) -> Image.Image:
    """The pixels in a mode of the format, in sRGB."""
    profile = picture.info.get("icc_profile")
    is_transparent = picture.has_transparency_data
    if picture.mode.startswith("I"):
        # `convert` alone would cut off values above 255.
        picture = picture.point(lambda value: value * (1 / 256)).convert("L")
    elif profile and picture.mode in ("RGB", "RGBA", "CMYK"):
        picture = _in_srgb(picture, profile)
    if picture.mode in ("L", "RGB") and is_transparent:
        picture = picture.convert("LA" if picture.mode == "L" else "RGBA")
    if picture.mode not in MODES[kind]:
        picture = picture.convert("RGBA" if is_transparent and kind != "JPEG" else "RGB")
    # `save` would write some of the metadata, such as comments.
    palette = {"transparency": picture.info.get("transparency")} if picture.mode == "P" else {}
    picture.info = {name: value for name, value in palette.items() if value is not None}
    return picture


def _in_srgb(picture: Image.Image, profile: bytes) -> Image.Image:
    """The picture, converted to sRGB from the colours of its profile. Like browsers, this ignores a
    profile that is invalid, or does not fit the kind of the picture's colours."""
    mode = "RGBA" if picture.mode == "RGBA" else "RGB"
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(picture, source, SRGB, outputMode=mode)
    except (ImageCms.PyCMSError, OSError):
        return picture
    return converted or picture


def _written(picture: Image.Image, kind: str) -> IO[bytes]:
    stream = io.BytesIO()
    for quality in QUALITIES[kind]:
        stream = io.BytesIO()
        picture.save(stream, kind, quality=quality)
        if stream.tell() <= LARGEST:
            break
    return stream
