"""Import the percentages by which candidates' countdowns are longer in every exam."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from sqlalchemy import any_, select

from competition.core.database import uuids
from competition.core.imports import LINE, Asked, Row
from competition.core.users import lookup
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.allowances.models import CandidateAllowance
from competition.plugins.allowances.services import percent
from competition.plugins.sittings.models import ExtraPercent


def check(work: Work, asked: Asked, rows: Sequence[Row]) -> Iterator[Row]:
    """Check rows of percentages: find the candidate of each row, and compare the row with the
    stored percentage. A second row of a candidate is an error.

    See `competition.core.imports.Check`.
    """
    accounts = lookup.of_rows(work, rows, lock=asked.is_applied)
    for row in rows:
        lookup.candidate(row, accounts)
    stored = _stored(work, [row.user_id for row in rows if row.user_id is not None])
    seen: dict[UUID, int] = {}
    for row in rows:
        if row.user_id is not None:
            if seen.setdefault(row.user_id, row.line.number) != row.line.number:
                lookup.twice(row, LINE, seen[row.user_id])
            elif row.user_id not in stored:
                row.state = "new"
            else:
                old = stored[row.user_id]
                row.change(old, {name: row.values[name] for name in old})
        yield row


def _stored(work: Work, ids: Sequence[UUID]) -> dict[UUID, dict[str, object]]:
    found = (
        select(ExtraPercent.candidate_id, ExtraPercent.percent, CandidateAllowance.reason)
        .join(CandidateAllowance, CandidateAllowance.candidate_id == ExtraPercent.candidate_id)
        .where(ExtraPercent.candidate_id == any_(uuids(ids)))
    )
    return {
        row.candidate_id: {"percent": row.percent, "reason": row.reason}
        for row in work.db.execute(found)
    }


def apply(work: Work, asked: Asked, rows: Sequence[Row]) -> None:
    """Set the percentages of the candidates in these rows. See `competition.core.imports.Apply`."""
    ids = {row.user_id: row for row in rows if row.user_id is not None}
    candidates = select(Candidate).where(Candidate.id == any_(uuids(ids))).order_by(Candidate.id)
    for candidate in work.db.scalars(candidates).all():
        values = ids[candidate.id].values
        percent.change(work, candidate, values["percent"], values["reason"])
