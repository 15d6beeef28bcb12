"""Find out the format of a file, by its content and its name.

The content is checked before other code reads it. An archive is rejected if it is too large
unpacked; the format of a text is found by its characters.
"""

import re
import zipfile
import zlib
from collections.abc import Mapping
from itertools import chain
from typing import IO

from competition.core.errors import Invalid
from competition.core.imports import ImportKind, decoded
from competition.core.messages import Message
from competition.core.storage.pictures import InvalidFileType, extension_of

# The most bytes of an archive, unpacked, and the most files in it.
MOST_UNPACKED = 100 * 1024 * 1024
MOST_FILES = 2_000
CHUNK = 256 * 1024

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# In a compound file, the name of the stream with the content of an encrypted workbook.
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
# In a compound file, the names of the stream with the content of a workbook: in Excel 97 to 2003,
# and in older versions. Word documents have other streams.
WORKBOOK = tuple(name.encode("utf-16-le") for name in ("Workbook\0", "Book\0"))
ODS = b"application/vnd.oasis.opendocument.spreadsheet"
MACROS = re.compile(r"vbaproject|macro", re.IGNORECASE)
# The endings of files in each format. Several formats have the ending txt; their content tells them
# apart.
ENDINGS = {
    "csv": ("csv", "tsv", "txt"),
    "xlsx": ("xlsx",),
    "ods": ("ods",),
    "xls": ("xls",),
    "gift": ("gift", "txt"),
    "aiken": ("aiken", "txt"),
    "moodle_xml": ("xml",),
}
# The media types of the formats, and of the files in which they are stored.
MEDIA_TYPES: Mapping[str, str] = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "xls": "application/vnd.ms-excel",
    "gift": "text/plain",
    "aiken": "text/plain",
    "moodle_xml": "application/xml",
}
# The endings under which files are stored, if they differ from the name of the format.
STORED_AS = {"gift": "txt", "aiken": "txt", "moodle_xml": "xml"}
# Each of these patterns reads a character at most a few times, because a file may have millions.
IS_AIKEN = re.compile(r"^[ \t]*ANSWER[ \t]*:[ \t]*[A-Z][ \t\r]*$", re.IGNORECASE | re.MULTILINE)
IS_GIFT = re.compile(r"(?<![\\_^}])\{(?=[^{}=~#TF]*[=~#TF])[^{}]*(?<!\\)\}")
# Formulas have braces, too, so they are removed before IS_GIFT searches the text. In GIFT, the
# braces of formulas are escaped.
FORMULAS = re.compile(
    r"\\\((?:(?!\\[()])[\s\S])*\\\)|\\\[(?:(?!\\[\[\]])[\s\S])*\\\]|\$\$[^$]*\$\$"
)

PASSWORD = Message("This workbook has a password. Save it without one, and send it again.")
TOO_LARGE = Message("This file is too large when it is unpacked. Split it into several files.")


def is_text(form: str) -> bool:
    """Whether files in this format are texts whose encoding has to be found. XML names its own."""
    return form not in ("xlsx", "ods", "xls", "moodle_xml")


def endings(kind: ImportKind) -> list[str]:
    """The endings of the file names that a kind of imports accepts, without dots."""
    return list(dict.fromkeys(chain.from_iterable(map(_endings, kind.formats))))


def _endings(form: str) -> tuple[str, ...]:
    return ENDINGS.get(form, (form,))


def detected(stream: IO[bytes], filename: str, wanted: str | None, kind: ImportKind) -> str:
    """The format of a file. `wanted` is the format that the caller has named, if any.

    Raises InvalidFileType if the kind does not accept the file, if it is damaged or contains
    macros, or if it has another format than the caller has named. Raises Invalid if the file has a
    password or is too large unpacked.
    """
    ending = extension_of(filename)
    if ending and ending not in endings(kind):
        raise InvalidFileType.field(
            "file",
            Message(
                ".${suffix} files are not accepted here. The accepted types are: ${types}.",
                suffix=ending[:20],
                types=endings(kind),
            ),
        )
    stream.seek(0)
    begin = stream.read(len(OLE))
    if begin.startswith(ZIP):
        found = _of_archive(stream, kind)
    elif begin == OLE:
        found = _of_ole(stream)
    else:
        found = _of_text(stream, ending, wanted, kind)
    stream.seek(0)
    if found not in kind.formats or wanted not in (None, found):
        raise _wrong_content(kind)
    return found


def _wrong_content(kind: ImportKind) -> InvalidFileType:
    return InvalidFileType.field(
        "file",
        Message(
            "The content of the file is not of an accepted type. The accepted types are: ${types}.",
            types=endings(kind),
        ),
    )


def _of_archive(stream: IO[bytes], kind: ImportKind) -> str:
    try:
        with zipfile.ZipFile(stream) as archive:
            names = archive.namelist()
            _check_unpacked(archive, kind)
            if "mimetype" in names:
                return "ods" if archive.read("mimetype").startswith(ODS) else ""
            if any(MACROS.search(each) for each in names):
                raise InvalidFileType.field(
                    "file",
                    Message("The workbook contains macros. Save it as .xlsx, and send it again."),
                )
            return "xlsx" if "xl/workbook.xml" in names else ""
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        raise InvalidFileType.field(
            "file", Message("The file is damaged or not complete. Please send it again.")
        ) from None


def _check_unpacked(archive: zipfile.ZipFile, kind: ImportKind) -> None:
    """Unpack the archive, and count its bytes. Raises Invalid if there are too many bytes or files,
    or if the archive has a password, and InvalidFileType for unusual methods of compression."""
    unpacked = 0
    files = archive.infolist()
    if len(files) > MOST_FILES:
        raise Invalid.field("file", TOO_LARGE)
    for each in files:
        # Other methods of compression may need much memory, and no program writes spreadsheets with
        # them.
        if each.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _wrong_content(kind)
        if each.flag_bits & 1:
            raise Invalid.field("file", PASSWORD)
        with archive.open(each) as part:
            while chunk := part.read(CHUNK):
                unpacked += len(chunk)
                if unpacked > MOST_UNPACKED:
                    raise Invalid.field("file", TOO_LARGE)


def _of_ole(stream: IO[bytes]) -> str:
    """The format of a compound file: "xls" for a workbook of Excel 97 to 2003 or older, "" for any
    other file. Raises Invalid if the file has a password."""
    stream.seek(0)
    content = stream.read()
    if ENCRYPTED in content:
        raise Invalid.field("file", PASSWORD)
    return "xls" if any(each in content for each in WORKBOOK) else ""


def _of_text(stream: IO[bytes], ending: str, wanted: str | None, kind: ImportKind) -> str:
    text = decoded(stream)
    if "\0" in text or text.startswith(("%PDF-", "{\\rtf")):
        return ""
    formats = [each for each in kind.formats if ending in ("", *_endings(each))]
    looks_like_xml = text.lstrip("\ufeff \t\r\n").startswith("<")
    if looks_like_xml or not formats:
        return "moodle_xml" if "moodle_xml" in formats else ""
    if wanted in formats and is_text(wanted):
        return wanted
    if "aiken" in formats and IS_AIKEN.search(text):
        return "aiken"
    if "gift" in formats and IS_GIFT.search(FORMULAS.sub("", text)):
        return "gift"
    return next(filter(is_text, formats), "")
