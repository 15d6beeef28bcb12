"""Which uploads are accepted, tested with the identity documents."""

import io
import zlib

import pytest
import webtest
from PIL import Image

from competition.core.storage.pictures import CHUNK, received_file
from competition.core.web import forms
from competition.core.web.forms import IN_MEMORY
from competition.testing.identity_papers import (
    PDF,
    PNG,
    UPLOAD,
    documents,
    encrypted_pdf,
    image,
    photograph,
    submit,
)

MEGABYTE = 1024 * 1024
JPEG = image("JPEG")


@pytest.fixture
def candidate(app):
    return app.candidate(verification="not_submitted")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("face.png", PNG),
        ("face.PNG", PNG),
        ("face.jpg", image("JPEG")),
        ("face.jpeg", image("JPEG")),
        ("face.JPE", image("JPEG")),
        ("face.jfif", image("JPEG")),
        ("face.JIF", image("JPEG")),
        ("face.pjpeg", image("JPEG")),
        ("face.pjp", image("JPEG")),
        ("WhatsApp Image 2026-01-01 at 10.30.15", image("JPEG")),
        ("Ada L. Lovelace", PNG),
        ("face.webp", image("WEBP")),
        ("face.png", image("JPEG")),
        ("face", PNG),
        ("../../etc/passwd.png", PNG),
        ("лицо.png", PNG),
        ("face.png ", PNG),
    ],
)
def test_an_image_is_accepted(candidate, name, content):
    submit(candidate, documents(face_id=(name, content)), status=201)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("face.gif", PNG),
        ("face.png.exe", PNG),
        ("face.pdf", PDF),
        ("face.svg", b"<svg/>"),
        ("face.png", b"not an image"),
        ("face.png", b""),
        # A PNG without image data.
        ("face.png", PNG[:33] + PNG[-12:]),
        ("face.png", PDF),
        ("face", b"MZ executable"),
        ("scan 10.30.15", b"MZ executable"),
        ("face.png.7z", PNG),
        ("face.png", PNG[:40]),
        ("face.gif", image("GIF")),
        ("face.png", image("GIF")),
        ("face.png", image("BMP")),
    ],
)
def test_other_files_are_rejected(candidate, name, content):
    files = documents(face_id=(name, content))
    submit(candidate, files, status=400, code="invalid_file_type")


@pytest.mark.parametrize(
    ("field", "file", "types"),
    [
        ("face_id", ("face.heic", b"x"), "JPEG, PNG, WebP."),
        ("face_id", ("face.png", b"x"), "JPEG, PNG, WebP."),
        ("id_card", ("card.docx", b"x"), "JPEG, PNG, WebP, PDF."),
        ("id_card", ("card", b"x"), "JPEG, PNG, WebP, PDF."),
        ("id_card", ("card", image("PNG", (5_000, 2_601))), ""),
    ],
)
def test_the_error_names_the_field_and_the_message_the_accepted_types(
    candidate, field, file, types
):
    reply = submit(candidate, documents(**{field: file}), status=400, code="invalid_file_type").json
    assert reply["errors"] == {field: [reply["detail"]]}
    assert field not in reply["detail"] and reply["detail"].endswith(types)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_truncated_image_is_rejected(candidate, kind, part):
    whole = photograph(kind)
    files = documents(face_id=("face", whole[: int(len(whole) * part)]))
    submit(candidate, files, status=400, code="invalid_file_type")
    submit(candidate, documents(face_id=("face", whole)), status=201)


def received(content, filename="letter.pdf"):
    stream = io.BytesIO(content)
    assert received_file(stream, "id_card", filename=filename, pdf=True).extension == "pdf"
    return stream.getvalue()


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\r\n", b"x" * 1024])
@pytest.mark.parametrize("after", [b"", b"\0" * 1025, b"\0" * 70_000, b"%%EO" + b"x" * 65_530])
def test_a_pdf_is_stored_from_its_header_to_its_end(before, after):
    assert received(before + PDF + after) == PDF


@pytest.mark.parametrize("size", [CHUNK - 2, CHUNK, 2 * CHUNK + 1])
def test_a_large_pdf_is_stored_whole(size):
    large = PDF[:20] + b"%" * size + PDF[20:]
    assert received(b"\n" + large + b"\0" * (CHUNK - 3)) == large


def test_what_comes_shortly_after_the_end_of_a_pdf_is_stored():
    assert received(PDF + b"\0" * 1000) == PDF + b"\0" * 1000


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (PDF[:-8], "damaged or incomplete"),
        (b"%PDF-1.4\nno objects\n%%EOF\n", "damaged or incomplete"),
        (photograph("JPEG")[:-2], "damaged or incomplete"),
        (photograph("PNG")[:-400], "damaged or incomplete"),
        (photograph("WEBP")[:-40], "damaged or incomplete"),
        (b"x" * 1025 + PDF, "not of an accepted type"),
        (b"PK", "not of an accepted type"),
    ],
)
def test_the_error_says_whether_a_file_is_incomplete_or_of_another_type(candidate, content, reason):
    files = documents(id_card=("card", content))
    reply = submit(candidate, files, status=400, code="invalid_file_type").json
    assert reason in reply["detail"]
    if "damaged" in reason:
        assert reply["errors"] == {"id_card": [reply["detail"]]}


def test_a_thumbnail_is_not_the_end_of_its_photograph(candidate):
    """Phones embed a small JPEG, with its own end marker, before the photograph itself."""
    thumbnail = b"\xff\xe1" + (2 + len(JPEG)).to_bytes(2) + JPEG
    large = photograph("JPEG")
    whole = large[:2] + thumbnail + large[2:]
    files = documents(face_id=("face.jpg", whole[: len(thumbnail) + len(large) // 2]))
    submit(candidate, files, status=400, code="invalid_file_type")
    submit(candidate, documents(face_id=("face.jpg", whole)), status=201)


def test_a_jpeg_with_padding_and_a_trailer_is_accepted(candidate):
    padded = JPEG[:2] + b"\xff\xff" + JPEG[2:] + b"\0" * 1000
    submit(candidate, documents(face_id=("face.jpg", padded)), status=201)


def test_the_end_of_a_jpeg_is_found_between_two_reads(candidate):
    begin = JPEG.rindex(b"\xff\xda") + 2
    padding = b"\0" * (IN_MEMORY - 1 - (len(JPEG) - 2 - begin))
    submit(candidate, documents(face_id=("f.jpg", JPEG[:-2] + padding + JPEG[-2:])), status=201)


def test_a_jpeg_with_several_images_is_accepted(app, candidate):
    """Many phones store photographs in this format (MPO)."""
    buffer = io.BytesIO()
    first, second = Image.new("RGB", (4, 4)), Image.new("RGB", (4, 4))
    first.save(buffer, "MPO", save_all=True, append_images=[second])
    submit(candidate, documents(face_id=("face.jpg", buffer.getvalue())), status=201)
    assert app.user(candidate).face_id.endswith(".jpg")


def png_piece(kind, data=b""):
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)


@pytest.mark.parametrize(
    ("content", "piece"),
    [
        (JPEG, b"\xff"),
        (JPEG, b"\xff\xd0"),
        (JPEG, b"\xff\xe5\0\2"),
        (JPEG, b"\xff\xfe\0\2"),
        (PNG, png_piece(b"teST")),
        # A decoder would expand each of these compressed colour profiles.
        (PNG, png_piece(b"iCCP", b"a\0\0" + zlib.compress(b"\0" * 1000))),
        (PNG, png_piece(b"IDAT")),
    ],
    ids=["padding", "restarts", "applications", "comments", "unknown", "profiles", "pixels"],
)
def test_an_image_of_very_many_chunks_is_rejected(candidate, content, piece):
    """Reading all chunks of an image of five megabytes would occupy a thread for seconds."""
    begin = 2 if content is JPEG else content.index(b"IDAT") - 4
    whole = content[:begin] + piece * 30_000 + content[begin:]
    files = documents(face_id=("face", whole))
    submit(candidate, files, status=400, code="invalid_file_type")


@pytest.mark.parametrize(
    ("content", "begin", "piece", "count"),
    [
        (JPEG, 2, b"\xff\xe2\xff\xff" + b"x" * 0xFFFD, 70),
        (PNG, PNG.index(b"IEND") - 4, png_piece(b"IDAT", b"x" * 512), 9_000),
    ],
    ids=["JPEG", "PNG"],
)
def test_an_image_with_as_many_chunks_as_a_large_one_is_accepted(
    candidate, content, begin, piece, count
):
    whole = content[:begin] + piece * count + content[begin:]
    submit(candidate, documents(face_id=("face", whole)), status=201)


def test_a_pdf_is_recognised_by_its_content(candidate):
    submit(candidate, documents(id_card=("card", PDF)), status=201)


@pytest.mark.parametrize("field", ["id_card", "verification_document"])
def test_a_pdf_that_needs_a_password_is_rejected(candidate, field):
    """Nobody could read the document. The other password of a PDF only forbids changes."""
    locked = {field: ("scan.pdf", encrypted_pdf(password="secret"))}
    reply = submit(candidate, documents(**locked), status=400, code="invalid_file_type").json
    detail = "This PDF is protected by a password. Save it without one, and send it again."
    assert (reply["detail"], reply["errors"]) == (detail, {field: [detail]})
    open_to_all = {field: ("scan.pdf", encrypted_pdf(password=""))}
    submit(candidate, documents(**open_to_all), status=201)
    candidate.upload("PATCH", UPLOAD, locked, status=400, code="invalid_file_type")


def test_a_pdf_that_needs_a_password_is_no_picture(candidate):
    files = documents(face_id=("face", encrypted_pdf(password="secret")))
    detail = submit(candidate, files, status=400, code="invalid_file_type").json["detail"]
    assert detail.endswith("JPEG, PNG, WebP.")


@pytest.mark.parametrize(("field", "largest"), [("face_id", 5), ("id_card", 2)])
def test_a_file_one_byte_too_large_is_rejected(app, candidate, field, largest):
    padding = b"\0" * (largest * MEGABYTE - len(PNG))
    files = documents(**{field: ("file.png", PNG + padding + b"\0")})
    submit(candidate, files, status=400, code="file_size_exceeded")
    submit(candidate, documents(**{field: ("file.png", PNG + padding)}), status=201)


def test_a_file_that_is_too_large_is_reported_before_a_missing_file(candidate):
    files = {"face_id": ("face.png", b"\0" * (5 * MEGABYTE + 1))}
    submit(candidate, files, status=400, code="file_size_exceeded")


@pytest.mark.parametrize(("length", "read_at_most"), [(10**12, 0), (7 * MEGABYTE, 6 * MEGABYTE)])
def test_a_body_that_is_too_large_is_not_read_to_its_end(app, candidate, length, read_at_most):
    """The limit applies to the declared length and to each field."""
    body = Endless()
    headers = {"X-Api-Key": app.key, "Authorization": f"Bearer {candidate.client.token}"}
    request = webtest.TestRequest.blank(f"/v1{UPLOAD}", method="POST", headers=headers)
    request.environ["CONTENT_TYPE"] = "multipart/form-data; boundary=boundary"
    request.environ["CONTENT_LENGTH"] = str(length)
    request.environ["wsgi.input"] = body
    reply = request.get_response(app.http.app)
    assert (reply.status_int, reply.json["code"]) == (400, "file_size_exceeded")
    assert body.read_bytes <= read_at_most


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        (UPLOAD, {}, 401),
        (UPLOAD, {"X-Api-Key": "wrong"}, 401),
        (UPLOAD, {"X-Api-Key": "right", "Authorization": "Bearer wrong"}, 401),
        ("/nowhere/", {"X-Api-Key": "right"}, 404),
        ("/exams/", {"X-Api-Key": "right"}, 401),
    ],
)
def test_nothing_is_read_of_a_form_that_nobody_may_send(app, path, headers, status):
    body = Endless()
    if headers.get("X-Api-Key") == "right":
        headers = {**headers, "X-Api-Key": app.key}
    request = webtest.TestRequest.blank(f"/v1{path}", method="POST", headers=headers)
    request.environ["CONTENT_TYPE"] = "multipart/form-data; boundary=boundary"
    request.environ["CONTENT_LENGTH"] = str(5 * MEGABYTE)
    request.environ["wsgi.input"] = body
    assert request.get_response(app.http.app).status_int == status
    assert body.read_bytes == 0


class Endless:
    """A body without an end."""

    def __init__(self):
        self.read_bytes = 0

    def read(self, size):
        head = b""
        if self.read_bytes == 0:
            head = (
                b'--boundary\r\nContent-Disposition: form-data; name="face_id"; '
                b'filename="face.png"\r\n\r\n'
            )
        chunk = head + b"\0" * (size - len(head))
        self.read_bytes += len(chunk)
        return chunk


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"nonsense", "multipart/form-data; boundary=boundary"),
        (b"", "multipart/form-data; boundary=boundary"),
        (
            b'--boundary\r\nContent-Disposition: form-data; name="face_id"; filename="a.png"\r\n'
            b"\r\n\x89PNG",
            "multipart/form-data; boundary=boundary",
        ),
        (
            b'--boundary\r\nContent-Disposition: form-data; name="note"\r\n\r\n\xff\xfe\r\n'
            b"--boundary--\r\n",
            "multipart/form-data; boundary=boundary",
        ),
    ],
)
def test_a_broken_body_is_invalid(candidate, body, content_type):
    candidate.post(UPLOAD, body, content_type=content_type, status=400, code="invalid")


@pytest.mark.parametrize("content_type", ["multipart/form-data", "text/plain", ""])
def test_a_form_without_a_boundary_is_an_unsupported_media_type(candidate, content_type):
    reply = candidate.post(UPLOAD, b"x", content_type=content_type, status="any")
    assert reply.json["code"] == "unsupported_media_type"


@pytest.mark.parametrize("field", ["face_id", "id_card"])
@pytest.mark.parametrize(
    ("kind", "most"), [("JPEG", (5_000, 5_000)), ("PNG", (5_000, 2_600)), ("WEBP", (5_000, 2_600))]
)
def test_an_image_with_too_many_pixels_is_rejected(candidate, field, kind, most):
    """The file itself may be small: an image of one colour compresses to a kilobyte."""
    width, height = most
    files = documents(**{field: ("file", image(kind, (width, height + 1)))})
    reply = submit(candidate, files, status=400, code="invalid_file_type")
    assert f"is {width * height:,}." in reply.json["detail"]
    submit(candidate, documents(**{field: ("file", image(kind, most))}), status=201)


def test_the_declared_size_of_an_image_is_checked_before_decoding(candidate):
    """The header declares 60,000 by 60,000 pixels in a file of a few hundred bytes."""
    bomb = bytearray(PNG)
    bomb[16:24] = (60_000).to_bytes(4, "big") * 2
    files = documents(face_id=("face.png", bytes(bomb)))
    submit(candidate, files, status=400, code="invalid_file_type")


@pytest.mark.parametrize(("more", "status"), [(0, 201), (40, 201), (41, 400)])
def test_a_jpeg_with_too_many_scans_is_rejected(candidate, more, status):
    """Each scan has sixty bytes, and makes a decoder go over the whole image."""
    buffer = io.BytesIO()
    Image.new("RGB", (64, 64)).save(buffer, "JPEG", progressive=True)
    whole = buffer.getvalue()
    assert whole.count(b"\xff\xda") == 10
    last = whole[whole.rindex(b"\xff\xc4", 0, whole.rindex(b"\xff\xda")) : -2]
    files = documents(face_id=("face.jpg", whole[:-2] + last * more + whole[-2:]))
    submit(candidate, files, status=status)


def test_a_form_beyond_the_memory_of_a_process_gets_503(app, candidate, monkeypatch):
    """Forms that are being processed may use a limited amount of memory together. A processed form
    releases its part.
    """
    monkeypatch.setattr(forms, "MOST_AT_ONCE", 100_000)
    with app.runtime.part(forms.Forms).room(100_000):
        reply = submit(candidate, documents(), status=503, code="service_unavailable")
        assert reply.headers["Retry-After"]
    submit(candidate, documents(), status=201)
    with app.runtime.part(forms.Forms).room(100_000):
        pass
