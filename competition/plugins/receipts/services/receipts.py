"""Create, read and verify receipts."""

import secrets
from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, bindparam, insert, select, tuple_

from competition.core.errors import NotFound, existing
from competition.core.settings import Settings
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers
from competition.plugins.receipts import models
from competition.plugins.receipts.presenters import Content, Reason, Receipt
from competition.plugins.receipts.services.keys import canonical, digest, encoded, keys
from competition.plugins.sittings.models import SUBMISSIONS, Submission
from competition.plugins.sittings.presenters import selected_option

# The length of a salt, in bytes. With 128 random bits, nobody can find out the answers by trying
# all possible answers.
SALT_LENGTH = 16

# The table rather than the class, because SQLAlchemy inserts into it faster, and each submission
# inserts a row.
RECEIPTS = models.Receipt.metadata.tables["receipt"]
EARLIER = models.EarlierReceipt.metadata.tables["earlier_receipt"]
STORE = insert(RECEIPTS)
OF_SUBMISSIONS: Select[*tuple[Any, ...]] = (
    select(*RECEIPTS.c, SUBMISSIONS.c.submitted_at, SUBMISSIONS.c.handed_in_by)
    .join(
        SUBMISSIONS,
        (SUBMISSIONS.c.exam_id == RECEIPTS.c.exam_id)
        & (SUBMISSIONS.c.candidate_id == RECEIPTS.c.candidate_id),
    )
    .where(
        tuple_(RECEIPTS.c.exam_id, RECEIPTS.c.candidate_id).in_(
            bindparam("submissions", expanding=True)
        )
    )
)


def make(work: Work, exam_id: int, submissions: Collection[Submission | Row[Any]]) -> None:
    """Store a signed receipt for each of these submissions to the exam.

    In the same unit of work, `of` then returns these receipts without querying the database. Raises
    LookupError if the exam has no frozen paper.
    """
    paper = papers.frozen(work, exam_id)
    if paper is None:
        raise LookupError(f"exam {exam_id} has submissions and no paper")
    made = [_signed(work.settings, each, paper.question_ids) for each in submissions]
    if made:
        work.db.execute(STORE, [_row(receipt) for receipt in made])
    work.made[Receipt] = {(each["exam"], each["candidate"]): each for each in made}


def _signed(
    settings: Settings, submission: Submission | Row[Any], question_ids: Iterable[int]
) -> Receipt:
    options = map(selected_option, submission.answers)
    given = list(zip(question_ids, options, strict=True))
    signing, salt = keys(settings), encoded(secrets.token_bytes(SALT_LENGTH))
    content = Content(
        exam=submission.exam_id,
        candidate=submission.candidate_id,
        submitted_at=submission.submitted_at,
        handed_in_by=submission.handed_in_by,
        questions=len(given),
        answered=len(_answered(given)),
        salt=salt,
        digest=_digest(salt, given),
        key_id=signing.signing_id,
    )
    return Receipt(**content, signature=signing.sign(canonical(content)))


def _row(receipt: Receipt) -> dict[str, Any]:
    """The columns of a receipt's row: the fields that are not in the submission."""
    of_submission = ("exam", "candidate", "submitted_at", "handed_in_by")
    return {
        "exam_id": receipt["exam"],
        "candidate_id": receipt["candidate"],
        **{name: value for name, value in receipt.items() if name not in of_submission},
    }


def _receipt(row: Row[Any]) -> Receipt:
    return Receipt(
        exam=row.exam_id,
        candidate=row.candidate_id,
        submitted_at=row.submitted_at,
        handed_in_by=row.handed_in_by,
        questions=row.questions,
        answered=row.answered,
        salt=row.salt,
        digest=row.digest,
        key_id=row.key_id,
        signature=row.signature,
    )


def _answered(answers: Iterable[tuple[int, str]]) -> dict[str, str]:
    """The chosen options by question id. Unanswered questions are left out."""
    return {str(question): option for question, option in answers if option}


def _digest(salt: str, answers: Iterable[tuple[int, str]]) -> str:
    return digest({"answers": _answered(answers), "salt": salt})


def of(
    work: Work, submissions: Collection[tuple[int, UUID]]
) -> dict[tuple[int, UUID], Receipt | None]:
    """The receipts of submissions, by the ids of exam and candidate. The value is None for answers
    that were submitted while this plugin was disabled."""
    receipts: dict[tuple[int, UUID], Receipt] = work.made.get(Receipt, {})
    if not receipts.keys() >= {*submissions}:
        found = work.db.execute(OF_SUBMISSIONS, {"submissions": [*submissions]})
        receipts = {(row.exam_id, row.candidate_id): _receipt(row) for row in found}
    return {key: receipts.get(key) for key in submissions}


def keep(work: Work, exam_id: int, candidate_ids: Collection[UUID]) -> None:
    """Copy the receipts of submissions that are about to be withdrawn to the table of earlier
    receipts."""
    names = [column.name for column in EARLIER.c if column.name != "id"]
    kept = OF_SUBMISSIONS.subquery()
    work.db.execute(
        insert(EARLIER).from_select(names, select(*(kept.c[name] for name in names))),
        {"submissions": [(exam_id, each) for each in candidate_ids]},
    )


def all_own(work: Work, exam_id: int) -> list[Receipt]:
    """The caller's receipts in an exam, even if the exam was deleted: of the present submission,
    and of earlier ones that were withdrawn, the newest first.

    Raises NotFound if there is no such exam.
    """
    if work.db.get(Exam, exam_id) is None:
        raise NotFound
    key = (exam_id, work.identity.user_id)
    present = of(work, [key])[key]
    return ([] if present is None else [present]) + earlier(work, work.identity.user_id, exam_id)


def earlier(work: Work, candidate_id: UUID, exam_id: int | None = None) -> list[Receipt]:
    """A candidate's receipts of withdrawn submissions, of one exam or of all, the newest first."""
    statement = select(*EARLIER.c).where(EARLIER.c.candidate_id == candidate_id)
    if exam_id is not None:
        statement = statement.where(EARLIER.c.exam_id == exam_id)
    return [_receipt(row) for row in work.db.execute(statement.order_by(EARLIER.c.id.desc()))]


def own(work: Work, exam_id: int) -> Receipt:
    """The caller's receipt, even if the exam was deleted. Raises NotFound if there is none."""
    key = (exam_id, work.identity.user_id)
    return existing(of(work, [key])[key])


def flaw(
    settings: Settings,
    receipt: Mapping[str, Any],
    answers: Collection[tuple[int, str]] | None = None,
) -> Reason | None:
    """The reason why a receipt is not valid, or None if it is.

    `receipt` is the decoded JSON. With `answers`, the receipt must also have been issued for these
    answers.
    """
    content = {name: value for name, value in receipt.items() if name != "signature"}
    reason = keys(settings).flaw(receipt["key_id"], canonical(content), receipt["signature"])
    if reason is not None or answers is None:
        return reason
    is_once = len({question for question, _ in answers}) == len(answers)
    return None if is_once and _digest(receipt["salt"], answers) == receipt["digest"] else "answers"
