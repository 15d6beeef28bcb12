"""Slots in the replies about taking an exam, for the fields of other plugins."""

from uuid import UUID

from competition.core.slots import Slot

# Fields of an opened paper; the key is the exam's id. The caller is the candidate who is taking the
# exam.
PAPER = Slot[int]("sittings.paper")
# Fields of the clock of an exam; the key is the exam's id. The caller is a candidate, who need not
# have started.
TIME = Slot[int]("sittings.time")
# Fields of an attempt; the key is the ids of exam and candidate. Keys of candidates who have not
# started are included.
ATTEMPT = Slot[tuple[int, UUID]]("sittings.attempt")
# Fields of the reply to a submission; the key is the ids of exam and candidate.
SUBMISSION = Slot[tuple[int, UUID]]("sittings.submission")
