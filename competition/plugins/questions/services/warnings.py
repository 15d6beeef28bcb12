"""Warn authors about texts that they probably did not mean. Such texts are accepted."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from competition.core.messages import Message
from competition.plugins.questions.mathematics import formulas, unmarked
from competition.plugins.questions.mathematics.rendering import FIELDS, OPTION_FIELDS
from competition.plugins.questions.mathematics.segments import Formula, Unreadable
from competition.plugins.questions.mathematics.unmarked import Unmarked
from competition.plugins.questions.models import TextWarning

# The texts of a question, by field.
Texts = Mapping[str, object]


def of(texts: Texts, spoken: Texts | None) -> Iterator[TextWarning]:
    """The warnings about the texts of a question, by field. `spoken` are the texts in words, None
    if they equal the texts. Fields without a text can be left out."""
    for name, found in unmarked_formulas(texts):
        yield _about(name, found)
    for first, others in same_words(texts, spoken):
        yield from (
            TextWarning(
                other,
                Message(
                    "Options ${first} and ${second} are read aloud in the same words, so"
                    " candidates who listen can't tell them apart.",
                    first=letter(first),
                    second=letter(other),
                ),
            )
            for other in others
        )


def unmarked_formulas(texts: Texts) -> Iterator[tuple[str, Unmarked]]:
    """The parts of texts that look like formulas without delimiters, each after the field of its
    text."""
    for name in FIELDS:
        for found in unmarked.find(str(texts.get(name, ""))):
            yield name, found


def same_words(texts: Texts, spoken: Texts | None) -> list[tuple[str, list[str]]]:
    """Groups of options that are read aloud in the same words, although their texts differ: the
    first option of each group, and the others."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    if spoken is not None:
        for name in OPTION_FIELDS:
            words = " ".join(str(spoken[name]).split())
            if words and all(texts[name] != texts[other] for other in found[words]):
                found[words].append(name)
    return [(names[0], names[1:]) for names in found.values() if names[1:]]


def letter(option: str) -> str:
    """The letter of an option's field."""
    return option[-1].upper()


def _about(name: str, found: Unmarked) -> TextWarning:
    shown = _shown(found.formula)
    if shown is None:
        message = Message(
            "Candidates see ${source} as it is typed here. Put a formula between \\( and \\).",
            source=found.source,
        )
    else:
        message = Message(
            "Candidates see ${source} as it is typed here. For a formula, write ${formula}",
            source=found.source,
            formula=found.formula.source,
        )
    return TextWarning(name, message, shown)


def _shown(formula: Formula) -> str | None:
    try:
        return formulas.write(formulas.convert(formula))
    except Unreadable:
        return None
