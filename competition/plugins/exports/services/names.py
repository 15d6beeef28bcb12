"""The names of files: of an export, and of the file of each school in an archive."""

import re
from datetime import date

# Characters that some file system or header does not accept.
UNUSABLE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
LONGEST = 100
# Linux allows 255 bytes in the name of a file. This leaves room for a number and the extension.
LONGEST_BYTES = 240
# Names that Windows reserves for devices, with any extension.
DEVICE = re.compile(r"(aux|con|nul|prn|(com|lpt)[0-9¹²³]|con(in|out)\$) *(\.|$)", re.IGNORECASE)
NO_SCHOOL = "no school"


def file_name(kind: str, subject: str, day: date, extension: str) -> str:
    """The name of the file of an export, such as ``results-exam-7-2026-03-01.csv``."""
    words = re.findall("[a-z0-9]+", f"{kind} {subject}".lower())
    return f"{'-'.join([*words, day.isoformat()])}.{extension}"


class SchoolNames:
    """The names of the files in an archive. No two of them differ only in upper and lower case."""

    def __init__(self, extension: str) -> None:
        self.extension = extension
        self.taken: set[str] = set()

    def name(self, school: str) -> str:
        """A name for a school's file that no other file of the archive has."""
        # Windows removes dots and spaces at the end of a name.
        short = UNUSABLE.sub("-", school)[:LONGEST].encode()[:LONGEST_BYTES].decode(errors="ignore")
        stem = short.strip(". ") or NO_SCHOOL
        if DEVICE.match(stem):
            stem = f"_{stem}"
        found, number = stem, 1
        while found.casefold() in self.taken:
            number += 1
            found = f"{stem} ({number})"
        self.taken.add(found.casefold())
        return f"{found}.{self.extension}"
