"""Accounts as their owners and managers see them, and the replies to changes and invitations."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NotRequired, TypedDict

from competition.core.messages import Message
from competition.core.slots import Contributed, spread
from competition.core.users.credentials import AuthSession
from competition.core.users.models import Candidate, Staff, User
from competition.core.users.profiles import (
    CandidateProfile,
    DocumentLinks,
    StaffProfile,
    candidate_profile,
    staff_profile,
)
from competition.core.work import Work
from competition.plugins.people.offered_slots import CANDIDATE_ACCOUNT, DEACTIVATION


class CandidateAccount(CandidateProfile):
    contributed: NotRequired[Annotated[Contributed, CANDIDATE_ACCOUNT]]


class Account(TypedDict):
    profile: CandidateAccount | StaffProfile


class ChangedAccount(Account):
    message: str


class EndingSession(TypedDict):
    """A login that would end. `device` is null if it is not known."""

    device: str | None
    created_at: datetime
    refreshed_at: datetime


class DeactivationPreview(TypedDict):
    """The sessions and other activities, such as running exams, that deactivating an account would
    interrupt now. The user can't log in until the account is activated again, and candidates are
    left out of all leaderboards that are published until then."""

    sessions: list[EndingSession]
    contributed: NotRequired[Annotated[Contributed, DEACTIVATION]]


class InvitationReceipt(TypedDict):
    message: str


def account(work: Work, user: User, links: DocumentLinks) -> Account:
    return Account(profile=_account(work, user, links))


def changed_account(
    work: Work, user: User, links: DocumentLinks, held_back: Sequence[str] = ()
) -> ChangedAccount:
    message = Message("The account has been updated.")
    if held_back:
        message = Message(
            "A manager has to approve these changes: ${fields}. Everything else has been updated.",
            fields=list(held_back),
        )
    return ChangedAccount(message=message, profile=_account(work, user, links))


def deactivation_preview(
    work: Work, user: User, sessions: Sequence[AuthSession]
) -> DeactivationPreview:
    [contributed] = DEACTIVATION.load(work, [user.id])
    ending = [
        EndingSession(
            device=each.device, created_at=each.created_at, refreshed_at=each.refreshed_at
        )
        for each in sessions
    ]
    return spread(DeactivationPreview(sessions=ending, contributed=contributed))


def _account(work: Work, user: User, links: DocumentLinks) -> CandidateAccount | StaffProfile:
    if isinstance(user, Candidate):
        [contributed] = CANDIDATE_ACCOUNT.load(work, [user.id])
        profile = candidate_profile(work, user, links)
        return spread(CandidateAccount(**profile, contributed=contributed))
    assert isinstance(user, Staff)
    return staff_profile(work, user, links)
