"""Fictional identity documents: small pictures with the person's name. They differ for each
person.
"""

import colorsys
import io
import random
from collections.abc import Sequence

from PIL import Image, ImageDraw

from tools.demo.cast import Candidate, Person
from tools.demo.client import Files

FACE = (160, 200)
CARD = (320, 200)
SHEET = (300, 420)
NOTE = "Demo season, not a real document"
BLACK = (20, 20, 20)
# The hue of faces, from 0 to 1.
SKIN_HUE = 0.07

Colour = tuple[int, int, int]


def papers(person: Person, again: bool = False) -> Files:
    """The three files of a verification. With `again`, the files differ from the first ones."""
    owner = f"{person.email}{again or ''}"
    school = person.school if isinstance(person, Candidate) else "Staff of the league"
    letter = ("LETTER OF ENROLMENT", person.full_name, school, NOTE)
    return {
        "face_id": ("face.png", _png(_face(owner)), "image/png"),
        "id_card": ("card.png", _png(_card(owner, person.full_name)), "image/png"),
        "verification_document": ("letter.pdf", _pdf(_sheet(letter)), "application/pdf"),
    }


def _face(owner: str) -> Image.Image:
    rng = random.Random(owner)
    image = Image.new("RGB", FACE, _colour(rng, lightness=0.85))
    draw = ImageDraw.Draw(image)
    skin = _rgb(SKIN_HUE, rng.uniform(0.35, 0.75), 0.4)
    eyes = _colour(rng, lightness=0.3)
    draw.ellipse((35, 150, 125, 260), fill=_colour(rng, lightness=0.5))
    draw.ellipse((40, 40, 120, 150), fill=skin)
    draw.ellipse((60, 80, 72, 92), fill=eyes)
    draw.ellipse((88, 80, 100, 92), fill=eyes)
    draw.arc((62, 100, 98, 130), 20, 160, fill=BLACK, width=3)
    return image


def _card(owner: str, name: str) -> Image.Image:
    image = Image.new("RGB", CARD, _colour(random.Random(f"card of {owner}"), lightness=0.9))
    image.paste(_face(owner).resize((96, 120)), (20, 50))
    _lines(image, ("IDENTITY CARD", name, NOTE), left=130)
    return image


def _sheet(lines: Sequence[str]) -> Image.Image:
    image = Image.new("RGB", SHEET, "white")
    _lines(image, lines, left=30)
    return image


def _lines(image: Image.Image, lines: Sequence[str], left: int) -> None:
    draw = ImageDraw.Draw(image)
    for index, line in enumerate(lines):
        draw.text((left, 50 + 30 * index), line, fill=BLACK)


def _colour(rng: random.Random, lightness: float) -> Colour:
    return _rgb(rng.random(), lightness, 0.5)


def _rgb(hue: float, lightness: float, saturation: float) -> Colour:
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, saturation)
    return round(red * 255), round(green * 255), round(blue * 255)


def _png(image: Image.Image) -> bytes:
    return _file(image, "PNG")


def _pdf(image: Image.Image) -> bytes:
    return _file(image, "PDF")


def _file(image: Image.Image, kind: str) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format=kind)
    return stream.getvalue()
