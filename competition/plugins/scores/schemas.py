import re
from typing import Any

import colander

from competition.core.messages import Message
from competition.core.schemas import Boolean, Number, Schema, Text, Timestamp, drop, node
from competition.core.web.importing import NamedCandidate
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.exams.models import LONGEST_PAPER
from competition.plugins.scores.services.statistics.exam import RESULTS_ORDERING

# The words that tables have instead of a score if a candidate was absent.
ABSENT = ("abs", "absent", "absente", "-")
# A number as people write it. Python reads more as a number, such as "1e1" and "1_0". A spreadsheet
# may have calculated a very small number, such as "1e-14".
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e-\d+)?")


class ManualScore(Schema):
    # A string, so that a malformed id gets the same error as an unknown id (decisions G24).
    candidate_id = node(Text(0, 100))
    score = node(Number(0, 100))


class ScoreFilters(ListQuery):
    ordering = ordered_by(RESULTS_ORDERING)
    search = searched("name, email and school")


class ScoreCell(Number):
    """A score in a table: a number with a point or a comma, with or without a percent sign. A word
    for an absent candidate counts as an empty cell."""

    def read(self, node: colander.SchemaNode, value: Any) -> Any:
        text = (
            value.strip().removesuffix("%").replace(",", ".") if isinstance(value, str) else value
        )
        if isinstance(text, str) and text.casefold().rstrip(".") in ABSENT:
            return colander.drop
        if not isinstance(text, str) or not DECIMAL.fullmatch(text.strip()):
            raise colander.Invalid(
                node,
                Message(
                    "Write only a number from 0 to 100, such as 87.5, or abs for an absent"
                    " candidate."
                ),
            )
        return super().read(node, float(text))


class ScoreRow(NamedCandidate):
    score = node(
        ScoreCell(0, 100),
        missing=drop,
        column_required=True,
        headers=("Points", "Mark", "Marks", "Percent", "Score (%)", "Note"),
        example="87.5",
        description="From 0 to 100. Empty or `absent`: nothing changes.",
    )


class AnswersRow(NamedCandidate):
    answers = node(
        Text(1, LONGEST_PAPER),
        missing=drop,
        column_required=True,
        headers=("Answers", "Réponses"),
        example="ABCD-",
        description="One character per question, in the order of the paper: A to D, or - for none."
        " Columns named 1, 2, 3 and so on can take its place.",
    )
    submitted_at = node(
        Timestamp(),
        missing=drop,
        headers=("Submitted at", "Handed in at", "Remis à"),
        description="When the candidate submitted the answers. Without this column, the time when"
        " the exam ended.",
    )


class ResultQuery(Schema):
    absent = node(
        Boolean(),
        missing=False,
        description="true: only candidates who can take the exam but have not started it. If the"
        " season is closed: who could take it at the season's end.",
    )
