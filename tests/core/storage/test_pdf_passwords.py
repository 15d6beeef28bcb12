"""A PDF that nobody can open without a password is recognised, and no PDF costs much."""

import io
import re
import zlib

import pytest
from pypdf import PdfWriter

from competition.core.storage import pdf_passwords
from competition.core.storage.pdf_passwords import CHUNK, ENCRYPTED, needs_password
from competition.testing.identity_papers import PDF, encrypted_pdf

LOCKED = encrypted_pdf(password="secret")
ALGORITHMS = ("RC4-40", "RC4-128", "AES-128", "AES-256-R5", "AES-256")


def with_reference_stream(pdf):
    """The same PDF, but with a compressed stream in place of its cross-reference table."""
    body, _, table = pdf.partition(b"xref\n")
    rows = [each.split() for each in re.findall(rb"^\d{10} \d{5} [nf]", table, re.MULTILINE)]
    entries = [
        (kind == b"n").to_bytes(1) + int(place).to_bytes(4) + b"\0" for place, _, kind in rows
    ]
    keys = re.search(rb"trailer\s*<<(.*)>>\s*startxref", table, re.DOTALL)[1]
    content = zlib.compress(b"".join(entries))
    head = b"%d 0 obj\n<<%s/Type/XRef/W[1 4 1]/Filter/FlateDecode/Length %d>>\nstream\n"
    stream = head % (len(rows), keys, len(content)) + content + b"\nendstream\nendobj\n"
    return body + stream + b"startxref\n%d\n%%%%EOF\n" % len(body)


def with_stream(text):
    """A PDF with a stream that contains the text."""
    stream = io.BytesIO()
    with PdfWriter() as writer:
        writer.add_blank_page(100, 100)
        writer.add_attachment("letter.txt", text)
        writer.write(stream)
    return stream.getvalue()


def is_locked(content):
    return needs_password(io.BytesIO(content))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("changed", [bytes, with_reference_stream])
def test_a_pdf_that_can_not_be_opened_without_a_password_is_recognised(algorithm, changed):
    assert is_locked(changed(encrypted_pdf(algorithm, password="secret")))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("changed", [bytes, with_reference_stream])
def test_a_password_that_protects_a_pdf_only_from_changes_does_not_count(algorithm, changed):
    content = changed(encrypted_pdf(algorithm, password=""))
    assert ENCRYPTED in content and not is_locked(content)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        PDF,
        b"%PDF-1.4\n%%EOF",
        with_stream(b"trailer <</Encrypt 1 0 R>>"),
        b"%PDF-1.4\n/Encrypt\n%%EOF",
        # The dictionary that says how the PDF is encrypted is missing, or is no dictionary.
        PDF.replace(b"trailer\n<<", b"trailer\n<</Encrypt 9 0 R"),
        PDF.replace(b"trailer\n<<", b"trailer\n<</Encrypt /Standard"),
        # Only the holder of a certificate can open this.
        LOCKED.replace(b"/Standard", b"/Adobe.PubSec"),
        LOCKED[:-300],
    ],
)
def test_other_pdfs_need_no_password(content, caplog):
    assert not is_locked(content)
    assert not caplog.records


@pytest.mark.parametrize("before", [CHUNK - len(ENCRYPTED), CHUNK - 3, CHUNK, 3 * CHUNK - 1])
def test_the_key_is_found_between_two_reads(before):
    comment = b"%" * (before - LOCKED.index(ENCRYPTED) - 1) + b"\n"
    trailer = LOCKED.index(b"trailer")
    content = LOCKED[:trailer] + comment + LOCKED[trailer:]
    assert content.index(ENCRYPTED) == before and is_locked(content)


def test_a_program_is_started_only_for_a_pdf_with_the_key(monkeypatch):
    monkeypatch.setattr(pdf_passwords.subprocess, "run", None)
    assert not is_locked(PDF)
    with pytest.raises(TypeError):
        is_locked(PDF + ENCRYPTED)


def test_the_time_of_the_program_is_limited(monkeypatch, caplog):
    """pypdf has to search each object of this PDF to the end of the file, which takes minutes."""
    monkeypatch.setattr(pdf_passwords, "MOST_SECONDS", 1)
    objects = b"".join(b"%d 0 obj\n<</A[(\n" % number for number in range(100_000))
    assert not is_locked(b"%PDF-1.4\n" + objects + b"/Encrypt\nstartxref\n0\n%%EOF\n")
    assert "exit code -9" in caplog.text


def test_the_memory_of_the_program_is_limited(monkeypatch, caplog):
    monkeypatch.setattr(pdf_passwords, "MOST_MEMORY", 1024 * 1024)
    assert not is_locked(LOCKED)
    assert "unknown whether" in caplog.text


def test_an_upload_does_not_fail_if_the_program_can_not_be_started(monkeypatch, caplog):
    monkeypatch.setattr(pdf_passwords.sys, "executable", "/nowhere/python")
    assert not is_locked(LOCKED)
    assert "unknown whether" in caplog.text
