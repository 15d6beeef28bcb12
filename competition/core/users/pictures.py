"""Profile pictures as they are kept: the picture alone, in the size of a screen.

A telephone writes beside it where it was taken, when, and by whom; pupils take theirs at home.
"""

import io
import threading

from PIL import Image, ImageOps

from competition.core.storage.pictures import FORMATS, InvalidFileType, ReceivedFile

# Pixels.
LONGEST_SIDE = 1024
JPEG_QUALITY = 90
FORMAT_OF = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP"}
# One picture at a time in a process: each may take a quarter of a gigabyte while it is read.
reading = threading.Lock()


def for_screen(file: ReceivedFile) -> ReceivedFile:
    """Upright, without anything but its colours. Raises InvalidFileType when it is broken; that it
    has not too many pixels was seen when it came in."""
    file.stream.seek(0)
    try:
        with reading, Image.open(file.stream, formats=FORMATS) as image:
            return _written(_read(image), image, file.extension)
    except Exception:  # whatever Pillow says of a broken picture: its types are not documented
        raise InvalidFileType("The picture can't be read.") from None


def _read(image: Image.Image) -> Image.Image:
    # A JPEG is read in about the size that is asked for, but never in a smaller one.
    width, height = image.size
    scale = LONGEST_SIDE / max(width, height)
    image.draft("RGB", (max(1, round(width * scale)), max(1, round(height * scale))))
    mode = "RGBA" if image.has_transparency_data else "RGB"
    # A conversion is a copy, even when there is nothing to convert.
    picture = image if image.mode == mode else image.convert(mode)
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return ImageOps.exif_transpose(picture)


def _written(picture: Image.Image, image: Image.Image, extension: str) -> ReceivedFile:
    # Some of it would be written as well, such as comments.
    picture.info.clear()
    stream = io.BytesIO()
    colours = image.info.get("icc_profile") if image.mode in ("RGB", "RGBA") else None
    picture.save(stream, FORMAT_OF[extension], quality=JPEG_QUALITY, icc_profile=colours)
    return ReceivedFile(stream, extension)
