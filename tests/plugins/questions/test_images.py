"""Upload, list, change, delete and serve images of questions (contract Q2)."""

import io
import os
import zlib
from threading import Event

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from competition.core.errors import StorageUnavailable
from competition.core.storage import files
from competition.core.storage.contract import Storage
from competition.core.storage.models import File
from competition.core.work import begin
from competition.plugins.questions.models import QuestionImage
from competition.plugins.questions.services import serving
from competition.plugins.questions.services.serving import ImageCache
from competition.testing.exam_day import make_exam, take
from competition.testing.races import together
from competition.testing.waiting import PATIENCE, wait_until

IMAGES = "/questions/images/"
KINDS = ("JPEG", "PNG", "WEBP")
SECRET = b"52.5200N 13.4050E"
GPS, MAKER, ORIENTATION = 0x8825, 0x010F, 0x0112
REFUSED = {"status": 400, "code": "invalid_file_type"}


def encoded(picture, kind="PNG", **options):
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def noise(size=(40, 20)):
    return Image.effect_noise(size, 90).convert("RGB")


PNG = encoded(noise())


def upload(person, content=PNG, alt="A circle", *, name="figure", status=201, **expected):
    form = {"file": (name, content), "alt": alt}
    return person.upload("POST", IMAGES, form, status=status, **expected)


def served(app, image, **options):
    """The response that a browser gets, without an API key."""
    bare = app.client()
    bare.key = None
    return bare.get(image["url"].partition("/v1")[2], **options)


def stored(app, moderator, content):
    reply = served(app, upload(moderator, content).json)
    return Image.open(io.BytesIO(reply.body))


class TestUploading:
    def test_an_image_is_uploaded_listed_changed_and_deleted(self, app, moderator):
        first, second = (upload(moderator, alt=alt).json for alt in ("A circle", "A square"))
        assert first == {
            "id": first["id"],
            "alt": "A circle",
            "url": first["url"],
            "width": 40,
            "height": 20,
            "used_by": 0,
        }
        assert moderator.get(IMAGES).json["results"] == [second, first]
        assert moderator.get(f"{IMAGES}?search=circle").json["results"] == [first]
        own = f"{IMAGES}{first['id']}/"
        changed = moderator.patch(own, {"alt": " A disc "}).json
        assert changed == {**first, "alt": "A disc"}
        moderator.delete(own, status=204)
        moderator.delete(own, status=404)
        moderator.patch(own, {"alt": "A disc"}, status=404)
        assert moderator.get(IMAGES).json["pagination"]["count"] == 1

    def test_an_alternative_text_has_1_to_500_characters(self, app, moderator):
        upload(moderator, alt="x" * 500)
        own = f"{IMAGES}{upload(moderator).json['id']}/"
        for alt in ("", "  ", "x" * 501, "a\0b"):
            reply = upload(moderator, alt=alt, status=400, code="invalid")
            assert list(reply.json["errors"]) == ["alt"]
            moderator.patch(own, {"alt": alt}, status=400, code="invalid")
        moderator.patch(own, {}, status=400, code="invalid")

    def test_a_file_and_its_text_are_required(self, app, moderator):
        reply = moderator.upload("POST", IMAGES, {"alt": "A circle"}, status=400, code="invalid")
        assert list(reply.json["errors"]) == ["file"]
        reply = moderator.upload("POST", IMAGES, {"file": "text", "alt": "-"}, status=400)
        assert list(reply.json["errors"]) == ["file"]
        form = {"file": ("a.png", PNG)}
        assert list(moderator.upload("POST", IMAGES, form, status=400).json["errors"]) == ["alt"]
        moderator.post(IMAGES, {"alt": "A circle"}, status=415)

    def test_uploading_changing_and_deleting_is_audited(self, app, moderator, manager):
        image = upload(moderator).json
        own = f"{IMAGES}{image['id']}/"
        moderator.patch(own, {"alt": "A disc"})
        moderator.delete(own)
        found = manager.get("/audit/?search=question_image").json["results"]
        acts = [each["action"].partition(".")[2] for each in found]
        assert acts == ["delete", "change", "create"]
        assert found[0]["subject"] == f"question image {image['id']}"

    def test_an_image_and_its_file_are_stored_and_deleted_together(self, app, moderator):
        image = upload(moderator).json
        with begin(app.runtime) as work:
            key = work.db.get_one(QuestionImage, image["id"]).file
            file = work.db.get_one(File, key)
            assert (file.plugin, file.content_type) == ("questions", "image/png")
            assert files.exists(work, key)
        os.utime(app.file_folder / key, (0, 0))
        app.run_task("core.delete_orphans")
        with begin(app.runtime) as work:
            assert files.exists(work, key)
        moderator.delete(f"{IMAGES}{image['id']}/")
        with begin(app.runtime) as work:
            assert work.db.get(File, key) is None
            assert not files.exists(work, key)

    def test_an_image_does_not_store_who_uploaded_it(self, app, moderator):
        upload(moderator)
        with begin(app.runtime) as work:
            [image] = work.db.query(QuestionImage)
            rows = [vars(image), vars(work.db.get_one(File, image.file))]
        assert str(moderator.id) not in str(rows) and moderator.email not in str(rows)


class TestJudging:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("size", [(1, 1), (1, 4096), (4096, 1), (3, 5), (1000, 700)])
    def test_sides_of_1_to_4096_pixels_are_accepted(self, app, moderator, kind, size):
        image = upload(moderator, encoded(Image.new("RGB", size, "navy"), kind)).json
        assert (image["width"], image["height"]) == size
        picture = Image.open(io.BytesIO(served(app, image).body))
        assert (picture.format, picture.size) == (kind, size)

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_largest_picture_is_accepted_and_a_larger_one_is_not(self, app, moderator, kind):
        largest = Image.new("RGB", (4096, 4096), "navy")
        assert stored(app, moderator, encoded(largest, kind)).size == (4096, 4096)
        for size in ((4097, 1), (1, 4097)):
            upload(moderator, encoded(Image.new("L", size), kind), **REFUSED)

    def test_a_file_of_more_than_2_mib_is_rejected(self, app, moderator):
        large = PNG + bytes(2 * 2**20 + 1 - len(PNG))
        upload(moderator, large, status=400, code="file_size_exceeded")

    def test_an_image_that_grows_when_encoded_again_gets_a_lower_quality(self, app, moderator):
        sent = encoded(Image.effect_noise((1700, 1700), 90).convert("RGB"), "JPEG", quality=75)
        assert len(sent) < 2 * 2**20
        assert len(served(app, upload(moderator, sent).json).body) < 2 * 2**20

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_content_of_a_file_decides_its_type(self, app, moderator, kind):
        image = upload(moderator, encoded(noise(), kind), name="figure.png").json
        assert Image.open(io.BytesIO(served(app, image).body)).format == kind
        upload(moderator, b"<svg xmlns='http://www.w3.org/2000/svg'/>", name="a.png", **REFUSED)
        upload(moderator, name="figure.svg", **REFUSED)
        for kind in ("GIF", "BMP", "TIFF", "PDF"):
            upload(moderator, encoded(noise(), kind), **REFUSED)

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_truncated_image_is_rejected(self, app, moderator, kind):
        whole = encoded(noise((200, 200)), kind)
        for share in (0.02, 0.3, 0.9):
            upload(moderator, whole[: int(len(whole) * share)], **REFUSED)

    @pytest.mark.parametrize("kind", ["PNG", "WEBP"])
    def test_an_animated_image_is_rejected(self, app, moderator, kind):
        moving = encoded(noise(), kind, save_all=True, append_images=[noise()])
        upload(moderator, moving, **REFUSED)

    def test_previews_in_a_photograph_are_removed(self, app, moderator):
        photograph = encoded(noise(), "MPO", save_all=True, append_images=[noise((8, 8))])
        picture = stored(app, moderator, photograph)
        assert (picture.format, picture.size) == ("JPEG", (40, 20))

    def test_a_decompression_bomb_is_rejected_before_it_is_decoded(
        self, app, moderator, monkeypatch
    ):
        def load(*_):
            raise AssertionError("A bomb was decoded.")

        bomb = encoded(Image.new("1", (15_000, 15_000)))
        assert len(bomb) < 2 * 2**20
        monkeypatch.setattr(Image.Image, "load", load)
        upload(moderator, bomb, **REFUSED)

    def test_a_metadata_chunk_that_expands_is_rejected(self, app, moderator):
        text = PngImagePlugin.PngInfo()
        text.add_text("Comment", "x" * 50_000_000, zip=True)
        sent = encoded(noise(), pnginfo=text)
        assert len(sent) < 2**20
        upload(moderator, sent, **REFUSED)

    def test_invalid_pixel_data_is_rejected(self, app, moderator):
        pixels = b"IDATno pixels at all"
        chunk = (len(pixels) - 4).to_bytes(4) + pixels + zlib.crc32(pixels).to_bytes(4)
        begin, end = PNG.index(b"IDAT") - 4, PNG.index(b"IEND") - 4
        upload(moderator, PNG[:begin] + chunk + PNG[end:], **REFUSED)

    @pytest.mark.parametrize("kind", KINDS)
    def test_scripts_and_archives_in_an_image_are_not_served(self, app, moderator, kind):
        """Otherwise an image file would also be valid as a file of another type."""
        script = b"<script>alert(1)</script>"
        options = {"JPEG": {"comment": script}, "WEBP": {"xmp": script}}.get(kind, {})
        if kind == "PNG":
            options["pnginfo"] = PngImagePlugin.PngInfo()
            options["pnginfo"].add_text("Comment", script.decode())
        sent = encoded(noise(), kind, **options) + b"%PDF-1.4 " + script
        assert script in sent
        body = served(app, upload(moderator, sent).json).body
        assert script not in body and b"%PDF" not in body


class TestMetadata:
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_location_in_an_image_is_not_served(self, app, moderator, kind):
        exif = Image.Exif()
        exif[MAKER] = SECRET.decode()
        exif[ORIENTATION] = 6
        exif.get_ifd(GPS)[29] = SECRET.decode()
        sent = encoded(noise(), kind, exif=exif, xmp=SECRET) if kind != "PNG" else None
        sent = sent or encoded(noise(), kind, exif=exif)
        assert SECRET in sent
        image = upload(moderator, sent).json
        body = served(app, image).body
        assert SECRET not in body
        # The image is upright, as its author saw it.
        assert (image["width"], image["height"]) == (20, 40)
        assert dict(Image.open(io.BytesIO(body)).getexif()) == {}

    @pytest.mark.parametrize("kind", KINDS)
    def test_colours_are_converted_from_the_colour_profile(self, app, moderator, kind):
        srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        swapped = srgb.replace(b"rXYZ", b"....").replace(b"gXYZ", b"rXYZ").replace(b"....", b"gXYZ")
        red = Image.new("RGB", (8, 8), (200, 20, 20))
        picture = stored(app, moderator, encoded(red, kind, icc_profile=swapped))
        assert "icc_profile" not in picture.info
        red, green, _ = picture.convert("RGB").getpixel((4, 4))
        assert (red < 60, green > 150) == (True, True)

    @pytest.mark.parametrize("profile", [b"no profile", b"\0" * 200])
    def test_an_invalid_colour_profile_is_ignored(self, app, moderator, profile):
        for mode in ("RGB", "L", "RGBA", "P"):
            grey = Image.new("RGB", (8, 8), (120, 120, 120)).convert(mode)
            picture = stored(app, moderator, encoded(grey, icc_profile=profile))
            assert picture.info.get("icc_profile") is None
            same = [each.convert("RGB").getpixel((4, 4)) for each in (picture, grey)]
            assert same[0] == same[1]

    @pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA"])
    def test_an_image_of_any_colour_mode_looks_the_same(self, app, moderator, mode):
        white = Image.new("RGBA", (8, 8), (255, 255, 255, 255)).convert(mode)
        picture = stored(app, moderator, encoded(white))
        assert picture.convert("RGBA").getpixel((4, 4)) == (255, 255, 255, 255)

    def test_greys_of_16_bits_and_cmyk_are_converted(self, app, moderator):
        deep = Image.new("I;16", (8, 8), 128 * 256)
        assert stored(app, moderator, encoded(deep)).getpixel((4, 4)) == 128
        printed = Image.new("RGB", (8, 8), "white").convert("CMYK")
        assert stored(app, moderator, encoded(printed, "JPEG")).mode == "RGB"

    @pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
    @pytest.mark.parametrize("kind", ["PNG", "WEBP"])
    def test_transparency_is_kept(self, app, moderator, kind, mode):
        clear = Image.new("RGBA", (8, 8), (9, 9, 9, 0)).convert(mode)
        picture = stored(app, moderator, encoded(clear, kind))
        assert picture.convert("RGBA").getpixel((4, 4))[3] == 0

    def test_a_transparent_colour_of_a_png_is_kept(self, app, moderator):
        for mode, colour in (("L", 7), ("RGB", (7, 8, 9)), ("P", 3)):
            picture = Image.new("L", (8, 8), 3).convert("P") if mode == "P" else None
            sent = encoded(picture or Image.new(mode, (8, 8), colour), transparency=colour)
            picture = stored(app, moderator, sent)
            assert picture.convert("RGBA").getpixel((4, 4))[3] == 0, mode


@pytest.fixture(params=["folder", "s3"])
def storage(request, app):
    """A list of the keys that were read from the storage. Tests run once with each storage."""
    before = app.runtime[Storage]
    if request.param == "s3":
        server = request.getfixturevalue("s3_server")
        app.runtime.provide(Storage, request.getfixturevalue("s3_storage")(server.url))
    opened = []
    real = app.runtime[Storage].open

    class Counted:
        def __getattr__(self, name):
            return getattr(inner, name)

        def open(self, key):
            opened.append(key)
            return real(key)

    inner = app.runtime[Storage]
    app.runtime.provide(Storage, Counted())
    yield opened
    app.runtime.provide(Storage, before)


class TestServing:
    def test_an_image_can_be_cached_forever_and_shown_on_any_site(self, app, moderator, storage):
        image = upload(moderator).json
        reply = served(app, image, status=200)
        assert reply.content_type == "image/png"
        assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert reply.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert "Content-Disposition" not in reply.headers
        assert len(reply.body) == int(reply.headers["Content-Length"])

    def test_a_name_has_128_random_bits_and_leads_to_images_only(self, app, moderator):
        first, second = (upload(moderator).json["url"] for _ in range(2))
        name = first.rpartition("/images/")[2]
        assert len(bytes.fromhex(name.partition(".")[0])) == 16 and first != second
        with begin(app.runtime) as work:
            other = files.store(
                work, PNG, "png", plugin="people", subject="user 1", folder="images"
            ).partition("/")[2]
        bare = app.client()
        bare.key = None
        for unknown in ("0" * 32 + ".png", "nothing", other, "..%2Fimages%2Fx.png", "%00"):
            reply = bare.get(f"/images/{unknown}/", status=404, code="not_found")
            assert reply.headers["Cache-Control"] == "no-store"

    def test_a_client_with_the_current_image_gets_not_modified(self, app, moderator):
        image = upload(moderator).json
        reply = served(app, image)
        again = served(app, image, headers={"If-None-Match": reply.headers["ETag"]}, status=304)
        assert again.body == b""
        assert again.headers["Cache-Control"] == reply.headers["Cache-Control"]
        served(app, image, headers={"If-None-Match": '"other"'}, status=200)

    def test_head_returns_the_size_without_the_content(self, app, moderator):
        image = upload(moderator).json
        path = image["url"].partition(app.runtime.public_url)[2]
        reply = app.http.head(path)
        assert (reply.status_int, reply.body) == (200, b"")
        assert int(reply.headers["Content-Length"]) == len(served(app, image).body)

    def test_each_image_is_read_from_the_storage_once(self, app, moderator, storage):
        images = [upload(moderator).json for _ in range(3)]
        for _ in range(5):
            for image in images:
                served(app, image, status=200)
        assert len(storage) == 3

    def test_a_cached_image_needs_no_storage_and_no_database(self, app, moderator, statements):
        image = upload(moderator).json
        served(app, image)
        with statements() as executed:
            served(app, image, status=200)
        assert executed == []

    def test_images_are_not_rate_limited(self, app_with):
        service = app_with(
            {
                "competition.ratelimit.enabled": "true",
                "competition.ratelimit.address": "5/minute",
                "competition.ratelimit.anonymous": "5/minute",
            }
        )
        image = upload(service.staff("moderator")).json
        for _ in range(20):
            assert "X-RateLimit-Limit" not in served(service, image, status=200).headers


def test_the_cache_has_64_mib_at_most():
    class Large:
        content = bytes(20 * 2**20)
        content_type = "image/png"

    cache = ImageCache()
    read = []

    def load(name):
        return lambda: read.append(name) or Large()

    for name in ("a", "b", "c", "a", "d", "a", "b"):
        cache.get(name) or cache.read(name, load(name))
    assert read == ["a", "b", "c", "d", "b"]


def test_simultaneous_requests_read_the_storage_once(live, monkeypatch):
    image = upload(live.staff("moderator")).json
    storage, read, missed, opened = live.runtime[Storage], ImageCache.read, [], []

    def note(cache, name, load):
        missed.append(name)
        return read(cache, name, load)

    class Slow:
        def open(self, key):
            opened.append(key)
            # No request finds the image in the cache.
            wait_until(lambda: len(missed) == 10)
            return storage.open(key)

    monkeypatch.setattr(ImageCache, "read", note)

    live.runtime.provide(Storage, Slow())
    replies = together(10, lambda _: served(live, image, status=200))
    assert len(opened) == 1 and len({reply.body for reply in replies}) == 1


def test_a_slow_storage_blocks_one_thread_and_other_requests_get_503(live, monkeypatch):
    monkeypatch.setattr(serving, "PATIENCE", 0.1)
    image = upload(live.staff("moderator")).json
    storage, has_begun, is_over = live.runtime[Storage], Event(), Event()

    class Stuck:
        def open(self, key):
            has_begun.set()
            assert is_over.wait(PATIENCE)
            return storage.open(key)

    def get(number):
        if number == 0:
            return served(live, image, status=200)
        assert has_begun.wait(PATIENCE)
        reply = served(live, image, status=503, code="service_unavailable")
        is_over.set()
        return reply

    live.runtime.provide(Storage, Stuck())
    first, second = together(2, get)
    assert int(second.headers["Retry-After"]) > 0
    assert served(live, image, status=200).body == first.body


def test_a_failed_read_of_the_storage_is_not_cached(live):
    image = upload(live.staff("moderator")).json
    storage = live.runtime[Storage]

    class Away:
        def open(self, key):
            raise StorageUnavailable

    live.runtime.provide(Storage, Away())
    reply = served(live, image, status=502, code="storage_unavailable")
    assert reply.headers["Cache-Control"] == "no-store"
    live.runtime.provide(Storage, storage)
    served(live, image, status=200)


@pytest.mark.parametrize("lost", ["content", "folder"])
def test_an_image_that_is_lost_and_found_again_is_not_cached_while_it_is_lost(app, lost):
    image = upload(app.staff("moderator")).json
    folder = app.file_folder / "images"
    [path] = folder.iterdir()
    content = path.read_bytes()
    if lost == "content":
        path.write_bytes(b"")
    else:
        folder.rename(app.file_folder / "away")
    reply = served(app, image, status=502, code="storage_unavailable")
    assert reply.headers["Cache-Control"] == "no-store"
    if lost == "content":
        path.write_bytes(content)
    else:
        (app.file_folder / "away").rename(folder)
    assert served(app, image, status=200).body == content


def test_an_image_that_can_not_be_stored_is_not_added(app):
    class Away:
        def put(self, *_):
            raise StorageUnavailable

    storage = app.runtime[Storage]
    app.runtime.provide(Storage, Away())
    moderator = app.staff("moderator")
    upload(moderator, status=502, code="storage_unavailable")
    app.runtime.provide(Storage, storage)
    assert moderator.get(IMAGES, status=200).json["results"] == []
    upload(moderator)


# Images in the texts of questions


def question_with(moderator, *ids, **fields):
    texts = {
        **{"text": "Look: " + " ".join(f"[image:{each}]" for each in ids), "option_a": "A circle"},
        **{"option_b": "A line", "option_c": "A point", "option_d": "None", "correct_answer": "A"},
    }
    return moderator.post("/questions/", {**texts, **fields}, status=201).json


def test_a_text_shows_an_image_with_its_size_and_alternative_text(app):
    moderator = app.staff("moderator")
    image = upload(moderator, alt='A "circle"').json
    made = question_with(moderator, image["id"])
    assert made["rendered"]["text"] == (
        f'Look: <img src="{image["url"]}" width="40" height="20" alt="A &quot;circle&quot;">'
    )
    assert made["spoken"]["text"] == 'Look: image: A "circle"'
    assert moderator.get(IMAGES, status=200).json["results"][0]["used_by"] == 1


@pytest.mark.parametrize("image_id", [999_999, 2**31, 10**10 - 1])
def test_an_image_that_does_not_exist_is_rejected(app, image_id):
    moderator = app.staff("moderator")
    body = {**question_fields(moderator), "option_b": f"[image:{image_id}]"}
    reply = moderator.post("/questions/", body, status=400, code="invalid")
    assert f"no image {image_id}" in reply.json["errors"]["option_b"][0]


def question_fields(moderator):
    made = question_with(moderator)
    names = ("text", "option_a", "option_b", "option_c", "option_d", "correct_answer")
    return {name: made[name] for name in names}


def test_an_image_in_the_bank_or_in_a_paper_is_not_deleted(app, admin):
    image = upload(admin).json
    path = f"{IMAGES}{image['id']}/"
    made = question_with(admin, image["id"])
    admin.delete(path, status=400, code="invalid")
    exam_id = make_exam(app, admin, "", questions=[made["id"]])
    paper = take(app.candidate(), exam_id, status=200).json["questions"][0]
    admin.delete(f"/questions/{made['id']}/", status=204)
    admin.delete(path, status=400, code="invalid")
    # The paper keeps the alternative text from when it was frozen.
    admin.patch(path, {"alt": "Another text"}, status=200)
    again = take(app.candidate(), exam_id, status=200).json["questions"][0]
    assert again["rendered"] == paper["rendered"]
    unused = upload(admin).json
    bare = question_with(admin, unused["id"])
    admin.delete(f"/questions/{bare['id']}/", status=204)
    admin.delete(f"{IMAGES}{unused['id']}/", status=204)


def test_a_new_alternative_text_reaches_the_questions_in_the_bank(app):
    moderator = app.staff("moderator")
    image = upload(moderator, alt="Old").json
    made = question_with(moderator, image["id"], option_d=r"\(x^2\)")
    moderator.patch(f"{IMAGES}{image['id']}/", {"alt": "New"}, status=200)
    shown = moderator.get(f"/questions/{made['id']}/", status=200).json
    assert 'alt="New"' in shown["rendered"]["text"]
    assert shown["spoken"]["text"] == "Look: image: New"
    assert shown["rendered"]["option_d"] == made["rendered"]["option_d"]


def test_a_deletion_or_a_simultaneous_use_of_an_image_is_rejected(live):
    moderator = live.staff("moderator")
    image = upload(moderator).json
    fields = {**question_fields(moderator), "text": f"[image:{image['id']}]"}

    def act(index):
        if index:
            return moderator.delete(f"{IMAGES}{image['id']}/", status="any").status_int
        return moderator.post("/questions/", fields, status="any").status_int

    assert sorted(together(2, act)) in ([201, 400], [204, 400])
