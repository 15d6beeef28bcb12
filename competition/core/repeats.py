"""Requests of a user that take effect once, however often they are sent.

A client that loses a reply sends its request again, with the same `Idempotency-Key`. The key is a
row, written in the transaction of what the request does: a repeat waits for that transaction, and
gets its result.
"""

import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from pyramid.config import Configurator
from sqlalchemy import ForeignKey, Index, String, delete
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base
from competition.core.errors import IdempotencyKeyReused
from competition.core.jobs.housekeeping import retention
from competition.core.work import Work

# A repeat that comes later is a request of its own.
KEPT = timedelta(days=7)


class RepeatableRequest(Base):
    """A request that was sent with an Idempotency-Key. `act` says what was requested, `result` what
    came of it; the two hashes are SHA-256, of the key and of what the request contained."""

    __tablename__ = "repeatable_request"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    act: Mapped[str] = mapped_column(String(100), primary_key=True)
    key_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    content_hash: Mapped[str] = mapped_column(String(64))
    result: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    created_at: Mapped[datetime]

    __table_args__ = (Index("ix_repeatable_request_created_at", "created_at"),)


def once(
    work: Work,
    act: str,
    key: str | None,
    content: Mapping[str, Any],
    do: Callable[[], Any],
) -> Any:
    """What `do` returns, a JSON value such as an id. If the caller has sent the same request under
    this key before, `do` is not called, and this is what it returned then.

    `act` names what is requested, and of which object, such as ``allowance.give 7``. Raises
    IdempotencyKeyReused if the content differs from that of the first request.
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
    kept = work.db.get_one(row, identity, populate_existing=True)
    if is_first is not None:
        kept.result = do()
        work.db.flush()
    elif kept.content_hash != content_hash:
        raise IdempotencyKeyReused
    return kept.result


@retention("core.repeats")
def forget(work: Work) -> None:
    old = RepeatableRequest.created_at < work.now - KEPT
    work.db.execute(delete(RepeatableRequest).where(old))


def includeme(config: Configurator) -> None:
    config.scan(__name__)
