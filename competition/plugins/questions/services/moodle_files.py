"""Write questions as files that Moodle reads: GIFT and Moodle XML.

Texts are marked as plain, so that the importing program changes nothing in them. The four options
keep their order.
"""

from collections.abc import Iterable
from typing import Any, BinaryIO
from xml.sax.saxutils import escape

from sqlalchemy import Row

from competition.core.exports import Format, Table
from competition.plugins.questions.models import OPTIONS

# Characters with a meaning in GIFT. A line end would end the question.
ESCAPED = str.maketrans({each: f"\\{each}" for each in "\\~=#{}:"} | {"\n": "\\n", "\r": ""})
# Characters to escape, because XML readers may turn them into a line feed and a space.
KEPT = {"\r": "&#13;", "\t": "&#9;"}

GIFT_QUESTION = "::{name}::[plain]{text} {{\n{options}}}\n\n"
GIFT_OPTION = "\t{sign}[plain]{text}\n"
XML_BEGIN = '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
XML_QUESTION = """\
<question type="multichoice">
<name><text>{name}</text></name>
<questiontext format="plain_text"><text>{text}</text></questiontext>
<defaultgrade>1</defaultgrade>
<single>true</single>
<shuffleanswers>false</shuffleanswers>
<answernumbering>ABCD</answernumbering>
{options}</question>
"""
XML_OPTION = '<answer fraction="{fraction}" format="plain_text"><text>{text}</text></answer>\n'
XML_END = "</quiz>\n"


def _options(row: Row[Any]) -> list[tuple[bool, str]]:
    """Each option, with whether it is the right answer."""
    texts = (row.option_a, row.option_b, row.option_c, row.option_d)
    return [
        (letter == row.correct_answer, text) for letter, text in zip(OPTIONS, texts, strict=True)
    ]


def write_gift(file: BinaryIO, table: Table, rows: Iterable[Row[Any]]) -> None:
    for row in rows:
        options = "".join(
            GIFT_OPTION.format(sign="=" if is_right else "~", text=text.translate(ESCAPED))
            for is_right, text in _options(row)
        )
        question = GIFT_QUESTION.format(
            name=f"Question {row.id}", text=row.text.translate(ESCAPED), options=options
        )
        file.write(question.encode())


def write_moodle_xml(file: BinaryIO, table: Table, rows: Iterable[Row[Any]]) -> None:
    file.write(XML_BEGIN.encode())
    for row in rows:
        options = "".join(
            XML_OPTION.format(fraction=100 if is_right else 0, text=escape(text, KEPT))
            for is_right, text in _options(row)
        )
        question = XML_QUESTION.format(
            name=f"Question {row.id}", text=escape(row.text, KEPT), options=options
        )
        file.write(question.encode())
    file.write(XML_END.encode())


FORMATS = {
    "gift": Format("gift.txt", "text/plain", write_gift),
    "moodle_xml": Format("xml", "application/xml", write_moodle_xml),
}
