"""Pictures and PDF documents to upload, and uploads of identity documents."""

import io
from functools import cache
from typing import Any

import webtest
from PIL import Image
from pypdf import PdfWriter

from competition.testing.service import Person

# A PDF of one page.
PDF = (
    b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
    b"2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
    b"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>\nendobj\n"
    b"trailer\n<</Root 1 0 R>>\n%%EOF\n"
)
UPLOAD = "/user/verification/upload/"

Files = dict[str, Any]


@cache
def image(kind: str = "PNG", size: tuple[int, int] = (4, 4)) -> bytes:
    return encoded(Image.new("RGB", size, "navy"), kind)


def photograph(kind: str) -> bytes:
    """A picture of noise in the format `kind`, such as JPEG. Noise does not compress, so the file
    is large enough for tests that cut it off at different places."""
    return encoded(Image.effect_noise((200, 200), 90).convert("RGB"), kind)


def encoded(picture: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind)
    return buffer.getvalue()


PNG = image()


def encrypted_pdf(algorithm: str = "AES-128", *, password: str) -> bytes:
    """A PDF of one page. `algorithm` is pypdf's name of an algorithm. If the password is empty,
    everybody can open the PDF, and another password protects it from changes."""
    buffer = io.BytesIO()
    with PdfWriter() as writer:
        writer.add_blank_page(100, 100)
        writer.encrypt(password, "the owner's password", algorithm=algorithm)
        writer.write(buffer)
    return buffer.getvalue()


def documents(**changes: Any) -> Files:
    """The files of an upload of identity documents: (filename, content) by field. `changes` replace
    files, or leave them out if they are None."""
    files = {
        "face_id": ("face.png", PNG),
        "id_card": ("card.PDF", PDF),
        "verification_document": ("letter.jpeg", image("JPEG")),
    }
    files.update(changes)
    return {name: file for name, file in files.items() if file is not None}


def submit(person: Person, files: Files | None = None, **expected: Any) -> webtest.TestResponse:
    return person.upload("POST", UPLOAD, documents() if files is None else files, **expected)
