"""Slots in the replies about people, for the fields of other plugins."""

from uuid import UUID

from competition.core.slots import Slot

# Fields about a candidate, by user id: in the details for staff, and in the account. When the slots
# are filled, the session has already loaded the candidate.
CANDIDATE_DETAIL = Slot[UUID]("people.candidate_detail", ("allowances", "records"))
CANDIDATE_ACCOUNT = Slot[UUID]("people.candidate_account")
# Fields that show what deactivating an account would interrupt in addition to its sessions, by user
# id.
DEACTIVATION = Slot[UUID]("people.deactivation")
# Fields about the caller, in the caller's own profile, by user id.
OWN_CANDIDATE = Slot[UUID]("people.own_candidate")
