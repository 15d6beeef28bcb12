"""Replies about exams, and the slot that other plugins fill in them."""

from competition.core.slots import Slot

# Fields that other plugins add to an exam; the key is its id.
EXAM = Slot[int]("exams.exam")
