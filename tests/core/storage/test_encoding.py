"""Every picture that the service stores is encoded again by one function: the images of questions,
and profile pictures.
"""

import io

import pytest
from PIL import Image

from competition.core.storage.pictures import received_file
from competition.plugins.people.services.pictures import for_screen
from competition.plugins.questions.services.pictures import re_encoded
from competition.testing.identity_papers import encoded as saved

RED = (255, 0, 0)


@pytest.fixture(params=[re_encoded, for_screen])
def stored(request):
    """Function: the stored picture for the content of a file."""

    def store(content):
        received = received_file(io.BytesIO(content), "file", filename="picture")
        return Image.open(request.param(received).stream)

    return store


def encoded(picture, kind="PNG", **options):
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def thin_lines():
    """Red lines of one pixel on a white ground."""
    picture = Image.new("RGB", (64, 64), "white")
    for x in range(0, 64, 2):
        picture.paste(RED, (x, 0, x + 1, 64))
    return picture


@pytest.mark.parametrize(
    ("grey", "seen"), [(0, 0), (128 * 256, 128), (200 * 256, 200), (65535, 255)]
)
def test_greys_of_16_bits_are_scaled(stored, grey, seen):
    picture = stored(encoded(Image.new("I;16", (8, 8), grey)))
    assert picture.convert("RGB").getpixel((4, 4)) == (seen, seen, seen)


def test_a_transparent_grey_of_16_bits_stays_transparent(stored):
    picture = Image.new("I;16", (8, 8), 65535)
    picture.putpixel((0, 0), 1000)
    after = stored(encoded(picture, transparency=65535)).convert("RGBA")
    assert (after.getpixel((4, 4))[3], after.getpixel((0, 0))[3]) == (0, 255)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("exif", [bytes(30) + b"a place", b"Exif\0\0" + bytes(30) + b"a place"])
def test_exif_data_that_can_not_be_read_is_ignored(stored, kind, exif):
    content = encoded(thin_lines(), kind, exif=exif)
    after = stored(content)
    assert (after.format, after.size) == (kind, (64, 64))
    after.fp.seek(0)
    assert b"a place" in content and b"a place" not in after.fp.read()


def test_cmyk_is_converted(stored):
    printed = Image.new("RGB", (8, 8), "white").convert("CMYK")
    assert stored(saved(printed, "JPEG")).convert("RGB").getpixel((4, 4)) == (255, 255, 255)


def test_a_webp_without_a_loss_stays_so(stored):
    sent = encoded(thin_lines(), "WEBP", lossless=True)
    assert stored(sent).convert("RGB").tobytes() == thin_lines().tobytes()


def test_the_first_picture_of_an_animation_without_a_loss_stays_so():
    more = [Image.new("RGB", (64, 64))]
    sent = encoded(thin_lines(), "WEBP", lossless=True, save_all=True, append_images=more)
    received = received_file(io.BytesIO(sent), "file", filename="picture")
    picture = Image.open(for_screen(received).stream)
    assert picture.convert("RGB").tobytes() == thin_lines().tobytes()


def test_a_png_stays_without_a_loss(stored):
    assert stored(encoded(thin_lines())).convert("RGB").tobytes() == thin_lines().tobytes()


def test_a_webp_with_a_loss_does_not_become_larger(stored):
    sent = encoded(Image.effect_noise((200, 200), 90).convert("RGB"), "WEBP", quality=50)
    assert len(sent) < 40_000
    assert b"VP8L" not in stored(sent).fp.getvalue()[:64]


def test_thin_coloured_lines_of_a_jpeg_keep_their_colour(stored):
    after = stored(encoded(thin_lines(), "JPEG", quality=95, subsampling=0)).convert("RGB")
    assert all(abs(a - b) < 16 for a, b in zip(after.getpixel((32, 32)), RED, strict=True))
