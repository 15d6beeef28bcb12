"""The slot in the replies about questions, for the fields of other plugins."""

from competition.core.slots import Slot

# Fields of a question in the list of the bank; the key is its id.
QUESTION_IN_BANK = Slot[int]("questions.question_in_bank")
