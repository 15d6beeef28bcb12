"""Render the texts of a question: as HTML for pages, and in words for screen readers."""

import re
from collections.abc import Mapping
from html import escape, unescape
from typing import NamedTuple, TypedDict
from xml.etree import ElementTree

from competition.core.messages import Language, Message
from competition.plugins.questions.mathematics import formulas, segments, speech
from competition.plugins.questions.mathematics.segments import (
    Formula,
    Image,
    Plain,
    Segment,
    Unreadable,
)

# The endings of ordinals, as in "the nth term" and "le nième terme".
_ORDINALS: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"(st|nd|rd|th)\b"),
    "fr": re.compile(r"(i?[èe]me|e|er|re)\b"),
}
# The elements in the HTML of a text: formulas, images and line breaks.
_PIECES = re.compile(r"(<math.*?</math>|<img [^>]*>|<br>)", re.DOTALL)
_ALT = re.compile(r' alt="([^"]*)"')
_IMAGE = re.compile(r'<img src="([^"]*)" width="(\d+)" height="(\d+)" alt="([^"]*)">')
_LINE_END = re.compile(r"\r\n?|\n")
# The fields of a question that are texts.
FIELDS = ("text", "option_a", "option_b", "option_c", "option_d")
OPTION_FIELDS = FIELDS[1:]


class QuestionTexts(TypedDict):
    """The five texts of a question."""

    text: str
    option_a: str
    option_b: str
    option_c: str
    option_d: str


class Rendered(NamedTuple):
    """A text of a question as HTML, and in words."""

    html: str
    words: str


class KnownImage(NamedTuple):
    """An image that a text may show. `path` is its path in the API, `width` and `height` are in
    pixels."""

    path: str
    width: int
    height: int
    alt: str


def render(text: str, images: Mapping[int, KnownImage]) -> Rendered:
    """Render a text with its formulas and images. `addressed` completes the addresses of images.

    Raises Unreadable if a formula is not understood or an image is not in `images`.
    """
    html = words = ""
    for segment in segments.split(text):
        found = _rendered(segment, images)
        html += found.html
        words = _joined(words, found.words)
    return Rendered(html, words)


def render_readable(text: str, images: Mapping[int, KnownImage]) -> tuple[Rendered, list[Message]]:
    """Render a text for its author: formulas and images that can't be read are shown as they were
    typed, in an `merror`.

    Also returns a message about each of them, in the order of the text. After a formula that is not
    closed, the rest of the text is shown as it was typed.
    """
    html = words = ""
    mistakes: list[Message] = []
    read = 0
    try:
        for segment in segments.split(text):
            source = segment.text if isinstance(segment, Plain) else segment.source
            try:
                found = _rendered(segment, images)
            except Unreadable as unreadable:
                mistakes.append(unreadable.message)
                found = _mistaken(source)
            html += found.html
            words = _joined(words, found.words)
            read += len(source)
    except Unreadable as unreadable:
        # This delimiter has no counterpart. Mark it, and show the rest of the text as it was typed.
        mistakes.append(unreadable.message)
        html += _mistaken(text[read : read + 2]).html + plain(text[read + 2 :])
        words = _joined(words, text[read:])
    return Rendered(html, words), mistakes


def render_again(text: str, html: str) -> Rendered:
    """Render a text again that was rendered as this HTML, with the images that the HTML shows.

    Raises Unreadable if a formula is no longer understood, and ValueError if the HTML does not show
    as many images as the text.
    """
    shown = (segment.id for segment in segments.split(text) if isinstance(segment, Image))
    images = {
        image_id: KnownImage(unescape(path), int(width), int(height), unescape(alt))
        for image_id, (path, width, height, alt) in zip(shown, _IMAGE.findall(html), strict=True)
    }
    return render(text, images)


def _rendered(segment: Segment, images: Mapping[int, KnownImage]) -> Rendered:
    if isinstance(segment, Plain):
        return Rendered(plain(segment.text), segment.text)
    if isinstance(segment, Formula):
        formula = formulas.convert(segment)
        return Rendered(formulas.write(formula), speech.say(formula))
    image = _known(segment, images)
    return Rendered(_image(image), speech.image(image.alt))


def _mistaken(source: str) -> Rendered:
    return Rendered(f"<math><merror><mtext>{escape(source)}</mtext></merror></math>", source)


def addressed(texts: QuestionTexts | None, api_url: str) -> QuestionTexts | None:
    """Stored HTML with the addresses of its images. `api_url` is the current address of the
    service's API.

    Only paths are stored, because the address may change after a paper was frozen.
    """
    if texts is None:
        return None

    def complete(html: str) -> str:
        return html.replace('<img src="/', f'<img src="{escape(api_url)}/')

    return QuestionTexts(
        text=complete(texts["text"]),
        option_a=complete(texts["option_a"]),
        option_b=complete(texts["option_b"]),
        option_c=complete(texts["option_c"]),
        option_d=complete(texts["option_d"]),
    )


def words(html: str, language: Language) -> str:
    """The words, in this language, for a text that `render` has written as HTML.

    The HTML has all that is spoken: the formulas as MathML, and the alternative texts of images.
    """
    said = ""
    for piece in _PIECES.split(html):
        if piece.startswith("<math"):
            formula = ElementTree.fromstring(piece)
            said = _joined(said, speech.say(formula, language), language)
        elif piece.startswith("<img"):
            alt = _ALT.findall(piece)[0]
            said = _joined(said, speech.image(unescape(alt), language), language)
        elif piece == "<br>":
            said += "\n"
        else:
            said = _joined(said, unescape(piece), language)
    return said


def plain(text: str) -> str:
    """The HTML of a text that contains no formulas and no images."""
    return _LINE_END.sub("<br>", escape(text))


def _image(image: KnownImage) -> str:
    return (
        f'<img src="{escape(image.path)}" width="{image.width}" height="{image.height}"'
        f' alt="{escape(image.alt)}">'
    )


def _known(found: Image, images: Mapping[int, KnownImage]) -> KnownImage:
    if found.id not in images:
        raise Unreadable(
            Message(
                "Character ${character}: there is no image ${id}. "
                "Upload the image, or correct its id.",
                character=found.start + 1,
                id=found.id,
            )
        )
    return images[found.id]


def _joined(words: str, more: str, language: Language = "en") -> str:
    """Both texts, with a space between them if two words would otherwise become one."""
    is_ordinal = _ORDINALS[language].match(more)
    is_open = words[-1:].isalnum() and more[:1].isalnum() and not is_ordinal
    return f"{words} {more}" if is_open else words + more
