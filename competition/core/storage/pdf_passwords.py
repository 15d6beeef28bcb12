"""Find out whether a PDF needs a password.

pypdf reads the PDF in a process of its own, with limits on time and memory: a file of a few
kilobytes can make any library that reads PDFs work for minutes, or use gigabytes. So this file is
also a program, and it imports pypdf only there.
"""

import io
import logging
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from typing import IO

log = logging.getLogger(__name__)

# The key of an encrypted PDF that refers to how it is encrypted. Its place in the file is never
# compressed or encrypted itself.
ENCRYPTED = b"/Encrypt"
CHUNK = 64 * 1024
# The limits of the program: processor time in seconds, and memory in bytes. It usually takes a
# quarter of a second and 36 MB.
MOST_SECONDS = 5
MOST_MEMORY = 128 * 1024 * 1024
# How long a request waits for the program in the worst case, in seconds.
LONGEST_WAIT = 30
# The exit code of the program for a PDF that needs a password.
NEEDS_PASSWORD = 3
# Held while the program runs. A process of the service starts one at a time, because of its memory.
_running = threading.Lock()


def needs_password(stream: IO[bytes]) -> bool:
    """Whether nobody can open the PDF without a password. False if this is not certain, for example
    because the PDF is damaged. A password that only protects the PDF from changes does not count.
    """
    if not _mentions_encryption(stream):
        return False
    stream.seek(0)
    program = [sys.executable, "-I", __file__, str(MOST_SECONDS), str(MOST_MEMORY)]
    try:
        # A file, because only the program may hold the PDF in memory as a whole (decisions F5).
        with _running, tempfile.TemporaryFile() as file:
            shutil.copyfileobj(stream, file)
            file.seek(0)
            ended = subprocess.run(program, stdin=file, capture_output=True, timeout=LONGEST_WAIT)
    except (OSError, subprocess.TimeoutExpired):
        log.warning("it is unknown whether a PDF needs a password", exc_info=True)
        return False
    if ended.returncode not in (0, NEEDS_PASSWORD):
        log.warning(
            "it is unknown whether a PDF needs a password: exit code %d, %s",
            ended.returncode,
            ended.stderr.decode(errors="replace")[-500:],
        )
    return ended.returncode == NEEDS_PASSWORD


def _mentions_encryption(stream: IO[bytes]) -> bool:
    """Whether the name of the key is somewhere in the file. Then the PDF may be encrypted."""
    stream.seek(0)
    before = b""
    while chunk := stream.read(CHUNK):
        if ENCRYPTED in before + chunk:
            return True
        before = chunk[-len(ENCRYPTED) :]
    return False


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
        is_locked = reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED
    except Exception:  # pypdf does not document what it raises for a broken PDF
        return 0
    return NEEDS_PASSWORD if is_locked else 0


if __name__ == "__main__":
    sys.exit(_main(*map(int, sys.argv[1:])))
