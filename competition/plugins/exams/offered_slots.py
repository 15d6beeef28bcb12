"""Slots of the replies about exams: places for the fields of other plugins."""

from competition.core.slots import Slot

# Fields of an exam; the key is its id.
EXAM = Slot[int]("exams.exam")
# Fields of an exam in the list of a question's exams; the key is the pair of the exam's id and the
# question's id.
EXAM_OF_QUESTION = Slot[tuple[int, int]]("exams.exam_of_question")
