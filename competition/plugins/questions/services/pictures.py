"""Re-encode the pictures that questions show."""

from competition.core.storage import encoding
from competition.core.storage.encoding import Picture
from competition.core.storage.pictures import ReceivedFile

# The size of the largest picture, in bytes. A PNG, or a lossless WebP, may become a little larger
# than the file that was sent.
LARGEST = 2 * 1024 * 1024
# The largest width or height of a picture, in pixels.
LONGEST_SIDE = 4096


def re_encoded(file: ReceivedFile) -> Picture:
    """The picture upright, in sRGB, and without metadata. Raises InvalidFileType if the picture is
    broken or animated."""
    return encoding.re_encoded(file, largest=LARGEST, is_still=True)
