"""The inboxes of everybody: the folder where a development service puts its mails."""

import re
import time
from collections import defaultdict
from email import message_from_bytes, policy
from pathlib import Path
from threading import Lock

from competition.demo.errors import DemoError

PATIENCE_SECONDS = 60
PAUSE_SECONDS = 0.1
CODE = re.compile(r"\b(\d{6})\b")
PASSWORD_CODE = re.compile(r"code to change your password:\s+(\d{6})")
PASSWORD = re.compile(r"password is:\s+(\S+)")


class Mailbox:
    """Knows the mails that came, or came anew, after it was made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._texts: defaultdict[str, list[str]] = defaultdict(list)
        self._listing = self._list()
        self._listed_at = 0.0

    def wait_for(self, address: str, wanted: re.Pattern[str]) -> str:
        """The first group of `wanted` in the latest mail to the address that has it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            for text in reversed(self._mails(address)):
                if found := wanted.search(text):
                    return found[1]
            if time.monotonic() > deadline:
                raise DemoError(
                    f"No mail came to {address} in {PATIENCE_SECONDS} s: is the worker running? "
                    f"Mails are looked for in {self._folder}."
                )
            time.sleep(PAUSE_SECONDS)

    def _mails(self, address: str) -> list[str]:
        with self._lock:
            # Once for all who wait at the same time.
            if time.monotonic() >= self._listed_at + PAUSE_SECONDS:
                self._read_new_ones()
                self._listed_at = time.monotonic()
            return list(self._texts[address])

    def _read_new_ones(self) -> None:
        listing = self._list()
        for path, changed in sorted(listing.items()):
            if self._listing.get(path) != changed:
                mail = message_from_bytes(path.read_bytes(), policy=policy.default)
                # Each mail has a text, and the same in HTML.
                body = mail.get_body(("plain",))
                if body is not None:
                    self._texts[str(mail["To"])].append(body.get_content())
        self._listing = listing

    def _list(self) -> dict[Path, int]:
        """The files and when they changed: a mail that is sent again replaces its file."""
        return {path: path.stat().st_mtime_ns for path in self._folder.glob("*.eml")}
