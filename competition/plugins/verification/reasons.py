"""The prepared reasons for a rejection, which users read in their own language.

A reviewer chooses one in the language of the console, and may add details of their own. The service
stores the English text, and translates it for each reader. The console offers the same texts.
"""

from typing import Literal

from competition.core.messages import LANGUAGES, Message, translate_for
from competition.core.work import Work

Document = Literal["face_id", "id_card", "verification_document"]

# Each prepared reason, with the document that it is about, if it is about one.
PREPARED: tuple[tuple[Message, Document | None], ...] = (
    (Message("The card can't be read."), "id_card"),
    (Message("The name is not the same as in the documents."), None),
    (Message("The face can't be compared with the card."), "face_id"),
    (Message("The letter does not name the school."), "verification_document"),
    (Message("One of the files is not the right document."), None),
    (Message("The documents do not prove the change."), None),
)


def in_english(work: Work, reason: str | None) -> str | None:
    """The reason as it is stored: a prepared text is English, in whichever language it was sent."""
    for prepared, _ in PREPARED:
        for language in LANGUAGES:
            details = _details(reason, translate_for(work.runtime, language)(str(prepared)))
            if details is not None:
                return f"{prepared}{details}"
    return reason or None


def in_words(reason: str | None) -> str | None:
    """A stored reason for its readers. If the reason begins with a prepared text, it is a Message,
    which each reader gets in their language."""
    for prepared, _ in PREPARED:
        details = _details(reason, str(prepared))
        if details is not None:
            return Message("${reason}${details}", reason=prepared, details=details)
    return reason


def document_of(reason: str | None) -> Document | None:
    """The document that a stored reason is about. None if the reason names no single document."""
    found = (each for text, each in PREPARED if _details(reason, str(text)) is not None)
    return next(found, None)


def _details(reason: str | None, prepared: str) -> str | None:
    """The part of a reason after the prepared text. None if the reason does not begin with this
    text."""
    if reason is None or not reason.startswith(prepared):
        return None
    details = reason.removeprefix(prepared)
    return details if not details or details[0].isspace() else None
