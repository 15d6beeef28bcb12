"""Read questions in the XML of Moodle (https://docs.moodle.org/en/Moodle_XML_format)."""

import base64
import binascii
from collections.abc import Iterator
from typing import IO, Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, tostring
from xml.sax.saxutils import escape

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from competition.core.imports import Line, Unreadable
from competition.core.messages import Message
from competition.plugins.questions.services.importing.choices import Choice, Found, line
from competition.plugins.questions.services.importing.markup import Text, converted

CATEGORY, MULTIPLE_CHOICE = "category", "multichoice"
NUMBER = "line of the file"


class _Numbered(TreeBuilder):
    """A tree builder that stores the line of each question in an attribute."""

    parser: Any = None

    def start(self, tag: Any, attrs: Any, /) -> Any:
        if tag == "question":
            attrs = {**attrs, NUMBER: str(self.parser.CurrentLineNumber)}
        return super().start(tag, attrs)


def read(stream: IO[bytes]) -> Iterator[Line]:
    """The questions of a file. Categories are skipped.

    Raises Unreadable for XML that is damaged or declares a document type. A document type could
    refer to other files, or grow without end.
    """
    for question in _parsed(stream).iter("question"):
        if question.get("type") != CATEGORY:
            yield line(_question(question))


def _parsed(stream: IO[bytes]) -> Element:
    builder = _Numbered()
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    builder.parser = parser.parser
    stream.seek(0)
    try:
        while chunk := stream.read(64 * 1024):
            parser.feed(chunk)
        root: Element = parser.close()
    except DefusedXmlException:
        raise Unreadable(
            Message("This file has a DOCTYPE. Export the questions from Moodle again."),
            is_rejected=True,
        ) from None
    except (ParseError, ValueError, LookupError):
        raise Unreadable(
            Message("This file is not XML, or it is incomplete. Export the questions again.")
        ) from None
    return root


def _question(question: Element) -> Found:
    number = int(question.get(NUMBER, "1"))
    kind = question.get("type", "?")
    text, pictures = _text(question.find("questiontext"))
    if kind != MULTIPLE_CHOICE:
        return Found(number, text, type=kind)
    choices = []
    for answer in question.findall("answer"):
        shown, more = _text(answer)
        pictures |= more
        choices.append(Choice(shown, _share(answer)))
    return Found(number, text, choices, pictures=pictures)


def _share(answer: Element) -> float:
    try:
        return float(answer.get("fraction", "0"))
    except ValueError:
        return 0.0


def _source(text: Element | None) -> str:
    """The source of a text. Tags that a program did not escape are elements of the XML, and become
    tags of the text again."""
    if text is None:
        return ""
    if not len(text):
        return text.text or ""
    for each in text.iter():
        # Leave out the namespace, so that a message names the tag as it is in the file.
        each.tag = each.tag.rpartition("}")[2]
    return escape(text.text or "") + "".join(tostring(each, "unicode") for each in text)


def _text(element: Element | None) -> tuple[Text, dict[str, bytes]]:
    """The text of an element, and the images that the element contains, by their names."""
    if element is None:
        return Text(""), {}
    found = converted(_source(element.find("text")), element.get("format", "html"))
    pictures = {}
    for file in element.findall("file"):
        try:
            content = base64.b64decode("".join((file.text or "").split()), validate=True)
        except (binascii.Error, ValueError):
            content = b""
        pictures[file.get("name", "")] = content
    return found, pictures
