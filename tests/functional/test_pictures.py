"""What a profile picture tells besides the picture (decisions F18)."""

import io

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from tests.functional.test_account_management import OWN, upload

pytestmark = pytest.mark.needs("people")

GPS, MAKER, ORIENTATION = 0x8825, 0x010F, 0x0112
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
    upload(person, {"profile_picture": ("me", content)}, status=200)
    link = person.get(OWN).json["profile"]["user"]["profile_picture"]
    return person.get(link.partition("/v1")[2], status=200).body


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_blocks": 1}])
@pytest.mark.parametrize("kind", KINDS)
def test_nobody_learns_where_a_picture_was_taken(app, kind, options):
    sent = photograph(kind, **(options if kind == "JPEG" else {}))
    assert SECRET in sent
    assert SECRET not in stored(app, sent)


@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_itself_stays_as_it_was(app, kind):
    sent = photograph(kind)
    before, after = Image.open(io.BytesIO(sent)), Image.open(io.BytesIO(stored(app, sent)))
    assert after.tobytes() == before.tobytes()
    assert after.info["icc_profile"] == PROFILE
    # Else it would lie on its side.
    assert dict(after.getexif()) == {ORIENTATION: 6}


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_written_into_a_picture_that_stands_upright(app, kind):
    after = Image.open(io.BytesIO(stored(app, photograph(kind, turned=1))))
    after.load()
    assert dict(after.getexif()) == {}


def test_the_further_pictures_of_a_photograph_go(app):
    """Telephones append them, each with a place of its own."""
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[MAKER] = SECRET.decode()
    second = picture(1)
    picture().save(buffer, "MPO", save_all=True, append_images=[second], exif=exif)
    after = stored(app, buffer.getvalue() + SECRET)
    assert SECRET not in after
    assert after.endswith(b"\xff\xd9")
    assert Image.open(io.BytesIO(after)).format == "JPEG"


def test_an_animation_goes_on_moving(app):
    for kind in ("PNG", "WEBP"):
        buffer = io.BytesIO()
        picture().save(buffer, kind, save_all=True, append_images=[picture(1), picture(2)])
        assert Image.open(io.BytesIO(stored(app, buffer.getvalue()))).n_frames == 3


def test_what_is_no_part_of_a_picture_goes(app):
    for kind in KINDS:
        assert SECRET not in stored(app, photograph(kind) + SECRET)


def test_a_picture_whose_parts_do_not_fit_is_refused(app):
    whole = photograph("JPEG")
    broken = whole[:-2] + b"\xff\xda\0\2" * 30_000 + whole[-2:]
    refused = {"status": 400, "code": "invalid_file_type"}
    upload(app.candidate(), {"profile_picture": ("me.jpg", broken)}, **refused)


@pytest.mark.parametrize("between", [b"\0", b"\xff\xff", b"\xff\0", b"\xff\xd0"])
def test_what_stands_between_the_parts_goes_too(app, between):
    whole = photograph("JPEG")
    first = 4 + int.from_bytes(whole[4:6])
    assert stored(app, whole[:first] + between + whole[first:]) == stored(app, whole)
