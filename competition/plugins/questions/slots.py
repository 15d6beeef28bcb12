"""Fill the slot for the totals of the season with the size of the question bank."""

from collections.abc import Collection

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.offered_slots import SEASON_NUMBERS
from competition.plugins.questions.presenters import QuestionNumbers, question_numbers
from competition.plugins.questions.services import bank_counts


@fill_slot(SEASON_NUMBERS, "questions")
def size_of_bank(work: Work, keys: Collection[str]) -> dict[str, QuestionNumbers]:
    return dict.fromkeys(keys, question_numbers(bank_counts(work)))
