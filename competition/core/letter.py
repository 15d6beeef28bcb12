"""A mail's text as a message: the text itself, and the same in HTML for clients that show it.

Each mail is written once. A line is a paragraph or a part of one, an empty line ends it, and lines
that begin with four blanks are set apart.
"""

import textwrap
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache
from uuid import uuid4

import jinja2

INDENT = " " * 4
# Of the plain text, in characters (RFC 3676, 4.2).
WIDTH = 76


@dataclass(frozen=True)
class Block:
    lines: list[str]
    is_set_apart: bool


def write(sender: str, recipient: str, subject: str, text: str, now: datetime) -> EmailMessage:
    message = EmailMessage()
    # A header is one line, whatever the data has for line ends.
    message["Subject"] = subject = " ".join(subject.split())
    message["From"] = sender
    message["To"] = recipient
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{uuid4().hex}@{Address(addr_spec=sender).domain}>"
    # Nobody's absence is to be answered (RFC 3834).
    message["Auto-Submitted"] = "auto-generated"
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    message.set_content("".join(f"{line}\n" for each in lines for line in _wrapped(each)))
    html = _layout().render(subject=subject, blocks=blocks(lines))
    message.add_alternative(html, subtype="html")
    return message


def blocks(lines: list[str]) -> list[Block]:
    found: list[Block] = []
    open_block: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            open_block.append(line)
        elif open_block:
            is_set_apart = all(each.startswith(INDENT) for each in open_block)
            found.append(Block([each.strip() for each in open_block], is_set_apart))
            open_block = []
    return found


def _wrapped(line: str) -> list[str]:
    """A link or a password is never broken."""
    return textwrap.wrap(
        line,
        WIDTH,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]


@cache
def _layout() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("competition.core"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("mail.html")
