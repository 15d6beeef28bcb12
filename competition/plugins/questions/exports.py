"""The export of the question bank."""

from competition.core.exports import Table
from competition.core.lists import Query, in_period, order_of
from competition.core.work import Work
from competition.plugins.questions import services
from competition.plugins.questions.models import QUESTIONS

# The columns, whose names are headers that an import of questions reads.
NAMES = ("text", "option_a", "option_b", "option_c", "option_d", "correct_answer", "difficulty")


def questions(work: Work, query: Query) -> Table:
    """Export the questions of the bank.

    The filters are those of the list of questions. The formats `gift` and `moodle_xml` can be
    imported into Moodle, and back into the bank.
    """
    key, created = QUESTIONS.c.id, QUESTIONS.c.created_at
    columns = (*(QUESTIONS.c[name] for name in NAMES), key)
    found = services.found_questions(work, query, columns)
    return Table(
        found.where(*in_period(query, created)), order_of(query, key, created, services.ORDERING)
    )
