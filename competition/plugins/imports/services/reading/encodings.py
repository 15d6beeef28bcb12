"""Find texts that were probably read in a wrong encoding.

A text file that is neither UTF-8 nor UTF-16 is read as Windows-1252, the encoding of spreadsheet
programs in Western Europe. In other encodings, the same bytes are other characters: a Turkish file
has "Ayþe" instead of "Ayşe" then. Such texts have signs where Western names have letters, or
accented letters where they have none.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from competition.core.imports import Line
from competition.core.messages import Message

# The most characters of a word that a message quotes.
QUOTED = 50

LOWER = "a-zšœžß-öø-ÿ"
CAPITALS = "ŠŒŽŸÀ-ÖØ-Þ"
ACCENTED = f"{CAPITALS}šœžß-öø-ÿƒ"
LETTER = f"[A-Z{LOWER}{CAPITALS}]"
# The characters of the bytes that follow the first byte of a character in UTF-8.
AFTER = re.escape(bytes(range(0x80, 0xC0)).decode("cp1252", "replace"))
# Quotes and spaces that may be right behind a letter.
CLOSING = "“”’» "
WRONG = re.compile(
    "|".join(
        (
            # UTF-8, in a file with at least one byte that is not UTF-8.
            f"Ã[{AFTER}]",
            f"[ÂÄÅ](?![{CLOSING}])[{AFTER}]",
            "â€",
            f"(?:[Î-Û][{AFTER}]){{2}}",
            # Turkish, in Windows-1254. In Icelandic, these letters may be right.
            f"[þýðÞÝÐ]{LETTER}",
            # Alphabets of which each letter becomes an accented one, such as Arabic or Cyrillic.
            f"[{ACCENTED}]{{3}}",
            # Western languages, in the encoding of old Macintosh computers.
            f"[{LOWER}][{CAPITALS}]",
            f"{LETTER}Ÿ[{LOWER}]",
            f"[{LOWER}][ˆ˜]",
            f"{LETTER}[§‡‰™•ƒ‹›]{LETTER}",
            # Central European languages, in Windows-1250 or ISO 8859-2. "cm³" and "¿Cómo?" are
            # right.
            f"{LETTER}[¹³]{LETTER}{{2}}",
            f"{LETTER}{{4}}³",
            f"[£¯]{LETTER}{{2}}",
            "[A-Z]{4}£",
            f"{LETTER}[¿¡¼½¾¯¬¶¦¢¥¤]{LETTER}",
            f"[{ACCENTED}][¡¢£¤¥¦¬¯±¶¸¼½¾¿‰]",
        )
    )
)


def with_warnings(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of a file that is read as Windows-1252. Those with a text that looks wrong have a
    warning."""
    for line in lines:
        word = next(filter(None, map(wrong_word, line.cells.values())), None)
        if word is None:
            yield line
            continue
        warning = Message(
            "Is “${word}” right? The file is not UTF-8, so letters may be wrong. If they are, save"
            " the file as UTF-8 (in Excel: CSV UTF-8), and send it again.",
            word=word,
        )
        yield replace(line, warnings=[*line.warnings, warning])


def wrong_word(text: str) -> str | None:
    """The first word of a text, read as Windows-1252, that probably has another encoding. None if
    no word looks wrong."""
    if text.isascii():
        return None
    found = WRONG.search(text)
    if found is None:
        return None
    before = text[: found.start()].rsplit(maxsplit=1)
    begin = "" if not before or text[found.start() - 1].isspace() else before[-1]
    end = re.match(r"\S*", text[found.end() :])
    word = f"{begin}{found[0]}{end[0] if end else ''}"
    return word if len(word) <= QUOTED else found[0]
