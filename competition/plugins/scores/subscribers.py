from sqlalchemy import any_, select

from competition.core.database import uuids
from competition.core.errors import Invalid
from competition.core.events import subscriber
from competition.core.jobs import jobs
from competition.core.messages import Message
from competition.core.seasons.events import SeasonOpened, SeasonUndone
from competition.plugins.exams.models import Exam
from competition.plugins.notifications.events import Notify
from competition.plugins.scores.events import ScoresCorrected, ScoresRecorded
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import scoring, standings, visibility
from competition.plugins.sittings.events import (
    SubmissionsStored,
    SubmissionsWithdrawing,
    SubmissionsWithdrawn,
)


@subscriber(SubmissionsStored)
def score_stored_submissions(event: SubmissionsStored) -> None:
    """Enqueue a job that scores the submissions. Jobs for the same exam share a run.

    For a single submission the job names its candidate. Otherwise it scores all submissions of the
    exam that have no score yet.
    """
    work, exam_id = event.work, event.exam_id
    named = str(*event.candidate_ids) if len(event.candidate_ids) == 1 else None
    if event.candidate_ids:
        jobs.enqueue(work, "scores.score", key=str(exam_id), exam_id=exam_id, candidate_id=named)


@subscriber(SubmissionsWithdrawing)
def refuse_to_reopen_known_scores(event: SubmissionsWithdrawing) -> None:
    """Raise Invalid if a candidate's own submission is to be withdrawn, but the candidate can see
    its score. By changing answers and comparing the scores, the candidate could find out the right
    answers."""
    if event.is_own and visibility.any_seen(event.work, event.exam_id, event.candidate_ids):
        raise Invalid(
            Message(
                "The candidate can already see the score of this submission, so it can't be taken"
                " back."
            )
        )


@subscriber(SubmissionsWithdrawn)
def delete_scores_of_withdrawn_submissions(event: SubmissionsWithdrawn) -> None:
    scoring.unscore(event.work, event.exam_id, event.candidate_ids)


@subscriber(ScoresRecorded)
def notify_candidates(event: ScoresRecorded) -> None:
    """Notify candidates of a new score, unless they see it later than staff.

    Corrected scores are skipped: the plugin that corrects the answer key notifies the candidates.
    """
    work = event.work
    exam = work.db.get_one(Exam, event.exam_id)
    if not isinstance(event, ScoresCorrected) and not visibility.is_held_back(work, exam):
        see_it = (
            select(Score.candidate_id)
            .join(Exam, Exam.id == Score.exam_id)
            .where(
                Score.exam_id == exam.id,
                Score.candidate_id == any_(uuids(event.candidate_ids)),
                visibility.is_final(work.now),
            )
        )
        message = Message("You have a score in ${exam}.", exam=exam.title)
        subject = Message("Your score")
        work.emit(Notify(work, see_it, subject, message, about="scores"))


@subscriber(SeasonOpened)
def rank_the_new_season(event: SeasonOpened) -> None:
    """Recompute the live ranks, so that no rank of the closed season is shown."""
    standings.refresh(event.work)


@subscriber(SeasonUndone)
def rank_the_earlier_season(event: SeasonUndone) -> None:
    standings.refresh(event.work)
