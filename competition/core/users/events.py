"""Events about accounts."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from competition.core.work import Work

Credential = Literal["password", "second_factor"]


@dataclass(frozen=True)
class AccountChanging:
    """Fields of an account are about to be changed. The account is locked, and still has its old
    values.

    The event is emitted even if no value differs from the old value. If a subscriber removes a
    field from `values`, the field is not changed. A subscriber does so to change the field later
    itself, for example after a manager has approved the change.
    """

    work: Work
    user_id: UUID
    values: dict[str, Any]


@dataclass(frozen=True)
class SchoolChanged:
    """A locked candidate now has another school that counts for the rules
    (`Candidate.counted_school`)."""

    work: Work
    user_id: UUID


@dataclass(frozen=True)
class SchoolsRenamed:
    """A school has another name, because it was renamed or merged with other schools.

    `keys` are the keys (`name_key`) of all names that the school had, and `name` is its name now.
    The rows of candidates have been updated. Subscribers rename the school in the rows of their own
    plugin. They can store the number of changed rows in `counts` under a name such as "allowances";
    previews show these numbers.
    """

    work: Work
    keys: Collection[str]
    name: str
    counts: dict[str, int]


@dataclass(frozen=True)
class AccountActivated:
    """A deactivated account was activated again."""

    work: Work
    user_id: UUID


@dataclass(frozen=True)
class AccountDeactivated:
    """An account was deactivated, and its sessions have ended."""

    work: Work
    user_id: UUID


@dataclass(frozen=True)
class AccountErasing:
    """An account is about to be locked, to erase all personal data of the user.

    If your plugin copies personal data under a lock that it takes before it locks accounts, take
    that lock here, so that no copy is written during the erasure. Delete nothing: the event may be
    emitted more than once, and the erasure may be cancelled after it. Delete in the function with
    `@personal_data`.
    """

    work: Work
    user_id: UUID


@dataclass(frozen=True)
class AccountErased:
    """The personal data of a user was erased. The account's row stays, because results refer to
    it."""

    work: Work
    user_id: UUID


@dataclass(frozen=True)
class IdentitiesVouched:
    """Staff have vouched for the identities of these users. The identities are now approved without
    a decision on documents. `pending` are the ids of the users whose documents were waiting for a
    decision."""

    work: Work
    user_ids: Collection[UUID]
    pending: Collection[UUID]


@dataclass(frozen=True)
class CredentialsChanged:
    """The password or the second factor of an account was changed, possibly not by its owner."""

    work: Work
    user_id: UUID
    credential: Credential
