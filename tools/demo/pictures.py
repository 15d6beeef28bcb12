"""The picture of one problem: the brick of `painted-brick`, drawn from its size."""

import io

from PIL import Image, ImageDraw

# The problem that has a picture, and what the picture shows, for those who can't see it.
SLUG = "painted-brick"
ALT = "A brick of 3 by 4 by 5 unit cubes, drawn at an angle: 5 wide, 3 high and 4 deep."
WIDE, HIGH, DEEP = 5, 3, 4
# The size of a unit cube, and how far a unit of depth moves to the right and up, in pixels.
CUBE, SLANT = 40, 20
MARGIN = 10


def brick() -> bytes:
    """The picture as a PNG."""
    width = WIDE * CUBE + DEEP * SLANT + 2 * MARGIN
    height = HIGH * CUBE + DEEP * SLANT + 2 * MARGIN
    picture = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(picture)

    def line(start: tuple[int, int, int], end: tuple[int, int, int]) -> None:
        draw.line([_at(height, *start), _at(height, *end)], fill="black", width=2)

    for x in range(WIDE + 1):
        line((x, 0, 0), (x, HIGH, 0))
        line((x, HIGH, 0), (x, HIGH, DEEP))
    for y in range(HIGH + 1):
        line((0, y, 0), (WIDE, y, 0))
        line((WIDE, y, 0), (WIDE, y, DEEP))
    for z in range(DEEP + 1):
        line((0, HIGH, z), (WIDE, HIGH, z))
        line((WIDE, 0, z), (WIDE, HIGH, z))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def _at(height: int, x: int, y: int, z: int) -> tuple[int, int]:
    return MARGIN + x * CUBE + z * SLANT, height - MARGIN - y * CUBE - z * SLANT
