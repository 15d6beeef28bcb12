from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Select, select

from competition.core.audit import AuditEntry
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.users.models import User
from competition.core.work import Work

ORDERING = {"created_at": AuditEntry.created_at, "action": AuditEntry.action}


def page_of_entries(work: Work, query: Query) -> Page[AuditEntry]:
    return paginate(
        work,
        found_entries(query, [AuditEntry]),
        query,
        key=AuditEntry.id,
        created=AuditEntry.created_at,
        ordering=ORDERING,
    )


def found_entries(query: Query, columns: Sequence[Any]) -> Select[Any]:
    """SELECT of these columns, with one row per entry that matches the filters of the query."""
    statement = select(*columns).select_from(AuditEntry)
    if query["action"]:
        statement = statement.where(AuditEntry.action == query["action"])
    if query["actor_id"]:
        statement = statement.where(AuditEntry.actor_id == query["actor_id"])
    if query["target_id"]:
        statement = statement.where(AuditEntry.target_id == query["target_id"])
    text = AuditEntry.action + " " + AuditEntry.subject
    return statement.where(*contains_every_word(query["search"], text))


def names(work: Work, entries: Iterable[AuditEntry]) -> dict[UUID, str]:
    """The names of the actors and targets of these entries, without erased accounts."""
    ids = {id for entry in entries for id in (entry.actor_id, entry.target_id) if id is not None}
    found = select(User.id, User.first_name, User.last_name).where(User.id.in_(ids))
    return {id: f"{first} {last}" for id, first, last in work.db.execute(found)}
