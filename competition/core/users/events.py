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
    field from `values`, the field is not changed, and the subscriber is responsible for it.
    """

    work: Work
    user_id: UUID
    values: dict[str, Any]


@dataclass(frozen=True)
class SchoolChanged:
    """The school that counts for a locked candidate was changed to another school."""

    work: Work
    user_id: UUID


@dataclass(frozen=True)
class SchoolsRenamed:
    """A school has another name, because it was renamed or merged with other schools.

    `keys` are the keys of all names that the school had, and `name` is its name now. The rows of
    candidates have been updated. Subscribers rename the school in their own rows. For a preview,
    they add the number of rows that they have changed to `counts`, by a name for this kind of rows.
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
    """Staff have approved the identities of these users on their own word, without documents or
    before deciding on them. `pending` are those whose documents were waiting for a decision."""

    work: Work
    user_ids: Collection[UUID]
    pending: Collection[UUID]


@dataclass(frozen=True)
class CredentialsChanged:
    """The password or the second factor of an account was changed, possibly not by its owner."""

    work: Work
    user_id: UUID
    credential: Credential
