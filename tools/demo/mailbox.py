"""Read the emails of the demo's people, from the folder of a development service."""

import re
import time
from collections import defaultdict
from email import message_from_bytes, policy
from pathlib import Path
from threading import Lock

from tools.demo.waiting import PAUSE_SECONDS, wait_for

CODE = re.compile(r"\b(\d{6})\b")
PASSWORD_CODE = re.compile(r"code to change your password:\s+(\d{6})")
PASSWORD = re.compile(r"password is:\s+(\S+)")


class Mailbox:
    """The emails that were written after this object was created."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._texts: defaultdict[str, list[str]] = defaultdict(list)
        self._listing = self._list()
        self._listed_at = 0.0

    def wait_for(self, address: str, wanted: re.Pattern[str]) -> str:
        """Wait for an email to the address that matches `wanted`.

        Returns the first group of the match, in the latest such email.
        """

        def look() -> str | None:
            found = map(wanted.search, reversed(self._mails(address)))
            return next((each[1] for each in found if each), None)

        return wait_for(look, f"No email to {address} arrived in {self._folder}")

    def _mails(self, address: str) -> list[str]:
        with self._lock:
            # Read the folder once for all threads that wait.
            if time.monotonic() >= self._listed_at + PAUSE_SECONDS:
                self._read_new_ones()
                self._listed_at = time.monotonic()
            return list(self._texts[address])

    def _read_new_ones(self) -> None:
        listing = self._list()
        for path, changed in sorted(listing.items()):
            if self._listing.get(path) != changed:
                mail = message_from_bytes(path.read_bytes(), policy=policy.default)
                # Each email has a text part, and an HTML part with the same content.
                body = mail.get_body(("plain",))
                if body is not None:
                    self._texts[str(mail["To"])].append(body.get_content())
        self._listing = listing

    def _list(self) -> dict[Path, int]:
        """The files, with the times of their last change. An email that is sent again replaces its
        file."""
        return {path: path.stat().st_mtime_ns for path in self._folder.glob("*.eml")}
