"""Replies about people, and the slots of other plugins in them."""

from uuid import UUID

from competition.core.slots import Slot

# What plugins above show of a candidate, by the user's id: to staff, and in the account. Who is
# shown has been loaded.
CANDIDATE_DETAIL = Slot[UUID]("people.candidate_detail")
CANDIDATE_ACCOUNT = Slot[UUID]("people.candidate_account")
