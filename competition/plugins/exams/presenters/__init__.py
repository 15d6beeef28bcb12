"""Replies about exams, and the slot that other plugins fill in them."""

from competition.core.slots import Slot

# Fields that other plugins add to an exam; the key is its id.
EXAM = Slot[int]("exams.exam")
# Fields that other plugins add to an exam in the list of a question's exams; the key is the ids of
# the exam and the question.
EXAM_OF_QUESTION = Slot[tuple[int, int]]("exams.exam_of_question")
