"""Prepare profile pictures for storage: scale them down, and remove their metadata.

Phones write the place, the time and the author into a picture, and pupils take their pictures at
home.
"""

import io

from PIL import Image, ImageOps

from competition.core.messages import Message
from competition.core.storage.pictures import (
    FORMAT_OF,
    FORMATS,
    InvalidFileType,
    ReceivedFile,
    decoding,
)

# The largest width or height of a stored picture, in pixels.
LONGEST_SIDE = 1024
JPEG_QUALITY = 90


def for_screen(file: ReceivedFile) -> ReceivedFile:
    """The picture upright, scaled down, and without metadata other than its colour profile.

    Its number of pixels has been checked before. Raises InvalidFileType if the picture is broken.
    """
    file.stream.seek(0)
    try:
        with decoding, Image.open(file.stream, formats=FORMATS) as image:
            return _written(_read(image), image, file.extension)
    except Exception:  # Pillow does not document what it raises for a broken picture
        raise InvalidFileType.field(
            "profile_picture", Message("The picture is damaged. Please send another one.")
        ) from None


def _read(image: Image.Image) -> Image.Image:
    # Pillow decodes a JPEG at about the requested size, but never smaller.
    width, height = image.size
    scale = LONGEST_SIDE / max(width, height)
    # In whole pixels.
    image.draft("RGB", (max(1, round(width * scale)), max(1, round(height * scale))))
    mode = "RGBA" if image.has_transparency_data else "RGB"
    # `convert` copies the picture even if there is nothing to convert.
    picture = image if image.mode == mode else image.convert(mode)
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return ImageOps.exif_transpose(picture)


def _written(picture: Image.Image, image: Image.Image, extension: str) -> ReceivedFile:
    # `save` would write some of the metadata, such as comments.
    picture.info.clear()
    stream = io.BytesIO()
    colours = image.info.get("icc_profile") if image.mode in ("RGB", "RGBA") else None
    picture.save(stream, FORMAT_OF[extension], quality=JPEG_QUALITY, icc_profile=colours)
    return ReceivedFile(stream, extension)
