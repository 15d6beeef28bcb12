from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.work import Work

ORDERING = {"created_at": AuditEntry.created_at, "action": AuditEntry.action}


def page_of_entries(work: Work, query: Query) -> Page[AuditEntry]:
    statement = select(AuditEntry)
    if query["action"]:
        statement = statement.where(AuditEntry.action == query["action"])
    if query["actor_id"]:
        statement = statement.where(AuditEntry.actor_id == query["actor_id"])
    if query["target_id"]:
        statement = statement.where(AuditEntry.target_id == query["target_id"])
    text = AuditEntry.action + " " + AuditEntry.subject
    statement = statement.where(*contains_every_word(query["search"], text))
    return paginate(
        work,
        statement,
        query,
        key=AuditEntry.id,
        created=AuditEntry.created_at,
        ordering=ORDERING,
    )
