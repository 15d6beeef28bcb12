"""Messages for users in their language, such as the messages of errors and of invalid fields.

The code contains the English text, as a `Message`. Gettext catalogues contain the translations:
``locale/fr.po`` in the package of core or of a plugin.

See docs/decisions/0046-languages.md.
"""

from collections.abc import Callable, Iterable, Mapping
from gettext import GNUTranslations, NullTranslations
from importlib import import_module, resources
from io import BytesIO
from typing import Any, Literal, get_args

import polib
from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError
from pyramid.i18n import TranslationString
from webob.acceptparse import create_accept_language_header

Language = Literal["en", "fr"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
# The language of the messages in the code.
ENGLISH: Language = "en"
# The longest Accept-Language that is parsed, in characters. Browsers send about fifty. Parsing
# takes a microsecond per character, even for callers who are not authenticated, and blocks all
# other clients of a socket process.
LONGEST_HEADER = 1000
# The gettext domain of all messages, including those of third-party plugins.
DOMAIN = "competition"
FOLDER = "locale"
# The name of the rule of every message that names no rule.
UNNAMED_RULE = "invalid"

# The function of a catalogue that returns the translation of a text, or the text itself if the
# catalogue has no translation.
Translate = Callable[[str], str]


class Message(TranslationString):  # type: ignore[misc]  # translationstring has no types
    """A message for users. Write its text as a literal, so that a test can compare it with the
    catalogues.

    ``Message("At most ${max} items are accepted.", "too_long", max=5)`` has the rule "too_long" and
    the value `max`. Values are numbers, strings, lists of these, or other messages. For the message
    of a field, the rule and the values are also in the `rules` of the error, so a client can word
    the message itself.
    """

    rule: str

    def __new__(cls, text: str, rule: str = UNNAMED_RULE, **values: object) -> "Message":
        message: Message = super().__new__(cls, text, domain=DOMAIN, mapping=values or None)
        message.rule = rule
        return message


def filled(message: Message, values: Mapping[str, object]) -> Message:
    """The same message with these values."""
    return Message(str(message), message.rule, **values)


def joined(messages: Iterable[str]) -> Message:
    """One message that consists of several messages, separated by spaces."""
    values = {f"message{n}": message for n, message in enumerate(messages)}
    return Message(" ".join(f"${{{name}}}" for name in values), **values)


def worded(value: Any, translate: Translate = str) -> Any:
    """The same value with each message in it, also in nested dicts and lists, replaced by a plain
    string: the translated text with its values filled in. By default, the texts are in English."""
    if isinstance(value, TranslationString):
        values = {name: _shown(each, translate) for name, each in (value.mapping or {}).items()}
        text = translate(str(value))
        return TranslationString(text, mapping=values).interpolate() if values else text
    if isinstance(value, dict):
        return {name: worded(each, translate) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [worded(each, translate) for each in value]
    return value


def _shown(value: Any, translate: Translate) -> str:
    """The text that replaces the placeholder for this value in a message."""
    if isinstance(value, list | tuple):
        return ", ".join(_shown(each, translate) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(worded(value, translate))


def rules(errors: Any) -> Any:
    """The `rules` of an error, from its `errors`.

    They are the same tree, with ``{rule, …limits}`` instead of each message. The limits are the
    values of the message, except those that are messages themselves.
    """
    if isinstance(errors, dict):
        return {name: rules(each) for name, each in errors.items()}
    if isinstance(errors, list):
        return [rules(each) for each in errors]
    if not isinstance(errors, Message):
        return {"rule": UNNAMED_RULE}
    limits = {k: v for k, v in (errors.mapping or {}).items() if not isinstance(v, Message)}
    return {"rule": errors.rule, **limits}


def language_of(request: Any) -> Language | None:
    """The language that the request asks for in Accept-Language, or None if the service has none of
    the languages."""
    return language_in(request.headers.get("Accept-Language", ""))


def language_in(header: str) -> Language | None:
    """The language that the value of an Accept-Language header asks for. None if the service has
    none of the languages, or if the value is too long to come from a browser."""
    if len(header) > LONGEST_HEADER:
        return None
    accepted: Any = create_accept_language_header(header)
    found: Language | None = accepted.lookup(LANGUAGES, default=lambda: None)
    return found


def translate_for(runtime: Any, language: Language | None) -> Translate:
    """The function that translates a text into this language. None is English."""
    if language is None or language == ENGLISH:
        return str
    translations: Translations = runtime.catalogue[Translations][language]
    return translations.gettext


class Translations(NullTranslations):
    """The messages of core and of the enabled plugins in one language. If several packages
    translate the same text, the translation that was added first is used."""


def add_translations(config: Configurator, package: str) -> None:
    """Add the catalogues of a package, ``locale/<language>.po``, if it has any.

    Raises ConfigurationError if a catalogue can't be read.
    """
    known = config.registry.runtime.catalogue[Translations]
    for language in LANGUAGES:
        if language != ENGLISH:
            known.setdefault(language, Translations())
            found = _read(package, language)
            if found is not None:
                known[language].add_fallback(found)


def _read(package: str, language: str) -> GNUTranslations | None:
    if not hasattr(import_module(package), "__path__"):
        # A plugin that is a single module has no folder for catalogues.
        return None
    file = resources.files(package) / FOLDER / f"{language}.po"
    if not file.is_file():
        return None
    try:
        entries = polib.pofile(file.read_text("utf-8"))
        return GNUTranslations(BytesIO(entries.to_binary()))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{file} can't be read: {error}.") from None


def packed(message: str) -> Any:
    """A message as a JSON value, so that it can be stored, and shown later in any language. A plain
    string is returned unchanged."""
    if not isinstance(message, TranslationString):
        return message
    values = {name: _packed(each) for name, each in (message.mapping or {}).items()}
    return {"text": str(message), "rule": getattr(message, "rule", UNNAMED_RULE), "values": values}


def _packed(value: object) -> Any:
    if isinstance(value, list | tuple):
        return [_packed(each) for each in value]
    return packed(value) if isinstance(value, str) else value


def unpacked(value: Any) -> str:
    """The message that `packed` has turned into this JSON value."""
    if not isinstance(value, dict):
        return str(value)
    values = {name: _unpacked(each) for name, each in value["values"].items()}
    return Message(value["text"], value["rule"], **values)


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpacked(each) for each in value]
    return unpacked(value) if isinstance(value, dict) else value
