r"""Convert texts of other systems to the form that this service uses for texts of questions.

Formulas between dollar signs get the delimiters of this service. HTML elements that don't change
the meaning are removed, an image becomes a mark such as ``[image:circle.png]``, and any other
element is an error.
"""

import html
import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from competition.core.messages import Message

# Formats whose texts stay as they were typed.
TYPED = ("markdown", "plain", "plain_text")
# Elements that are removed: those that begin a line, those that end a paragraph, and others.
LINE, PARAGRAPHS = "br", ("p", "div")
REMOVED = ("span", "b", "i", "em", "strong")
VALUE = r"\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>]+)"
TAG = re.compile(
    rf"<(/?)([a-zA-Z][a-zA-Z0-9]*(?:[:-][a-zA-Z0-9]+)*)((?:\s+[\w:-]+(?:{VALUE})?)*)\s*/?>"
)
# Elements that may have an attribute without a value. If any other name is followed by such an
# attribute, the "<" before it is a less-than sign, as in "if a<b then b>a".
WITH_BARE_ATTRIBUTES = {
    *("audio", "br", "button", "center", "code", "div", "em", "embed", "font", "form", "hr"),
    *("iframe", "img", "input", "li", "math", "ol", "option", "pre", "script", "select", "span"),
    *("strong", "style", "sub", "sup", "svg", "table", "tbody", "td", "textarea", "th", "thead"),
    *("tr", "ul", "video"),
}
ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+))")
# These patterns read a character at most a few times, because a text may be as long as a file.
COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->|<!\[[^<>]*\]>", re.DOTALL)
DOLLARS = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)
# A formula with the delimiters of this service, in which dollar signs are no delimiters.
DELIMITED = re.compile(r"\\\((?:(?!\\\().)*?\\\)|\\\[(?:(?!\\\[).)*?\\\]", re.DOTALL)
# Where Moodle keeps the files of a question.
PLUGIN_FILE = "@@PLUGINFILE@@/"


@dataclass
class Text:
    """A text that was converted to the form of this service. `pictures` maps the names of images to
    their alternative texts; `errors` says why the text can't be imported."""

    text: str
    pictures: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


def converted(text: str, form: str) -> Text:
    """Convert a text of another system to the form of this service. `form` is its format, such as
    `html`."""
    if form in TYPED:
        return Text(text.strip())
    found = Text("")
    # Leave formulas as they are: they have no markup, but may have signs that look like markup.
    parts: list[str] = []
    at = 0
    for mark in re.finditer(rf"{DELIMITED.pattern}|{DOLLARS.pattern}", text, re.DOTALL):
        formula = html.unescape(mark[0])
        is_empty = not formula[2:-2].strip()
        parts += [_without_markup(text[at : mark.start()], found), "" if is_empty else formula]
        at = mark.end()
    parts.append(_without_markup(text[at:], found))
    lines = "\n".join(line.strip() for line in "".join(parts).split("\n")).strip()
    paragraphs = re.split("\n\n+", lines.replace("\u00a0", " "))
    found.text = "\n".join(filter(None, map(formulas, paragraphs)))
    return found


def formulas(paragraph: str) -> str:
    r"""A paragraph with ``\(`` and ``\)``, or ``\[`` and ``\]``, instead of double dollar signs."""
    alone = DOLLARS.fullmatch(paragraph.strip())
    if alone is not None and "$$" not in alone[1]:
        return rf"\[{alone[1].strip()}\]" if alone[1].strip() else ""
    return DOLLARS.sub(
        lambda found: rf"\({found[1].strip()}\)" if found[1].strip() else "", paragraph
    )


def _without_markup(text: str, found: Text) -> str:
    replaced = TAG.sub(lambda tag: _replaced(tag, found), COMMENT.sub("", text))
    return html.unescape(replaced)


def _replaced(tag: re.Match[str], found: Text) -> str:
    name = tag[2].lower()
    if name not in WITH_BARE_ATTRIBUTES and ATTRIBUTE.sub("", tag[3]).strip():
        return tag[0]
    if name == LINE:
        return "\n"
    if name in PARAGRAPHS:
        return "\n\n"
    if name == "img" and not tag[1]:
        return _image(tag[3], found)
    # Report no error about an end tag: the error about the start tag is enough.
    if name not in REMOVED and not tag[1]:
        found.errors.append(
            Message("The text has <${tag}>, which can't be imported. Write it in TeX.", tag=name)
        )
    return ""


def _image(attributes: str, found: Text) -> str:
    values = {
        each[1].lower(): each[2] or each[3] or each[4] or ""
        for each in ATTRIBUTE.finditer(attributes)
    }
    source = html.unescape(values.get("src", ""))
    if not source.startswith(PLUGIN_FILE):
        found.errors.append(
            Message(
                "The image ${source} is not in the file. Export the questions with their images.",
                source=source[:200] or "?",
            )
        )
        return ""
    # Leave out the time that Moodle's editor adds to the address of an image that was changed.
    path = source.removeprefix(PLUGIN_FILE).partition("?")[0]
    name = unquote(path).rpartition("/")[2]
    found.pictures[name] = html.unescape(values.get("alt", "")).strip()
    return f"[image:{name}]"
