"""Export and erase a candidate's allowances, in particular their reasons."""

from typing import Any

from sqlalchemy import delete, update

from competition.core.messages import Message
from competition.core.users.models import User
from competition.core.users.personal_data import ERASED, personal_data
from competition.core.work import Work
from competition.plugins.allowances.models import Allowance
from competition.plugins.allowances.services import listing, percent
from competition.plugins.sittings.models import ExtraPercent


def export(work: Work, user: User) -> dict[str, Any]:
    """The percentage of extra time that the candidate gets in every exam, and their extra time in
    single exams, the latest first, with the reasons."""
    in_all = percent.of_candidate(work, user.id)
    return {
        "percent": in_all.percent,
        "reason": in_all.reason,
        "exams": [
            {
                "exam": row.exam_id,
                "extra_minutes": row.extra_minutes,
                "lost_from": row.lost_from,
                "lost_until": row.lost_until,
                "reason": row.reason,
                "given_at": row.created_at,
            }
            for row in listing.of_candidate(work, user.id)
        ],
    }


@personal_data(
    "allowances",
    export=export,
    kind="candidate",
    remains=Message("the extra time that you had in exams, without its reason"),
)
def erase(work: Work, user: User) -> None:
    """Erase the reasons of the candidate's allowances, and the percentage. The extra time in exams
    stays, because results depend on it."""
    work.db.execute(delete(ExtraPercent).where(ExtraPercent.candidate_id == user.id))
    work.db.execute(
        update(Allowance).where(Allowance.candidate_id == user.id).values(reason=ERASED),
        execution_options={"synchronize_session": False},
    )
