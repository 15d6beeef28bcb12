"""Idempotent requests: they take effect only once, even if a client repeats them.

A client that did not get the reply sends its request again, with the same `Idempotency-Key`. The
key is stored as a row, in the transaction of the request. A repeated request waits for that
transaction, and gets the result of the first request.
"""

import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ForeignKey, String, delete
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base
from competition.core.errors import IdempotencyKeyReused
from competition.core.jobs.housekeeping import retention
from competition.core.work import Work

# How long a key is stored. A later repeat counts as a new request.
RETENTION = timedelta(days=7)


class RepeatableRequest(Base):
    """A request that was sent with an Idempotency-Key.

    `act` names the request, and `result` is its outcome. `key_hash` and `content_hash` are the
    SHA-256 hashes of the key and of the content.
    """

    __tablename__ = "repeatable_request"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    act: Mapped[str] = mapped_column(String(100), primary_key=True)
    key_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    content_hash: Mapped[str] = mapped_column(String(64))
    result: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(index=True)


def once(
    work: Work,
    act: str,
    key: str | None,
    content: Mapping[str, Any],
    do: Callable[[], Any],
) -> Any:
    """Call `do` and return its result, a JSON value such as an id. If the caller has sent the same
    request with this key before, return the result of that request instead.

    `act` names the action and its object, such as ``allowance.give 7``. Without a key, `do` is
    always called. Raises IdempotencyKeyReused if the content differs from the content of the first
    request.
    """
    if key is None:
        return do()
    content_hash = hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()
    row = RepeatableRequest
    identity = {
        "user_id": work.identity.user_id,
        "act": act,
        "key_hash": hashlib.sha256(key.encode()).hexdigest(),
    }
    is_first = work.db.scalar(
        insert(row)
        .values(**identity, content_hash=content_hash, created_at=work.now)
        .on_conflict_do_nothing()
        .returning(row.act)
    )
    stored = work.db.get_one(row, identity, populate_existing=True)
    if is_first is not None:
        stored.result = do()
        work.db.flush()
    elif stored.content_hash != content_hash:
        raise IdempotencyKeyReused
    return stored.result


def delete_of(work: Work, user_id: UUID) -> None:
    """Delete the requests of a user whose account is erased.

    An export of the user's data does not contain them, because they are mainly hashes, and are
    deleted after 7 days anyway.
    """
    work.db.execute(delete(RepeatableRequest).where(RepeatableRequest.user_id == user_id))


@retention("core.repeats")
def forget(work: Work) -> None:
    """Delete requests with an Idempotency-Key, with their results, after 7 days."""
    old = RepeatableRequest.created_at < work.now - RETENTION
    work.db.execute(delete(RepeatableRequest).where(old))
