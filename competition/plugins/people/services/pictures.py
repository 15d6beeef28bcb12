"""Prepare profile pictures for storage: turn them upright, make them smaller, and remove their
metadata.

Phones write the place, the time and the author into a picture. For a pupil's picture, the place is
often the home.
"""

from competition.core.storage.encoding import re_encoded
from competition.core.storage.pictures import ReceivedFile

# The size of the largest picture, in bytes.
LARGEST = 5 * 1024 * 1024
# The largest width or height of a stored picture, in pixels.
LONGEST_SIDE = 1024


def for_screen(file: ReceivedFile) -> ReceivedFile:
    """The picture upright, scaled down, and without metadata other than its colour profile. Raises
    InvalidFileType if the picture is broken."""
    return re_encoded(file, largest=LARGEST, longest_side=LONGEST_SIDE, keeps_profile=True)
