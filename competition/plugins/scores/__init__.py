"""Scores, computed from the answers or given by staff, and the statistics of candidates and exams.

In `services`, `scoring` computes scores, `by_hand` stores those given by staff, and `visibility`
decides when candidates see theirs. `keys` has the current answer key, `ending` seals and scores
exams, `standings` computes live ranks, and `statistics` the numbers of a candidate, an exam and
the season. `records` has the exams that a candidate has taken, missed, or can still take. `slots`
adds scores and records to the replies of other plugins.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff
from competition.core.settings import setting

REQUIRES = ("sittings",)
# When candidates see their own scores; staff see them at once. `at_once` is an older name of
# `immediately`.
IMMEDIATELY, AT_CONCLUSION, AT_PUBLICATION = "immediately", "at_conclusion", "at_publication"
VISIBLE = (IMMEDIATELY, AT_CONCLUSION, AT_PUBLICATION, "at_once")


@dataclass(frozen=True, kw_only=True)
class ScoreSettings:
    """Settings of scores. `visible`: when candidates see their own scores in exams that have no
    `scores_visible` of their own (decisions G25)."""

    prefix: ClassVar[str] = "competition.scores"
    visible: str = setting(IMMEDIATELY, choices=VISIBLE, decide=True, on_pages=True)


SETTINGS = ScoreSettings


def includeme(config: Configurator) -> None:
    config.add_examples(
        candidate_name="Emmy Noether",
        candidate_school="Hillside School",
        score_submitted_by="Auto Score",
        auto_score=True,
        enrollment="not_done",
    )
    for kind, row in (("scores", "ScoreRow"), ("answers", "AnswersRow")):
        config.add_import(
            kind,
            access=staff(StaffRole.ADMIN),
            row=f".schemas.{row}",
            check=f".services.importing.{kind}.check",
            apply=f".services.importing.{kind}.apply",
            admit=f".services.importing.{kind}.admit",
            basis=".services.importing.answers.basis" if kind == "answers" else None,
            exam="required",
            numbered="answers" if kind == "answers" else "",
            one_of=("candidate_id", "email", "external_id"),
            # A candidate's data export leaves out imported scores, because the candidate may not
            # see them before the exam is published.
            withheld=("score",) if kind == "scores" else (),
        )
    config.add_export(
        "results",
        "/exports/exams/{exam_id:int}/results/",
        ".exports.results",
        access=staff(StaffRole.ADMIN),
        query=".schemas.ResultQuery",
        guard="competition.plugins.exams.services.rows.get",
        by_school=True,
    )
    config.add_export(
        "answer_sheet",
        "/exports/exams/{exam_id:int}/answer-sheet/",
        ".exports.answer_sheet",
        access=staff(StaffRole.ADMIN),
        guard="competition.plugins.exams.services.rows.get",
        by_school=True,
    )
    config.scan()
