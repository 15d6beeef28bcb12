"""Profile pictures as they are kept: the picture alone, in the size of a screen.

A telephone writes beside it where it was taken, when, and by whom; pupils take theirs at home.
"""

import io

from PIL import Image, ImageOps

from competition.core.web.uploads import FORMATS, InvalidFileType, ReceivedFile

# Pixels. A telephone takes 25 million; more would take a second to read, and half a gigabyte.
LONGEST_SIDE = 1024
MOST_PIXELS = 25_000_000
JPEG_QUALITY = 90
FORMAT_OF = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP"}


def for_screen(file: ReceivedFile) -> ReceivedFile:
    """Upright, without anything but its colours. Raises InvalidFileType when it is too large or
    broken."""
    file.stream.seek(0)
    try:
        with Image.open(file.stream, formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise InvalidFileType("The picture has too many pixels.")
            return _written(_read(image), image, file.extension)
    except InvalidFileType:
        raise
    except Exception:  # whatever Pillow says of a broken picture: its types are not documented
        raise InvalidFileType("The picture can't be read.") from None


def _read(image: Image.Image) -> Image.Image:
    # A JPEG is read in about the size that is asked for.
    image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    picture = image.convert("RGBA" if image.has_transparency_data else "RGB")
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return ImageOps.exif_transpose(picture)


def _written(picture: Image.Image, image: Image.Image, extension: str) -> ReceivedFile:
    # Some of it would be written as well, such as comments.
    picture.info.clear()
    stream = io.BytesIO()
    colours = image.info.get("icc_profile") if image.mode in ("RGB", "RGBA") else None
    picture.save(stream, FORMAT_OF[extension], quality=JPEG_QUALITY, icc_profile=colours)
    return ReceivedFile(stream, extension)
