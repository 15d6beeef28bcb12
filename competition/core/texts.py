"""Normalise texts: the forms in which they are stored, and the key by which names are compared.

Two texts that look the same may consist of different characters. For example, a Mac sends accents
as separate characters, and copied text may contain no-break spaces.
"""

import re
from unicodedata import category, combining, decimal, normalize

import idna

# The Unicode categories of invisible characters (format characters and spaces), and of marks, which
# only change how other characters look.
INVISIBLE = ("Cf", "Zs", "Zl", "Zp")
MARKS = ("Mn", "Me")
# Further characters that show nothing. Neither INVISIBLE nor IGNORABLE contains them.
BLANK = "\u2800\U0001d159\U00016fe4"
# Unicode's Default_Ignorable_Code_Point.
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Characters that a text of one line may not contain: controls of the direction of a text, U+200B,
# U+FEFF, U+FFFE and U+FFFF. A text of several lines may contain most of them, because Arabic and
# Hebrew texts may need them. XML can't contain U+FFFE and U+FFFF, so one of them in a text would
# make a whole spreadsheet unreadable.
HIDDEN = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
HIDDEN_IN_LINES = re.compile("[\u202a-\u202e\ufffe\uffff]")
# A run of white space. It contains no control characters, because those are rejected.
SPACES = re.compile(r"[^\S\x00-\x1f\x7f-\x9f]+")
LINE_ENDS = re.compile("[\u2028\u2029]")
# A run of characters that are neither letters, digits or white space, nor ASCII. Marks are such
# characters.
UNUSUAL = re.compile(r"[^\w\s!-~]+")
DASHES = re.compile("[\u2010-\u2015\u2212]")
# The fewest digits of a phone number (decisions D2).
FEWEST_DIGITS = 7
# The longest part of an email address before the @, in bytes (RFC 5321, section 4.5.3.1.1).
LONGEST_LOCAL_PART = 64
# A domain: its names have at most 63 characters each, and the last name is not a number.
DOMAIN = re.compile(r"([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?![0-9]+$)[a-z0-9-]{2,63}(?<!-)")
# Characters that look like the apostrophe, quotation mark, hyphen or space of a keyboard.
APOSTROPHES = "`\u00b4\u02b9\u02bb\u02bc\u05f3\u2018\u2019\u201b\u2032\ua78b\ua78c\uff07"
QUOTES = "\u05f4\u201c\u201d\u201e\u201f\u2033\uff02"
HYPHENS = "\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
SPACE_LIKE = f"{BLANK}\u3164\uffa0"
# Maps these characters to those of a keyboard, and Romanian letters with a comma to the letters
# with a cedilla that many keyboards have in their place.
ALIKE = {
    **dict.fromkeys(map(ord, APOSTROPHES), "'"),
    **dict.fromkeys(map(ord, QUOTES), '"'),
    **dict.fromkeys(map(ord, HYPHENS), "-"),
    **dict.fromkeys(map(ord, SPACE_LIKE), " "),
    **{0x218: "\u015e", 0x219: "\u015f", 0x21A: "\u0162", 0x21B: "\u0163"},
}
# Turkish has a letter I with a dot and one without, each with a capital of its own. If the language
# is unknown, an I may be the capital of either. These two forms are those that `str.casefold` does
# not make an i.
TURKISH = re.compile("i\u0307|\u0131")


def stored_form(text: str, *, lines: bool = False) -> str:
    """The form in which a text is stored: trimmed and in NFC. It is empty if the text contains only
    invisible characters.

    Each run of white space becomes one space. If `lines` is true, white space stays as it is, but
    Unicode's line and paragraph separators become line ends.
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
    """The form in which passwords are hashed and compared (NFKC). Without it, a user could not log
    in on a device that encodes accents differently."""
    return normalize("NFKC", password)


def code_form(code: str, *, letters: bool = False) -> str:
    """The digits of a code that a user has typed and, if `letters` is true, its letters. Digits of
    all scripts are returned as 0 to 9."""
    found = ((each, decimal(each, None)) for each in normalize("NFKC", code))
    return "".join(
        each if digit is None else str(digit)
        for each, digit in found
        if digit is not None or (letters and each.isalnum())
    )


def slip_form(text: str) -> str:
    """The form in which the logins and codes on printed slips are stored and compared: lower case,
    without hyphens, spaces and other signs."""
    return code_form(text, letters=True).lower()


def phone_form(number: str) -> str:
    """A phone number without its separators. A zero in brackets after the country code is removed,
    because it is not dialled from abroad.

    Two numbers with a slash or a line end between them keep a slash, so they are not taken for one
    number.
    """
    parts = re.split(r"[/\n\r\u2028\u2029\uff0f]", number)
    if sum(len(code_form(each)) >= FEWEST_DIGITS for each in parts) > 1:
        return "/".join(parts)
    shown = (each for each in normalize("NFKC", number) if not _shows_nothing(each))
    # Digits of all scripts become 0 to 9.
    plain = "".join(str(decimal(each, each)) for each in shown)
    code = r"^[(\[]?((?:\+|00)\d{1,3})[)\]]?[-.\/]?[(\[]0[)\]]"
    abroad = re.sub(code, r"\1", DASHES.sub("-", plain))
    return re.sub(r"[-.\/()\[\]]", "", abroad)


def email_form(address: str) -> str:
    """The form in which email addresses are stored and compared: lower case, the local part in NFC,
    and the domain as DNS has it (A-labels).

    İ becomes i. `str.lower` would add a second dot to the i, which hardly any mailbox has.
    """
    lower = stored_form(address).replace("\u0130", "i").lower()
    local, at, domain = stored_form(lower).rpartition("@")
    try:
        ascii_domain = domain if domain.isascii() else idna.encode(domain, uts46=True).decode()
    except UnicodeError:
        ascii_domain = domain
    return local + at + ascii_domain


def is_deliverable(address: str) -> bool:
    """Whether the text of an email address allows a delivery: the part before the @ has a valid
    length and no characters that a word processor has written in place of others, and the domain
    is well-formed. `address` is a result of `email_form`."""
    local, _, domain = address.rpartition("@")
    return (
        len(local.encode()) <= LONGEST_LOCAL_PART
        and all(local.split("."))
        and normalize("NFKC", local) == local
        and (local.isascii() or not set(local) & {*APOSTROPHES, *QUOTES, *HYPHENS})
        and DOMAIN.fullmatch(domain) is not None
        and all(map(_is_label, domain.split(".")))
    )


def _is_label(label: str) -> bool:
    """Whether a part of a domain in ASCII stands for a readable one, if it is an A-label."""
    if not label.startswith("xn--"):
        return True
    try:
        shown = label[4:].encode().decode("punycode")
    except UnicodeError:
        return False
    return shown.isprintable() and normalize("NFKC", shown) == shown


def has_hidden(text: str) -> bool:
    """Whether the text contains spaces or other characters that show nothing."""
    return any(map(_shows_nothing, text))


def most_marks(text: str) -> int:
    """The largest number of combining marks on one character of the text. Marks also count if they
    are part of a composed character, such as é."""
    most = marks = 0
    for run in UNUSUAL.findall(normalize("NFD", text)):
        for character in IGNORABLE.sub("", run):
            marks = marks + 1 if category(character) in MARKS else 0
            most = max(most, marks)
        marks = 0
    return most


def name_key(name: str) -> str:
    """The key by which names are compared, such as those of schools.

    Names have the same key if they look the same, or differ only in upper and lower case or in the
    kind of their dashes and quotation marks. The letters I with and without a dot are the same,
    because Turkish has other capitals of them than other languages.

    Tables contain keys. If you change this function, write a migration, such as 0028.
    """
    visible = IGNORABLE.sub("", normalize("NFC", name).translate(ALIKE))
    folded = " ".join(visible.split()).casefold()
    return normalize("NFC", TURKISH.sub("i", folded))


def without_accents(text: str) -> str:
    return "".join(each for each in normalize("NFD", text) if not combining(each))
