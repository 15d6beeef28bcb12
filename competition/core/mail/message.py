"""A mail's text as a message: the text itself, and the same in HTML for clients that show it.

Each mail is written once. A line is a paragraph or a part of one, an empty line ends it, and lines
that begin with four blanks are set apart.
"""

import textwrap
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from functools import cache
from uuid import uuid4

import jinja2

INDENT = " " * 4
# Of the plain text, in characters (RFC 3676, 4.2).
TEXT_WIDTH = 76
# Headers leave as they are written here: folding again, the library loses blanks between long
# words. No byte above 127: not every server takes those.
POLICY = SMTP.clone(refold_source="none", cte_type="7bit")


@dataclass(frozen=True)
class Block:
    lines: list[str]
    is_set_apart: bool


def compose(
    sender: str,
    recipient: str,
    subject: str,
    text: str,
    now: datetime,
    *,
    service: str = "",
    reply_to: str = "",
) -> EmailMessage:
    """`sender` is an address, with or without a name; `service` stands above the text in HTML."""
    # A header is one line, whatever the data has for line ends.
    subject = " ".join(subject.split())
    message = EmailMessage(POLICY)
    message.set_raw("Subject", _header("Subject", subject))
    message["From"] = sender
    message.set_raw("To", _mailbox(recipient))
    if reply_to:
        message["Reply-To"] = reply_to
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{uuid4().hex}@{parseaddr(sender)[1].rpartition('@')[2]}>"
    # Nobody's absence is to be answered (RFC 3834).
    message["Auto-Submitted"] = "auto-generated"
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    message.set_content("".join(f"{line}\n" for each in lines for line in _wrapped(each)))
    html = _layout().render(service=service, subject=subject, blocks=blocks(lines))
    message.add_alternative(html, subtype="html")
    return message


def _header(name: str, text: str) -> str:
    """A header's value, encoded where it is not short plain ASCII or looks like an encoded word:
    assigned as it is, that would be decoded, to anything, a line end and another header as well."""
    if text.isascii() and "=?" not in text and len(text) < TEXT_WIDTH - len(name):
        return text
    return Header(text, "utf-8", header_name=name).encode()


def _mailbox(address: str) -> str:
    """An address with its domain as the DNS has it, so that any server takes it; a local part
    beyond ASCII needs one with SMTPUTF8."""
    local, _, domain = address.rpartition("@")
    with suppress(UnicodeError):
        encoded = domain.encode("idna")
        # The codec's standard is of 2003, and makes "ss" of "ß": another's domain.
        if encoded.decode("idna") == domain:
            return f"{local}@{encoded.decode()}"
    return address


def blocks(lines: list[str]) -> list[Block]:
    found: list[Block] = []
    open_block: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            open_block.append(line)
        elif open_block:
            is_set_apart = all(each.startswith(INDENT) for each in open_block)
            margin = len(INDENT) if is_set_apart else 0
            found.append(Block([each[margin:].rstrip() for each in open_block], is_set_apart))
            open_block = []
    return found


def _wrapped(line: str) -> list[str]:
    """The text in lines of bearable length; a link or a password is never broken."""
    return textwrap.wrap(
        line,
        TEXT_WIDTH,
        subsequent_indent=INDENT if line.startswith(INDENT) else "",
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]


# Cached, because compiling the template takes milliseconds, and a batch sends thousands of mails.
@cache
def _layout() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("competition.core.mail"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("mail.html")
