"""Find out whether a PDF shows nothing to its readers: it needs a password, or has no pages.

pypdf reads the PDF in a process of its own, with limits on time and memory: a file of a few
kilobytes can make any library that reads PDFs work for minutes, or use gigabytes. So this file is
also a program, and it imports pypdf only there.
"""

import io
import logging
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from enum import IntEnum
from typing import IO

log = logging.getLogger(__name__)

# An object, without which a file is no PDF.
OBJECT = re.compile(rb"\d\s{1,20}\d{1,10}\s{1,20}obj")
# The type of a page. If pages are compressed, it does not appear.
PAGE = re.compile(rb"/Page[^A-Za-z]")
# The key of an encrypted PDF that refers to how it is encrypted. Its place in the file is never
# compressed or encrypted itself.
ENCRYPTED = re.compile(rb"/Encrypt")
# How much of a file is searched at a time, and the longest text that is found, in bytes.
CHUNK = 64 * 1024
LONGEST_TEXT = 64
# The limits of the program: processor time in seconds, and memory in bytes. It usually takes a
# quarter of a second and 36 MB.
MOST_SECONDS = 5
MOST_MEMORY = 128 * 1024 * 1024
# How long a request waits for the program in the worst case, in seconds.
LONGEST_WAIT = 30
# Held while the program runs. A process of the service starts one at a time, because of its memory.
_running = threading.Lock()


class Fault(IntEnum):
    """Why a PDF shows nothing. The numbers are exit codes of the program."""

    NEEDS_PASSWORD = 3
    NO_PAGES = 4


def fault(stream: IO[bytes]) -> Fault | None:
    """Why nobody can see a page of the PDF. None if this is not certain, for example because the
    PDF is damaged. A password that only protects the PDF from changes does not count."""
    found = _found(stream)
    if OBJECT not in found:
        return Fault.NO_PAGES
    if PAGE in found and ENCRYPTED not in found:
        return None
    stream.seek(0)
    program = [sys.executable, "-I", __file__, str(MOST_SECONDS), str(MOST_MEMORY)]
    try:
        # A file, because only the program may hold the PDF in memory as a whole (decisions F5).
        with _running, tempfile.TemporaryFile() as file:
            shutil.copyfileobj(stream, file)
            file.seek(0)
            ended = subprocess.run(program, stdin=file, capture_output=True, timeout=LONGEST_WAIT)
    except (OSError, subprocess.TimeoutExpired):
        log.warning("it is unknown whether a PDF can be read", exc_info=True)
        return None
    if ended.returncode in set(Fault):
        return Fault(ended.returncode)
    if ended.returncode:
        log.warning(
            "it is unknown whether a PDF can be read: exit code %d, %s",
            ended.returncode,
            ended.stderr.decode(errors="replace")[-500:],
        )
    return None


def _found(stream: IO[bytes]) -> set[re.Pattern[bytes]]:
    """The patterns above that match somewhere in the file."""
    stream.seek(0)
    found: set[re.Pattern[bytes]] = set()
    before = b""
    while chunk := stream.read(CHUNK):
        text = before + chunk
        found.update(each for each in (OBJECT, PAGE, ENCRYPTED) if each.search(text))
        before = text[-LONGEST_TEXT:]
    return found


def _main(most_seconds: int, most_memory: int) -> int:
    """Read a PDF from the standard input, and return the exit code."""
    resource.setrlimit(resource.RLIMIT_CPU, (most_seconds, most_seconds))
    if sys.platform == "linux":  # macOS can't limit the memory of a process
        resource.setrlimit(resource.RLIMIT_AS, (most_memory, most_memory))
    from pypdf import PasswordType, PdfReader

    # pypdf logs what it finds wrong in a PDF.
    logging.disable()
    try:
        reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
        if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
            return Fault.NEEDS_PASSWORD
        return 0 if len(reader.pages) else Fault.NO_PAGES
    except Exception:  # pypdf does not document what it raises for a broken PDF
        return 0


if __name__ == "__main__":
    sys.exit(_main(*map(int, sys.argv[1:])))
