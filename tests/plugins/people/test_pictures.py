"""Which data of a profile picture the service stores (decisions F18)."""

import io
import zlib

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from competition.core.storage.pictures import decoding

GPS, MAKER, ORIENTATION = 0x8825, 0x010F, 0x0112
OWN = "/account-management/"
SECRET = b"52.5200N 13.4050E"
KINDS = ("JPEG", "PNG", "WEBP")
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def picture(seed=0):
    return Image.effect_noise((40, 20), 90 + seed).convert("RGB")


def photograph(kind, turned=6, **options):
    exif = Image.Exif()
    exif[MAKER] = SECRET.decode()
    exif[ORIENTATION] = turned
    exif.get_ifd(GPS)[29] = SECRET.decode()
    if kind == "PNG":
        text = PngImagePlugin.PngInfo()
        text.add_text("Location", SECRET.decode())
        text.add_itxt("XML:com.adobe.xmp", SECRET.decode())
        options["pnginfo"] = text
    else:
        options["xmp"] = b"<x:xmpmeta>" + SECRET
    if kind == "JPEG":
        options["comment"] = SECRET
    buffer = io.BytesIO()
    picture().save(buffer, kind, exif=exif, icc_profile=PROFILE, **options)
    return buffer.getvalue()


def stored(app, content):
    person = app.candidate()
    person.upload("PATCH", OWN, {"profile_picture": ("me", content)}, status=200)
    link = person.get(OWN).json["profile"]["user"]["profile_picture"]
    return person.get(link.partition("/v1")[2], status=200).body


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_blocks": 1}])
@pytest.mark.parametrize("kind", KINDS)
def test_a_stored_picture_has_no_metadata(app, kind, options):
    sent = photograph(kind, **(options if kind == "JPEG" else {}))
    assert SECRET in sent
    assert SECRET not in stored(app, sent)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stored_picture_is_upright_and_keeps_its_colour_profile(app, kind):
    after = Image.open(io.BytesIO(stored(app, photograph(kind))))
    assert (after.format, after.size) == (kind, (20, 40))
    assert after.info["icc_profile"] == PROFILE
    assert dict(after.getexif()) == {}


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA"])
def test_a_picture_of_any_colour_mode_looks_the_same(app, mode):
    buffer = io.BytesIO()
    sent = Image.new("RGBA", (8, 8), (255, 255, 255, 255)).convert(mode)
    sent.save(buffer, "PNG")
    after = Image.open(io.BytesIO(stored(app, buffer.getvalue())))
    assert after.convert("RGBA").getpixel((4, 4)) == (255, 255, 255, 255)


def test_transparency_is_kept(app):
    buffer = io.BytesIO()
    Image.new("RGBA", (8, 8), (9, 9, 9, 0)).save(buffer, "PNG")
    assert Image.open(io.BytesIO(stored(app, buffer.getvalue()))).getpixel((4, 4))[3] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_large_picture_is_scaled_down(app, kind):
    buffer = io.BytesIO()
    Image.new("RGB", (4000, 2000)).save(buffer, kind)
    assert Image.open(io.BytesIO(stored(app, buffer.getvalue()))).size == (1024, 512)


@pytest.mark.parametrize(("kind", "most"), [("JPEG", 25), ("PNG", 13), ("WEBP", 13)])
def test_a_picture_of_too_many_pixels_is_rejected(app, kind, most):
    buffer = io.BytesIO()
    Image.new("L", (1_000 * most + 1, 1_000)).save(buffer, kind)
    refused = {"status": 400, "code": "invalid_file_type"}
    app.candidate().upload("PATCH", OWN, {"profile_picture": ("me", buffer.getvalue())}, **refused)


@pytest.fixture
def begun(monkeypatch):
    """A list with an item for each picture that is scaled down: its size after decoding, and
    whether another picture could have been decoded at the same time.
    """
    found = []
    thumbnail = Image.Image.thumbnail

    def watched(picture, size):
        found.append((picture.size, not decoding.locked()))
        thumbnail(picture, size)

    monkeypatch.setattr(Image.Image, "thumbnail", watched)
    return found


@pytest.mark.parametrize("size", [(5_000, 5_000), (12_000, 1_000), (1_000, 12_000)])
def test_a_large_jpeg_is_decoded_at_a_reduced_size(app, begun, size):
    buffer = io.BytesIO()
    Image.new("RGB", size).save(buffer, "JPEG")
    stored(app, buffer.getvalue())
    [(read, _)] = begun
    assert 1_024 <= max(read) < 2_048


def test_one_picture_is_decoded_at_a_time(app, begun):
    """Decoding a picture may take 250 MB of memory."""
    for kind in KINDS:
        stored(app, photograph(kind))
    assert [others for _, others in begun] == [False] * 3


def test_additional_pictures_in_a_photograph_are_removed(app):
    """Phones append such pictures, each with its own location."""
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[MAKER] = SECRET.decode()
    picture().save(buffer, "MPO", save_all=True, append_images=[picture(1)], exif=exif)
    after = stored(app, buffer.getvalue() + SECRET)
    assert SECRET not in after
    assert Image.open(io.BytesIO(after)).format == "JPEG"


def test_bytes_after_the_picture_are_removed(app):
    for kind in KINDS:
        assert SECRET not in stored(app, photograph(kind) + SECRET)


def test_a_picture_with_corrupt_data_is_rejected(app):
    whole = photograph("PNG")
    at = whole.index(b"IDAT") + 8
    refused = {"status": 400, "code": "invalid_file_type"}
    broken = whole[:at] + b"\0" * 40 + whole[at + 40 :]
    app.candidate().upload("PATCH", OWN, {"profile_picture": ("me.png", broken)}, **refused)


def test_a_picture_with_right_checksums_and_invalid_pixels_is_rejected(app):
    # The checksum of this chunk is right, but its content is not image data.
    pixels = b"IDAT" + b"no pixels at all"
    chunk = (len(pixels) - 4).to_bytes(4) + pixels + zlib.crc32(pixels).to_bytes(4)
    whole = photograph("PNG")
    begin, end = whole.index(b"IDAT") - 4, whole.index(b"IEND") - 4
    refused = {"status": 400, "code": "invalid_file_type"}
    broken = whole[:begin] + chunk + whole[end:]
    app.candidate().upload("PATCH", OWN, {"profile_picture": ("me.png", broken)}, **refused)
