"""Preview, apply, revert and delete regrades.

All of them lock the exam's row, so that no other transaction can store a score in the exam. All
except `preview` lock publications first. A publication locks in the same order, so that they can't
deadlock.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from competition.core import audit
from competition.core.errors import Invalid, NotFound
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.users.models import Staff
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import rows
from competition.plugins.leaderboard.services import publishing
from competition.plugins.notifications.events import Notify
from competition.plugins.regrades.errors import PreviewOutdated
from competition.plugins.regrades.events import Choice, ChoicesAsked
from competition.plugins.regrades.models import UNKNOWN, Difference, Regrade
from competition.plugins.regrades.services import results
from competition.plugins.regrades.services.changes import Change, Corrections, check, corrections
from competition.plugins.scores.services import ending, keys, scoring, visibility
from competition.plugins.sittings.models import ExtraTime
from competition.plugins.sittings.services import sealing


@dataclass(frozen=True)
class Moment:
    """Everything that the result of a preview depends on. If any part changes, the preview is
    outdated."""

    results: results.Results
    corrections: Corrections
    chosen: set[Choice]
    # How often candidates of the exam were given extra time, and how many seconds in total.
    given_time: tuple[int, int]

    @classmethod
    def now(cls, work: Work, exam: Exam) -> "Moment":
        corrected = keys.corrections(work, exam.id)
        chosen, given_time = _chosen(work, exam), _given_time(work, exam)
        return cls(results.of_exam(work, exam), corrected, chosen, given_time)

    def digest(self) -> str:
        others = sorted(self.corrections.items()), sorted(map(repr, self.chosen)), self.given_time
        return self.results.digest(*others)


def over(work: Work, exam_id: int) -> Exam:
    """Lock the exam and return it.

    Raises NotFound if there is no such exam, and Invalid if it is not concluded, or an attempt can
    still be submitted.
    """
    exam = rows.locked_whole(work, exam_id)
    if not sealing.is_over(work, exam):
        raise Invalid(Message("Wait until the exam is over and nobody can submit any longer."))
    return exam


def preview(work: Work, exam: Exam, changes: Sequence[Change], reason: str) -> Regrade:
    """Store a preview of the effect of these changes.

    The changes are applied inside a savepoint, which is then rolled back. Raises Invalid if the
    changes don't fit the paper.
    """
    wanted = keys.corrections(work, exam.id) | corrections(changes)
    check(work, exam.id, changes, wanted)
    savepoint = work.db.begin_nested()
    ending.finish(work, exam)
    before = Moment.now(work, exam)
    scoring.correct(work, exam.id, wanted)
    after = Moment.now(work, exam)
    savepoint.rollback()
    regrade = Regrade(
        exam_id=exam.id,
        changes=[*changes],
        reason=reason,
        made_of=before.digest(),
        **dict.fromkeys(("scores_changed", "up", "down", "ranks_changed"), 0),
        average_before=before.results.average,
        average_after=after.results.average,
        gets_in=_candidates(after.chosen - before.chosen),
        falls_out=_candidates(before.chosen - after.chosen),
        created_by=work.db.get(Staff, work.identity.user_id),
        applied_by=None,
        created_at=work.now,
    )
    work.db.add(regrade)
    work.db.flush()
    results.store_differences(work, regrade.id, before.results, after.results)
    for name, count in results.effect(work, regrade.id).items():
        setattr(regrade, name, count)
    audit.record(work, "regrade.preview", subject=f"exam {exam.id}", new=_recorded(regrade))
    return regrade


def apply(work: Work, regrade: Regrade) -> None:
    """Correct the answer key as previewed: update scores, ranks and the published leaderboard, and
    notify candidates.

    Seals the exam if it is not sealed yet. Does nothing if the regrade is already applied.

    Raises PreviewOutdated if anything that the preview depends on has changed since, or if the
    regrade was reverted.
    """
    exam = _lock(work, regrade)
    if regrade.status == "applied":
        return
    if not ending.finish(work, exam):
        # Candidates were given extra time and can submit again.
        raise PreviewOutdated
    before = Moment.now(work, exam)
    if regrade.status != "preview" or regrade.made_of != before.digest():
        raise PreviewOutdated
    message = Message(
        "Your score in ${exam} was corrected: ${reason}", exam=exam.title, reason=regrade.reason
    )
    wanted = before.corrections | corrections(regrade.changes)
    _correct(work, exam, wanted, "regrade.apply", regrade, message)
    chosen = _chosen(work, exam)
    in_and_out = (_candidates(chosen - before.chosen), _candidates(before.chosen - chosen))
    if in_and_out != (regrade.gets_in, regrade.falls_out):
        raise PreviewOutdated
    by, last = work.db.get(Staff, work.identity.user_id), _last(work, exam)
    regrade.status, regrade.application = "applied", 1 + (last or 0)
    regrade.applied_by = by
    regrade.applied_at = work.now


def revert(work: Work, regrade: Regrade) -> None:
    """Undo a regrade: go back to the corrections of the regrades that were applied before it.

    Raises Invalid if the regrade is not applied, or if a later regrade of the exam is applied.
    """
    exam = _lock(work, regrade)
    if regrade.status != "applied":
        raise Invalid(Message("Only a regrade that is applied can be reverted."))
    if regrade.application != _last(work, exam, "applied"):
        raise Invalid(
            Message(
                "Only the regrade that was applied last can be reverted. Revert the later"
                " ones first."
            )
        )
    earlier = work.db.scalars(
        select(Regrade)
        .where(Regrade.exam_id == exam.id, Regrade.status == "applied", Regrade.id != regrade.id)
        .order_by(Regrade.application)
    )
    wanted = corrections(change for each in earlier for change in each.changes)
    message = Message(
        "A correction of your score in ${exam} was reverted: ${reason}",
        exam=exam.title,
        reason=regrade.reason,
    )
    _correct(work, exam, wanted, "regrade.revert", regrade, message)
    regrade.status = "reverted"


def remove(work: Work, regrade: Regrade) -> None:
    """Delete a preview, with its differences.

    Raises Invalid if the regrade is or was applied, or if the answer to an appeal names it.
    """
    _lock(work, regrade)
    if regrade.status != "preview":
        raise Invalid(Message("Only a preview can be deleted. Revert the regrade instead."))
    try:
        work.db.execute(delete(Regrade).where(Regrade.id == regrade.id))
    except IntegrityError:
        raise Invalid(
            Message("This preview can't be deleted, because the answer to an appeal names it.")
        ) from None
    work.db.execute(delete(Difference).where(Difference.regrade_id == regrade.id))
    exam = f"exam {regrade.exam_id}"
    audit.record(work, "regrade.delete", subject=exam, old=_recorded(regrade))


def _lock(work: Work, regrade: Regrade) -> Exam:
    """Lock publications and the exam, reload the regrade's status, and return the exam.

    Raises NotFound if the exam or the regrade was deleted.
    """
    work.lock(seasons.LOCK)
    work.lock(publishing.LOCK)
    exam = rows.locked_whole(work, regrade.exam_id)
    if work.db.scalar(select(Regrade.id).where(Regrade.id == regrade.id)) is None:
        raise NotFound(UNKNOWN)
    work.db.refresh(regrade, ["status", "application"])
    return exam


def _last(work: Work, exam: Exam, *statuses: str) -> int | None:
    last = select(func.max(Regrade.application)).where(Regrade.exam_id == exam.id)
    if statuses:
        last = last.where(Regrade.status.in_(statuses))
    return work.db.scalar(last)


def _chosen(work: Work, exam: Exam) -> set[Choice]:
    asked = ChoicesAsked(work, exam.id)
    work.emit(asked)
    return asked.choices


def _given_time(work: Work, exam: Exam) -> tuple[int, int]:
    given = select(func.count(), func.coalesce(func.sum(ExtraTime.seconds), 0))
    count, seconds = work.db.execute(given.where(ExtraTime.exam_id == exam.id)).one()
    return count, seconds


def _correct(
    work: Work, exam: Exam, wanted: Corrections, action: str, regrade: Regrade, message: str
) -> None:
    """Replace the exam's corrections, and update everything that depends on them.

    This recomputes scores, publishes the leaderboard again if it is published, writes an entry of
    the audit trail, and notifies candidates whose score has changed.
    """
    changed = scoring.correct(work, exam.id, wanted)
    if exam.published_at is not None:
        publishing.publish_exams(work, {exam.id})
    audit.record(work, action, subject=f"exam {exam.id}", new=_recorded(regrade))
    scoring.emit_corrections(work, exam.id, changed)
    # Candidates who can't see their score yet never see the wrong score, so they are not notified.
    if visibility.can_be_seen(work, exam.id):
        work.emit(Notify(work, changed, Message("Your score has changed"), message))


def _candidates(chosen: set[Choice]) -> list[UUID]:
    return sorted({candidate_id for *_, candidate_id in chosen})


def _recorded(regrade: Regrade) -> dict[str, object]:
    return {"regrade": regrade.id, "changes": regrade.changes, "reason": regrade.reason}
