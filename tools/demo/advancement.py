"""The rule by which candidates advance, fixed before the first start."""

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
    """The better half of the screening advances, equals at the cut too; the plan's id."""
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
    """Raises DemoError when the rule can still be changed."""
    try:
        admin.patch(f"/advancement/{plan_id}/", {"ties": "out"})
    except CallFailed as refusal:
        if refusal.code != "plan_frozen":
            raise
    else:
        raise DemoError(f"Plan {plan_id} could be changed after the first start.")


def preview(admin: Client, plan_id: int) -> Mapping[str, Any]:
    """Its first page, with what is of all pages."""
    return dict(admin.get(f"/advancement/{plan_id}/preview/"))


def apply(
    admin: Client, plan_id: int, rows: Sequence[Row], candidates: Sequence[Candidate]
) -> list[Candidate]:
    """Who advances by the plan, the best first. Raises DemoError when the service moves others than
    the ranks in `rows` say."""
    last = rows[ceil(len(rows) * PERCENT / 100) - 1]
    advance = [row.user_id for row in rows if row.score >= last.score]
    moved = admin.post(f"/advancement/{plan_id}/apply/")["advanced"]
    if moved != len(advance):
        raise DemoError(f"{moved} advance by plan {plan_id}; they have to be {len(advance)}.")
    by_id = {candidate.id: candidate for candidate in candidates}
    return [by_id[user_id] for user_id in advance]
