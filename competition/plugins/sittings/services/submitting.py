"""Store submissions: a candidate submits answers, or the service does so for many candidates.

A submission is stored completely or not at all. The primary key of the table `submission` ensures
that each candidate has at most one per exam.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, bindparam, literal, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.errors import IdempotencyKeyReused, NotFound, PermissionDenied
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.models import Exam, FrozenPaper
from competition.plugins.exams.services import papers, rows
from competition.plugins.sittings import SittingSettings
from competition.plugins.sittings.errors import ExamAlreadySubmitted, ExamNotStarted
from competition.plugins.sittings.events import SubmissionsStored
from competition.plugins.sittings.models import ATTEMPTS, SUBMISSIONS, Submission
from competition.plugins.sittings.services import sealing, taking
from competition.plugins.sittings.services.answers import pack


def check_submission(
    work: Work, exam_id: int, idempotency_key: str | None = None
) -> taking.Sitting:
    """Check whether the caller can submit answers to the exam now.

    "Already submitted" is checked first (decisions G19): a client that retries because the reply
    was lost must learn that the answers were submitted, even if the exam is over by then. A retry
    with the idempotency key of the stored submission passes, and so does one of a submission that
    staff have taken back; `submit_answers` compares the answers.

    Raises NotFound, ExamAlreadySubmitted, ExamNotEligible, ExamNotOpen, or ExamNotStarted.
    """
    sitting = taking.find(work, exam_id)
    known = {sitting.key_hash, *sitting.withdrawn}
    if idempotency_key is None or _hash(idempotency_key) not in known:
        _check_can_submit(work, sitting)
    return sitting


def _check_can_submit(work: Work, sitting: taking.Sitting) -> None:
    taking.check_not_submitted(sitting)
    taking.check_eligible(work, sitting)
    taking.check_open(work, sitting)
    if sitting.started_at is None and work.settings[SittingSettings].requires_start:
        raise ExamNotStarted


def own_submission(work: Work, exam_id: int) -> tuple[Submission, FrozenPaper]:
    """The caller's submission, and the paper that it answers.

    Raises NotFound if there is no such exam or submission. Raises PermissionDenied while a
    candidate can still submit the exam, because that candidate could copy the answers.
    """
    exam = rows.get(work, exam_id)
    submission = work.db.get(Submission, (exam_id, work.identity.user_id))
    paper = papers.frozen(work, exam_id)
    if submission is None or paper is None:
        raise NotFound(
            Message("You have not submitted answers to this exam, so you can't read them.")
        )
    if not sealing.looks_over(work, exam):
        raise PermissionDenied(
            Message("You can read your answers when the exam is over for all candidates.")
        )
    return submission, paper


def submit_answers(
    work: Work,
    sitting: taking.Sitting,
    answers: Sequence[tuple[int, str]],
    idempotency_key: str | None = None,
) -> None:
    """Store the caller's answers: pairs of question id and option, which is ``""`` for no answer.

    Sending the same answers with the same idempotency key again changes nothing, even if staff have
    taken the submission back.

    Raises Invalid if a question is not in the paper or appears more than once, and
    IdempotencyKeyReused if other answers were submitted with this key. Raises ExamAlreadySubmitted
    if another request was faster, and the errors of `check_submission` if the exam was changed in
    the meantime.
    """
    exam_id = sitting.exam.id
    sitting, paper = taking.opened(work, sitting)
    packed = pack(paper, answers)
    key_hash = None if idempotency_key is None else _hash(idempotency_key)
    if key_hash is not None and key_hash in sitting.withdrawn:
        if sitting.withdrawn[key_hash] == _hash(packed):
            return
        _check_can_submit(work, sitting)
    if sitting.started_at is None:
        taking.start(work, sitting, is_opened=False)
    if not store(work, exam_id, work.identity.user_id, packed, key_hash):
        _check_repeats(work, exam_id, packed, key_hash)


def _check_repeats(work: Work, exam_id: int, packed: str, key_hash: str | None) -> None:
    """Check that this request repeats the stored submission.

    Raises ExamAlreadySubmitted if the idempotency key differs, and IdempotencyKeyReused if the key
    is the same but the answers differ.
    """
    there = work.db.get_one(Submission, (exam_id, work.identity.user_id))
    if key_hash is None or there.key_hash != key_hash:
        raise ExamAlreadySubmitted
    if there.answers != packed:
        raise IdempotencyKeyReused(
            Message(
                "Other answers were already submitted with this Idempotency-Key. Those answers "
                "count."
            )
        )


def withdrawn(submission: Submission) -> dict[str, str]:
    """What `Attempt.withdrawn` stores about a submission. Empty if its request had no idempotency
    key."""
    return {} if submission.key_hash is None else {submission.key_hash: _hash(submission.answers)}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


STORE = (
    insert(SUBMISSIONS)
    .values(
        exam_id=bindparam("exam_id"),
        candidate_id=bindparam("candidate_id"),
        answers=bindparam("answers"),
        submitted_at=bindparam("submitted_at"),
        key_hash=bindparam("key_hash"),
    )
    .on_conflict_do_nothing()
    .returning(*SUBMISSIONS.c)
)
STATE = (
    select(Exam.sealed_at, ATTEMPTS.c.withdrawn)
    .join(ATTEMPTS, ATTEMPTS.c.exam_id == Exam.id)
    .where(Exam.id == bindparam("exam_id"), ATTEMPTS.c.candidate_id == bindparam("candidate_id"))
)


def store(work: Work, exam_id: int, candidate_id: UUID, answers: str, key_hash: str | None) -> bool:
    """Store the packed answers that a candidate submits now.

    Returns False if the candidate already has a submission, which stays as it is. Raises
    ExamNotOpen if the exam was sealed in the meantime, and ExamAlreadySubmitted if staff took this
    submission back in the meantime.
    """
    stored = work.db.execute(
        STORE,
        {
            "exam_id": exam_id,
            "candidate_id": candidate_id,
            "answers": answers,
            "submitted_at": work.now,
            "key_hash": key_hash,
        },
    ).one_or_none()
    if stored is None:
        return False
    # Inserting the submission has locked the attempt. Only a statement after that sees a seal, or a
    # withdrawal, that was committed in the meantime.
    state = work.db.execute(STATE, {"exam_id": exam_id, "candidate_id": candidate_id}).one()
    if state.sealed_at is not None:
        raise ExamNotOpen
    if key_hash is not None and state.withdrawn.get(key_hash) == _hash(answers):
        raise ExamAlreadySubmitted
    work.emit(SubmissionsStored(work, exam_id, [stored]))
    return True


def store_for_candidates(
    work: Work, answers: Select[tuple[int, UUID, str, datetime]]
) -> dict[int, list[UUID]]:
    """Submit answers on behalf of candidates, and return the candidates by exam.

    `answers` selects the exam, the candidate, the packed answers, and the time of the submission. A
    candidate who already has a submission keeps it.
    """
    columns = ["exam_id", "candidate_id", "answers", "submitted_at", "handed_in_by"]
    rows = work.db.scalars(
        insert(Submission)
        .from_select(columns, answers.add_columns(literal("service")))
        .on_conflict_do_nothing()
        .returning(Submission)
    )
    stored: dict[int, list[Submission]] = defaultdict(list)
    for submission in rows:
        stored[submission.exam_id].append(submission)
    for exam_id, submissions in sorted(stored.items()):
        work.emit(SubmissionsStored(work, exam_id, submissions, "service"))
    return {
        exam_id: [each.candidate_id for each in submissions]
        for exam_id, submissions in stored.items()
    }


def store_from_paper(work: Work, exam: Exam, given: Mapping[UUID, tuple[str, datetime]]) -> None:
    """Store the packed answers of candidates who sat an exam on paper, with the time when each of
    them submitted.

    The exam must be locked, and its paper frozen. Candidates who have not started get an attempt
    that began when the exam opened. None of these candidates may have a submission yet.
    """
    if not given:
        return
    rows.mark_started(work, exam.id)
    sealing.lock_papers(work, [exam.id])
    known: list[dict[str, Any]] = [
        {"exam_id": exam.id, "candidate_id": each} for each in sorted(given)
    ]
    begun = {"started_at": exam.scheduled_date, "extra_percent": 0, "is_opened": False}
    attempts = insert(ATTEMPTS).on_conflict_do_nothing()
    work.db.execute(attempts, [{**each, **begun} for each in known])
    stored = []
    for each in known:
        answers, submitted_at = given[each["candidate_id"]]
        stored.append(
            {**each, "answers": answers, "submitted_at": submitted_at, "handed_in_by": "staff"}
        )
    submissions = work.db.scalars(insert(Submission).returning(Submission), stored).all()
    work.emit(SubmissionsStored(work, exam.id, submissions, "staff"))
