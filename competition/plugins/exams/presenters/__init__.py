"""Replies about exams, and the slot of other plugins in them."""

from competition.core.slots import Slot

# What plugins that depend on this one show of an exam, by its id.
EXAM = Slot[int]("exams.exam")
