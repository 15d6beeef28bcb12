"""The plan by which candidates advance. It can't be changed after the first start."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import CallFailed, DemoError
from tools.demo.exams import Exam
from tools.demo.ranking import Row

PERCENT = 50


def plan(admin: Client, screening: Exam) -> int:
    """Create a plan by which the better half of the screening advances, and all candidates tied at
    the cut-off. Returns its id."""
    made = admin.post(
        "/advancement/",
        {
            "from_stage": "screening",
            "to_stage": "league",
            "exams": [screening.id],
            "rule": {"percent": PERCENT},
            "ties": "in",
        },
    )
    return int(made["id"])


def check_frozen(admin: Client, plan_id: int) -> None:
    """Check that the plan can no longer be changed. Raises DemoError if it can."""
    try:
        admin.patch(f"/advancement/{plan_id}/", {"ties": "out"})
    except CallFailed as refusal:
        if refusal.code != "plan_frozen":
            raise
    else:
        raise DemoError(f"Plan {plan_id} could be changed after the first start.")


def preview(admin: Client, plan_id: int) -> Mapping[str, Any]:
    """The first page of the plan's preview, with the totals of all pages."""
    return dict(admin.get(f"/advancement/{plan_id}/preview/"))


def apply(
    admin: Client, plan_id: int, rows: Sequence[Row], candidates: Sequence[Candidate]
) -> list[Candidate]:
    """Apply the plan, and return the candidates who advance, the best first.

    Raises DemoError if the service advances a different number than the ranks in `rows` imply.
    """
    last = rows[ceil(len(rows) * PERCENT / 100) - 1]
    advance = [row.user_id for row in rows if row.score >= last.score]
    moved = admin.post(f"/advancement/{plan_id}/apply/")["advanced"]
    if moved != len(advance):
        raise DemoError(f"{moved} candidates advance by plan {plan_id}; expected: {len(advance)}.")
    by_id = {candidate.id: candidate for candidate in candidates}
    return [by_id[user_id] for user_id in advance]
