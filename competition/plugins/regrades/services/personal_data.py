"""Export a candidate's data in regrades. After an erasure, the data stays, without a name."""

from typing import Any

from sqlalchemy import select

from competition.core.messages import Message
from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.regrades.models import Difference, Regrade
from competition.plugins.scores.services import visibility


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The user's scores that regrades have changed, the earliest regrade first.

    Only exams whose scores candidates can already see are included.
    """
    is_shown = visibility.shown_to("candidates", visibility.now(work))
    found = work.db.execute(
        select(
            Regrade.exam_id,
            Regrade.status,
            Regrade.reason,
            Difference.score_before,
            Difference.score_after,
        )
        .join(Regrade, Regrade.id == Difference.regrade_id)
        .join(Exam, Exam.id == Regrade.exam_id)
        .where(Difference.candidate_id == user.id, Regrade.status != "preview")
        .where(is_shown)
        .order_by(Regrade.id)
    )
    return [dict(row._mapping) for row in found]


@personal_data(
    "regrades",
    export=export,
    kind="candidate",
    withheld=Message("changes of scores, until candidates can see the scores"),
    remains=Message("changes of your scores by regrades"),
)
def erase(work: Work, user: User) -> None:
    """Do nothing: like the scores, the differences stay, linked to the anonymised account."""
