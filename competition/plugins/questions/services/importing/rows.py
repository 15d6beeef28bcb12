"""Check and apply rows of questions.

A row is about a question of the bank if the texts and the options, in their order, are the same.
Runs of spaces count as one space, and images with the same content as one image.
"""

import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import IO, Any

from sqlalchemy import ARRAY, Row, String, any_, func, literal, select

from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import ApiError, Invalid, PermissionDenied
from competition.core.imports import LINE, Asked
from competition.core.imports import Row as ImportRow
from competition.core.messages import Message
from competition.core.storage import files
from competition.core.storage.pictures import ReceivedFile, received_file
from competition.core.work import Work
from competition.plugins.questions import services
from competition.plugins.questions.events import QuestionsForExam, QuestionsImported
from competition.plugins.questions.mathematics.rendering import FIELDS, OPTION_FIELDS
from competition.plugins.questions.models import OPTIONS, QUESTIONS
from competition.plugins.questions.services import images, pictures, warnings

CHANGED = ("correct_answer", "difficulty")
DEFAULT_DIFFICULTY = "moderate"
# The characters that `str.split` takes for spaces. Those that PostgreSQL takes for spaces depend on
# the locale.
SPACES = r"[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
# The mark of an image in a text of the bank, with the id of the image.
IMAGE = r"\[image:([0-9]{1,9})\]"
SHIFTED = Message(
    "This cell has a raised or lowered character, which can't be imported. Write it in TeX, such as"
    " ${formula}.",
    formula=r"\(x^2\)",
)
ADDED = Message("The bank has this question already; it is added to the exam.")


def admit(work: Work, asked: Asked) -> None:
    """If the import names an exam, check that questions can be added to it (see
    `competition.core.imports.Admit`).

    Raises PermissionDenied if a caller below admin names an exam, and the errors of `_of_exam`.
    """
    if asked.exam_id is not None:
        if not has_rank(work.identity, StaffRole.ADMIN):
            raise PermissionDenied
        _of_exam(work, asked)


def _of_exam(work: Work, asked: Asked) -> set[int]:
    """The ids of the questions that the exam asks already. Raises Invalid if exams are disabled,
    and the errors of the plugin that has the exam."""
    assert asked.exam_id is not None
    event = QuestionsForExam(work, asked.exam_id, locks=asked.is_applied)
    work.emit(event)
    if not event.is_known:
        raise Invalid.field("exam", Message("Exams are disabled. Leave the exam out."))
    return event.linked


def check(work: Work, asked: Asked, rows: Sequence[ImportRow]) -> Iterator[ImportRow]:
    """Check rows of questions: find the question in the bank that each row is about, and record in
    the row its errors and what it would change. Yields every row (see
    `competition.core.imports.Check`)."""
    linked = _of_exam(work, asked) if asked.exam_id is not None else None
    bank = _bank(work, rows, lock=asked.is_applied)
    seen: dict[tuple[str, ...], int] = {}
    for row in rows:
        _check_row(work, row, bank, seen, linked)
        yield row


def _key(texts: Any, names: Mapping[Any, str] = MappingProxyType({})) -> tuple[str, ...]:
    """The texts by which a question is known, with other `names` for its images."""
    return tuple(" ".join(_renamed(texts[name], names).split()) for name in FIELDS)


def _renamed(text: str, names: Mapping[Any, str]) -> str:
    for old, new in names.items():
        text = text.replace(f"[image:{old}]", f"[image:{new}]")
    return text


def _is_whole(row: ImportRow) -> bool:
    return all(name in row.values for name in FIELDS)


def _bank(work: Work, rows: Sequence[ImportRow], *, lock: bool) -> dict[tuple[str, ...], Row[Any]]:
    """The questions in the bank with the texts of these rows, by the result of `_key`. Each
    question is there with the ids of its images, as in an exported file, and with the SHA-256 of
    their contents. Of equal questions, the first in the order of their ids counts."""
    texts = set()
    for row in rows:
        if _is_whole(row):
            names = dict.fromkeys((*row.line.pictures, *row.files), "")
            texts.add(re.sub(IMAGE, "[image:]", _key(row.values, names)[0]))
    text = func.trim(func.regexp_replace(QUESTIONS.c.text.collate("C"), SPACES, " ", "g"))
    in_bank = (
        select(*QUESTIONS.c)
        .where(
            QUESTIONS.c.archived_at.is_(None),
            func.regexp_replace(text, IMAGE, "[image:]", "g")
            == any_(literal([*texts], ARRAY(String))),
        )
        .order_by(QUESTIONS.c.id)
    )
    if lock:
        in_bank = in_bank.with_for_update()
    questions = work.db.execute(in_bank).all()
    shown = {
        each.id: {int(found) for name in FIELDS for found in re.findall(IMAGE, each._mapping[name])}
        for each in questions
    }
    digests = images.digests(work, set().union(*shown.values()))
    found: dict[tuple[str, ...], Row[Any]] = {}
    for question in questions:
        contents = {each: digests[each] for each in shown[question.id] if each in digests}
        found.setdefault(_key(question._mapping), question)
        found.setdefault(_key(question._mapping, contents), question)
    return found


def _check_row(
    work: Work,
    row: ImportRow,
    bank: Mapping[tuple[str, ...], Row[Any]],
    seen: dict[tuple[str, ...], int],
    linked: set[int] | None,
) -> None:
    for name, cell_type in row.line.types.items():
        if cell_type == "shifted":
            row.reject(name, SHIFTED)
    if "correct_answer" in row.values:
        _find_answer(row)
    if not _is_whole(row):
        return
    _check_texts(work, row)
    key = _key(row.values, _digests(work, row))
    if seen.setdefault(key, row.line.number) != row.line.number:
        row.reject(
            LINE,
            Message(
                "Line ${line} has the same question. Delete one of the two lines.", line=seen[key]
            ),
        )
    if row.errors:
        return
    known = bank.get(key)
    if known is None:
        row.state = "new"
        return
    row.found = known.id
    new = {name: row.values[name] for name in CHANGED if name in row.values}
    row.change({name: getattr(known, name) for name in new}, new)
    if linked is not None and known.id not in linked:
        row.state = "changed"
        row.warnings.append(ADDED)


def _find_answer(row: ImportRow) -> None:
    """Replace the right answer, which may be a letter, a number or a text, by its letter."""
    given = row.values["correct_answer"]
    letter = given.upper() if given.upper() in OPTIONS else None
    place = OPTIONS[int(given) - 1] if given in ("1", "2", "3", "4") else None
    same = [
        option
        for option, name in zip(OPTIONS, OPTION_FIELDS, strict=True)
        if row.values.get(name) == given
    ]
    text = same[0] if len(same) == 1 else None
    if letter is None and place is not None and text not in (None, place):
        row.reject(
            "correct_answer",
            Message(
                "${answer} is the number of one option and the text of another one. Write the"
                " letter.",
                answer=given,
            ),
        )
        return
    found = letter or place or text
    if found is None:
        row.reject(
            "correct_answer",
            Message("This must be A, B, C or D, a number from 1 to 4, or the text of one option."),
        )
        return
    row.values["correct_answer"] = found


def _check_texts(work: Work, row: ImportRow) -> None:
    try:
        _, spoken = services.render(work, row.values)
    except Invalid as invalid:
        for name, messages in (invalid.errors or {}).items():
            for message in messages:
                row.reject(name, message)
    else:
        row.warnings += [each.message for each in warnings.of(row.values, spoken)]


def _digests(work: Work, row: ImportRow) -> dict[str, str]:
    """The SHA-256 of each image of a row, as it is stored in the bank, by the names of the images.
    An image that the bank can't store makes the row invalid."""
    digests = {}
    for name, content in row.line.pictures.items():
        if len(content) > pictures.LARGEST:
            row.reject(
                LINE,
                Message(
                    "The image ${name} is too large. Make it smaller, and send the file again.",
                    name=name,
                ),
            )
            continue
        try:
            digests[name] = _digest(_picture(io.BytesIO(content), name))
        except ApiError as error:
            row.reject(LINE, error.detail)
    for name, key in row.files.items():
        with files.open(work, key) as stream:
            digests[name] = _digest(_picture(stream, name))
    return digests


def _digest(picture: ReceivedFile) -> str:
    stream: IO[Any] = pictures.re_encoded(picture).stream
    stream.seek(0)
    return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]  # IO lacks `readinto`, which all binary files have


def _picture(stream: Any, name: str) -> ReceivedFile:
    """The picture in the stream. Raises InvalidFileType if it is not an accepted picture."""
    return received_file(stream, name, filename=name, longest_side=pictures.LONGEST_SIDE)


def apply(work: Work, asked: Asked, rows: Sequence[ImportRow]) -> None:
    """Apply checked rows: add new questions to the bank, and change known ones. If the import names
    an exam, emit `QuestionsImported` (see `competition.core.imports.Apply`)."""
    ids = [_new(work, row) if row.state == "new" else _changed(work, row) for row in rows]
    if asked.exam_id is not None and ids:
        work.emit(QuestionsImported(work, asked.exam_id, ids))


def _new(work: Work, row: ImportRow) -> int:
    fields = {"difficulty": DEFAULT_DIFFICULTY, **row.values}
    for name, key in row.files.items():
        with files.open(work, key) as stream:
            picture = _picture(stream, name)
            image = images.create(work, picture, row.line.alts.get(name) or name)
        for field in FIELDS:
            fields[field] = fields[field].replace(f"[image:{name}]", f"[image:{image.id}]")
    return services.add(work, fields).id


def _changed(work: Work, row: ImportRow) -> int:
    changes = {name: row.values[name] for name in row.before}
    question_id: int = row.found
    if changes:
        services.change(work, question_id, changes)
    return question_id
