"""Build an email message from its text, with the same content as plain text and as HTML.

An empty line ends a paragraph. A paragraph whose lines all begin with four spaces, such as a
one-time password, is highlighted in the HTML.
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
from itertools import groupby
from uuid import uuid4

import jinja2

from competition.core.messages import ENGLISH

INDENT = " " * 4
# The longest line of the plain text, in characters (RFC 3676, 4.2).
TEXT_WIDTH = 76
# Headers are not folded again, because the library would lose spaces between long words. The body
# is encoded in ASCII, because not every server accepts 8-bit messages.
POLICY = SMTP.clone(refold_source="none", cte_type="7bit")


@dataclass(frozen=True)
class Block:
    """A paragraph. `is_set_apart` means that the HTML highlights it."""

    lines: list[str]
    is_set_apart: bool


@dataclass(frozen=True)
class Letter:
    """The content of an email: the subject, the plain text in wrapped lines, and the same as HTML.
    Emails to several recipients can have the same Letter."""

    subject: str
    text: str
    html: str
    language: str


def letter(subject: str, text: str, *, service: str = "", language: str = ENGLISH) -> Letter:
    """Build the content of an email from its subject and its text, as plain text and as HTML.

    `service`, the name of the service, is the heading of the HTML. `language` is the language of
    `text`.
    """
    # A header is one line, but data in the subject may contain line ends.
    subject = " ".join(subject.split())
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    html = _layout().render(
        service=service, language=language, subject=subject, blocks=blocks(lines)
    )
    wrapped = "".join(f"{line}\n" for each in lines for line in _wrapped(each))
    return Letter(subject, wrapped, html, language)


def compose(
    sender: str, recipient: str, content: Letter, now: datetime, *, reply_to: str = ""
) -> EmailMessage:
    """Build the message with this content to one recipient. `sender` is an address, with or without
    a name."""
    message = EmailMessage(POLICY)
    message.set_raw("Subject", _header("Subject", content.subject))
    message["From"] = sender
    message.set_raw("To", _mailbox(recipient))
    if reply_to:
        message["Reply-To"] = reply_to
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{uuid4().hex}@{parseaddr(sender)[1].rpartition('@')[2]}>"
    # Asks mail programs to send no automatic replies, such as out-of-office notes (RFC 3834).
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(content.text)
    message.add_alternative(content.html, subtype="html")
    # This header is set last, because setting the content removes headers that begin with
    # "Content-".
    message["Content-Language"] = content.language
    return message


def _header(name: str, text: str) -> str:
    """The value of a header, encoded unless it is short and plain ASCII.

    A text that looks like an encoded word is encoded too. Otherwise the library would decode it,
    and the result could contain a line end and a further header.
    """
    if text.isascii() and "=?" not in text and len(text) < TEXT_WIDTH - len(name):
        return text
    return Header(text, "utf-8", header_name=name).encode()


def _mailbox(address: str) -> str:
    """The address with its domain in the ASCII form of the DNS, which every server accepts.

    The domain is unchanged if it has no such form, or if the form would stand for another domain.
    If the result is not ASCII, the server has to support SMTPUTF8.
    """
    local, _, domain = address.rpartition("@")
    with suppress(UnicodeError):
        encoded = domain.encode("idna")
        # The codec implements the standard of 2003, which turns "ß" into "ss": a different domain,
        # which may have another owner. If the decoded domain differs, the domain is not encoded.
        if encoded.decode("idna") == domain:
            return f"{local}@{encoded.decode()}"
    return address


def blocks(lines: list[str]) -> list[Block]:
    """The paragraphs of a text, given by its lines. Empty lines separate the paragraphs."""
    found = []
    for is_paragraph, group in groupby(lines, lambda line: line.strip() != ""):
        if is_paragraph:
            paragraph = list(group)
            is_set_apart = all(each.startswith(INDENT) for each in paragraph)
            margin = len(INDENT) if is_set_apart else 0
            found.append(Block([each[margin:].rstrip() for each in paragraph], is_set_apart))
    return found


def _wrapped(line: str) -> list[str]:
    """Wrap a line of the plain text. Words longer than a line, such as links, are not broken."""
    return textwrap.wrap(
        line,
        TEXT_WIDTH,
        subsequent_indent=INDENT if line.startswith(INDENT) else "",
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]


# Cached, because compiling the template takes milliseconds, and a batch has thousands of emails.
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
