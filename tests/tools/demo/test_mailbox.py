import os
from email.message import EmailMessage
from pathlib import Path

import pytest

from tools.demo import waiting
from tools.demo.errors import DemoError
from tools.demo.mailbox import CODE, PASSWORD, Mailbox


def put(folder: Path, name: str, to: str, text: str) -> None:
    mail = EmailMessage()
    mail["To"] = to
    mail.set_content(text)
    (folder / name).write_bytes(mail.as_bytes())


def test_the_code_and_the_password_of_the_latest_email_are_read(tmp_path: Path) -> None:
    box = Mailbox(tmp_path)
    put(tmp_path, "1.eml", "ada@school.example", "Your code is 123456.")
    put(tmp_path, "2.eml", "ben@school.example", "Your code is 777777.")
    put(tmp_path, "3.eml", "ada@school.example", "Code 654321.\n\nYour password is:\n\n    a#1+B\n")
    assert box.wait_for("ada@school.example", CODE) == "654321"
    assert box.wait_for("ada@school.example", PASSWORD) == "a#1+B"


def test_emails_from_before_the_mailbox_was_opened_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 0)
    put(tmp_path, "1.eml", "ada@school.example", "Your code is 123456.")
    box = Mailbox(tmp_path)
    with pytest.raises(DemoError, match="No email to ada"):
        box.wait_for("ada@school.example", CODE)


def test_an_email_that_is_sent_again_replaces_the_first(tmp_path: Path) -> None:
    put(tmp_path, "1.eml", "ada@school.example", "Your code is 123456.")
    # The modification times of many file systems have a resolution of some milliseconds.
    os.utime(tmp_path / "1.eml", (0, 0))
    box = Mailbox(tmp_path)
    (tmp_path / "1.eml").unlink()
    put(tmp_path, "1.eml", "ada@school.example", "Your code is 654321, after some time.")
    assert box.wait_for("ada@school.example", CODE) == "654321"


def test_a_folder_that_does_not_exist_yet_counts_as_empty(tmp_path: Path) -> None:
    box = Mailbox(tmp_path / "mail")
    (tmp_path / "mail").mkdir()
    put(tmp_path / "mail", "1.eml", "ada@school.example", "Your code is 123456.")
    assert box.wait_for("ada@school.example", CODE) == "123456"
