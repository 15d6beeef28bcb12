"""Accounts that may belong to the same person as another account, as a hint for reviewers."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Row,
    Select,
    Text,
    cast,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import aliased

from competition.core.audit import ERASED_DOMAIN
from competition.core.storage.models import File
from competition.core.users.models import DOCUMENTS, User
from competition.core.work import Work
from competition.plugins.verification.models import LIKENESSES, Likeness
from competition.plugins.verification.presenters import SimilarAccount

# How many accounts are found for each reason. More would not help a reviewer, and all pupils of a
# school may have given its phone number.
MOST = 10

OWN = User.__table__.alias("own")
OTHER = User.__table__.alias("other")


def similar_accounts(work: Work, user_ids: Collection[UUID]) -> dict[UUID, list[SimilarAccount]]:
    """For each of these accounts, the other accounts with the same phone number, the same name
    and school, or a copy of one of its identity documents. Erased accounts are left out.

    This runs one statement for any number of accounts.
    """
    same_name = [
        *(
            func.search_key(OTHER.c[name]) == func.search_key(OWN.c[name])
            for name in ("first_name", "last_name")
        ),
        OTHER.c.school_key == OWN.c.school_key,
    ]
    statement = union_all(
        _pairs("phone", user_ids, OTHER.c.phone == OWN.c.phone, OTHER.c.phone != ""),
        _pairs("name_and_school", user_ids, *same_name, OTHER.c.school.is_not(None)),
        _pairs_by_document(user_ids),
    )
    found: dict[UUID, dict[UUID, SimilarAccount]] = {user_id: {} for user_id in user_ids}
    rows = work.db.execute(statement).all()
    for own_id, other_id, full_name, reason in sorted(rows, key=_order):
        new = SimilarAccount(id=other_id, full_name=full_name, reasons=[])
        found[own_id].setdefault(other_id, new)["reasons"].append(reason)
    return {user_id: [*accounts.values()] for user_id, accounts in found.items()}


def _order(row: Row[*tuple[Any, ...]]) -> tuple[str, UUID, int]:
    _, other_id, full_name, reason = row
    return full_name, other_id, LIKENESSES.index(reason)


def _pairs(
    reason: Likeness, user_ids: Collection[UUID], *conditions: ColumnElement[bool]
) -> Select[*tuple[Any, ...]]:
    """SELECT of the pairs of one of these accounts and another account, with one row per pair. For
    each account, the first `MOST` others for which the conditions hold are found."""
    others = (
        select(OTHER.c.id, OTHER.c.first_name, OTHER.c.last_name)
        .where(*conditions, OTHER.c.id != OWN.c.id, _is_not_erased(OTHER))
        .order_by(OTHER.c.id)
        .limit(MOST)
        .correlate(OWN)
        .lateral()
    )
    return (
        select(OWN.c.id, others.c.id, _full_name(others), literal(reason))
        .select_from(OWN)
        .join(others, true())
        .where(OWN.c.id.in_(user_ids))
    )


def _pairs_by_document(user_ids: Collection[UUID]) -> Select[*tuple[Any, ...]]:
    """SELECT of the pairs of one of these accounts and another account that has a copy of one of
    its documents, with one row per pair. For each document, up to `MOST` copies are found."""
    mine, copy = aliased(File), aliased(File)
    copies = (
        select(copy.key)
        .where(copy.digest == mine.digest, copy.subject != mine.subject)
        .order_by(copy.key)
        .limit(MOST)
        .correlate(mine)
        .lateral()
    )
    return (
        select(OWN.c.id, OTHER.c.id, _full_name(OTHER), literal("document"))
        .distinct()
        .select_from(OWN)
        .join(mine, mine.key.in_([OWN.c[name] for name in DOCUMENTS]))
        .join(copies, true())
        .join(OTHER, or_(*(OTHER.c[name] == copies.c.key for name in DOCUMENTS)))
        .where(OWN.c.id.in_(user_ids), OTHER.c.id != OWN.c.id, _is_not_erased(OTHER))
    )


def _full_name(account: FromClause) -> ColumnElement[str]:
    return cast(account.c.first_name + " " + account.c.last_name, Text)


def _is_not_erased(account: FromClause) -> ColumnElement[bool]:
    return account.c.email.not_like(f"%@{ERASED_DOMAIN}")
