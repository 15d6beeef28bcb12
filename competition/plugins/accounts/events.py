from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from competition.core.auth.identity import Kind
from competition.core.work import Work


@dataclass(frozen=True)
class AccountRegistered:
    """An account was created, by registration or by invitation. Its email address is not verified
    yet. `contributed` has the values of the fields that plugins added to the registration body."""

    work: Work
    user_id: UUID
    kind: Kind
    contributed: Mapping[str, Any]


@dataclass(frozen=True)
class AccountsRegistered:
    """Staff have created several accounts of one kind together.

    This is emitted once, instead of an AccountRegistered for each of them. `contributed` has the
    values for other plugins, such as the name of a guardian, by the account's id.
    """

    work: Work
    kind: Kind
    contributed: Mapping[UUID, Mapping[str, Any]]


@dataclass(frozen=True)
class EmailProven:
    """The email address of an account was verified."""

    work: Work
    user_id: UUID


@dataclass
class InvitationPreparing:
    """The email that invites a member of staff is being prepared, also when it is sent again.

    A plugin with teachers sets `school` to the name of the school whose teacher the user is.
    """

    work: Work
    user_id: UUID
    school: str | None = None
