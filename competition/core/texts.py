"""The forms of texts: which one is stored, and the key by which names are compared.

Two texts that look the same may consist of different characters: a Mac sends accents as characters
of their own, and a copied text has no-break spaces.
"""

import re
from unicodedata import category, combining, decimal, normalize

import idna

# The Unicode categories of spaces, and of characters that only change how other characters look.
INVISIBLE = ("Cf", "Zs", "Zl", "Zp")
MARKS = ("Mn", "Me")
# Letters that show nothing, and don't belong to the next pattern.
BLANK = "\u2800\U0001d159\U00016fe4"
# Unicode's Default_Ignorable_Code_Point.
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Invisible characters that nobody needs in a line: controls of the direction of a text, U+200B and
# U+FEFF. Arabic and Hebrew texts of several lines may need most of those controls. XML can't have
# U+FFFE and U+FFFF, so one of them would make a whole spreadsheet unreadable.
HIDDEN = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
HIDDEN_IN_LINES = re.compile("[\u202a-\u202e\ufffe\uffff]")
# All white space but control characters, which are rejected.
SPACES = re.compile(r"[^\S\x00-\x1f\x7f-\x9f]+")
LINE_ENDS = re.compile("[\u2028\u2029]")
# Runs of characters that are no letters or digits and not ASCII, as marks are.
UNUSUAL = re.compile(r"[^\w\s!-~]+")
DASHES = re.compile("[\u2010-\u2015\u2212]")
# RFC 5321, section 4.5.3.1.1, in bytes.
LONGEST_LOCAL_PART = 64
# The names of a domain have at most 63 characters, and the last one is no number.
DOMAIN = re.compile(r"([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?![0-9]+$)[a-z0-9-]{2,63}(?<!-)")
# Characters that look like those of a keyboard.
ALIKE = str.maketrans("\u2018\u2019\u02bc\u2032\uff07\u2010\u2011", "'''''--")


def stored_form(text: str, *, lines: bool = False) -> str:
    """The form in which a text is stored: trimmed and in NFC. It is empty if the text shows
    nothing.

    Runs of white space become one space. If `lines` is true, they stay, and Unicode's line and
    paragraph separators become line ends.
    """
    text = normalize("NFC", text)
    text = LINE_ENDS.sub("\n", text) if lines else SPACES.sub(" ", text)
    return "" if all(map(_shows_nothing, text)) else text.strip()


def _shows_nothing(character: str) -> bool:
    return (
        character.isspace()
        or character in BLANK
        or IGNORABLE.match(character) is not None
        or category(character) in INVISIBLE
    )


def password_form(password: str) -> str:
    """The form in which passwords are hashed and compared. Devices send accents differently."""
    return normalize("NFKC", password)


def code_form(code: str, *, letters: bool = False) -> str:
    """The digits of a code as a user has typed it and, if `letters` is true, its letters. Digits of
    all scripts count."""
    found = ((each, decimal(each, None)) for each in normalize("NFKC", code))
    return "".join(
        each if digit is None else str(digit)
        for each, digit in found
        if digit is not None or (letters and each.isalnum())
    )


def slip_form(text: str) -> str:
    """The form in which logins and codes of slips are stored and compared: lower case, without
    hyphens, spaces and other signs."""
    return code_form(text, letters=True).lower()


def phone_form(number: str) -> str:
    """A phone number without its separators. A zero in brackets after the code of the country is
    removed, because it is not dialled from abroad."""
    shown = (each for each in normalize("NFKC", number) if not _shows_nothing(each))
    # Digits of all scripts count, as in codes.
    plain = "".join(str(decimal(each, each)) for each in shown)
    abroad = re.sub(r"^((?:\+|00)\d{1,3})[-.\/]?[(\[]0[)\]]", r"\1", DASHES.sub("-", plain))
    return re.sub(r"[-.\/()\[\]]", "", abroad)


def email_form(address: str) -> str:
    """The form in which email addresses are stored and compared: lower case, the local part in NFC,
    and the domain as DNS has it (A-labels)."""
    local, at, domain = stored_form(stored_form(address).lower()).rpartition("@")
    try:
        ascii_domain = domain if domain.isascii() else idna.encode(domain, uts46=True).decode()
    except UnicodeError:
        ascii_domain = domain
    return local + at + ascii_domain


def is_deliverable(address: str) -> bool:
    """Whether an email could be delivered to an address in its form, as far as its text tells."""
    local, _, domain = address.rpartition("@")
    return (
        len(local.encode()) <= LONGEST_LOCAL_PART
        and all(local.split("."))
        and DOMAIN.fullmatch(domain) is not None
    )


def has_hidden(text: str) -> bool:
    """Whether some characters of the text show nothing."""
    return any(map(_shows_nothing, text))


def most_marks(text: str) -> int:
    """The largest number of combining marks on a character of the text, in whatever form it is."""
    most = marks = 0
    for run in UNUSUAL.findall(normalize("NFD", text)):
        for character in IGNORABLE.sub("", run):
            marks = marks + 1 if category(character) in MARKS else 0
            most = max(most, marks)
        marks = 0
    return most


def name_key(name: str) -> str:
    """The key by which names are compared, such as those of schools.

    Names have the same key if they look the same, or differ only in upper and lower case.
    """
    visible = IGNORABLE.sub("", normalize("NFC", name)).translate(ALIKE)
    return normalize("NFC", " ".join(visible.split()).casefold())


def without_accents(text: str) -> str:
    return "".join(each for each in normalize("NFD", text) if not combining(each))
