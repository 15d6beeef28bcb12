"""A PDF that needs a password or has no pages is recognised, and no PDF costs much."""

import io
import re
import zlib

import pytest
from pypdf import PdfReader, PdfWriter

from competition.core.storage import unreadable_pdfs
from competition.core.storage.unreadable_pdfs import CHUNK, Fault, fault
from competition.testing.identity_papers import PDF, encrypted_pdf

LOCKED = encrypted_pdf(password="secret")
ENCRYPTED = b"/Encrypt"
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


def without_pages(**encryption):
    stream = io.BytesIO()
    with PdfWriter() as writer:
        if encryption:
            writer.encrypt(**encryption)
        writer.write(stream)
    return stream.getvalue()


def with_compressed_page():
    """A PDF whose page is an object in a compressed stream, as most programs write it."""
    parts = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
    )
    places = [sum(map(len, parts[:at])) for at in range(len(parts))]
    index = b" ".join(b"%d %d" % (number, place) for number, place in enumerate(places, 1)) + b" "
    content = zlib.compress(index + b"".join(parts))
    head = b"%PDF-1.5\n"
    objects = b"4 0 obj\n<</Type/ObjStm/N 3/First %d/Filter/FlateDecode/Length %d>>\nstream\n" % (
        len(index),
        len(content),
    )
    objects += content + b"\nendstream\nendobj\n"
    entries = [(0, 0, 0), (2, 4, 0), (2, 4, 1), (2, 4, 2), (1, len(head), 0)]
    table = b"".join(kind.to_bytes(1) + a.to_bytes(4) + b.to_bytes(1) for kind, a, b in entries)
    place = len(head + objects)
    keys = b"<</Type/XRef/Root 1 0 R/Size 5/W[1 4 1]/Length %d>>" % len(table)
    stream = b"5 0 obj\n" + keys + b"\nstream\n" + table + b"\nendstream\nendobj\n"
    return head + objects + stream + b"startxref\n%d\n%%%%EOF\n" % place


def found(content):
    return fault(io.BytesIO(content))


def is_locked(content):
    return found(content) is Fault.NEEDS_PASSWORD


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
        PDF,
        with_stream(b"trailer <</Encrypt 1 0 R>>"),
        PDF + b"/Encrypt\n%%EOF",
        # The dictionary that says how the PDF is encrypted is missing, or is no dictionary.
        PDF.replace(b"trailer\n<<", b"trailer\n<</Encrypt 9 0 R"),
        PDF.replace(b"trailer\n<<", b"trailer\n<</Encrypt /Standard"),
        # Only the holder of a certificate can open this.
        LOCKED.replace(b"/Standard", b"/Adobe.PubSec"),
        LOCKED[:-300],
    ],
)
def test_other_pdfs_need_no_password(content, caplog):
    assert found(content) is None
    assert not caplog.records


@pytest.mark.parametrize(
    "content",
    [
        without_pages(),
        with_reference_stream(without_pages()),
        without_pages(user_password="", owner_password="owner", algorithm="AES-128"),
        # No PDF behind the header.
        b"%PDF-1.4\n%%EOF",
        b"%PDF-1.7\n<!doctype html><object></object>%%EOF",
    ],
)
def test_a_pdf_without_pages_is_recognised(content):
    assert found(content) is Fault.NO_PAGES


def test_a_page_in_a_compressed_stream_is_a_page(caplog):
    content = with_compressed_page()
    assert b"/Page" not in content and len(PdfReader(io.BytesIO(content)).pages) == 1
    assert found(content) is None and not caplog.records


def test_a_damaged_pdf_counts_as_readable(caplog):
    """Other programs may repair it."""
    assert found(without_pages().replace(b"startxref", b"")) is None
    assert not caplog.records


@pytest.mark.parametrize("before", [CHUNK - len(ENCRYPTED), CHUNK - 3, CHUNK, 3 * CHUNK - 1])
def test_the_key_of_encryption_is_found_between_two_reads(before):
    comment = b"%" * (before - LOCKED.index(ENCRYPTED) - 1) + b"\n"
    trailer = LOCKED.index(b"trailer")
    content = LOCKED[:trailer] + comment + LOCKED[trailer:]
    assert content.index(ENCRYPTED) == before and is_locked(content)


def test_a_program_is_started_only_if_the_bytes_leave_a_doubt(monkeypatch):
    monkeypatch.setattr(unreadable_pdfs.subprocess, "run", None)
    assert found(PDF) is None
    for doubtful in (PDF + ENCRYPTED, with_compressed_page(), without_pages()):
        with pytest.raises(TypeError):
            found(doubtful)


def test_the_time_of_the_program_is_limited(monkeypatch, caplog):
    """pypdf has to search each object of this PDF to the end of the file, which takes minutes."""
    monkeypatch.setattr(unreadable_pdfs, "MOST_SECONDS", 1)
    objects = b"".join(b"%d 0 obj\n<</A[(\n" % number for number in range(100_000))
    assert not is_locked(b"%PDF-1.4\n" + objects + b"/Encrypt\nstartxref\n0\n%%EOF\n")
    assert "exit code -9" in caplog.text


def test_the_memory_of_the_program_is_limited(monkeypatch, caplog):
    monkeypatch.setattr(unreadable_pdfs, "MOST_MEMORY", 1024 * 1024)
    assert found(LOCKED) is None
    assert "unknown whether" in caplog.text


def test_an_upload_does_not_fail_if_the_program_can_not_be_started(monkeypatch, caplog):
    monkeypatch.setattr(unreadable_pdfs.sys, "executable", "/nowhere/python")
    assert found(LOCKED) is None
    assert "unknown whether" in caplog.text
