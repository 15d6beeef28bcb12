"""Apply a checked import, in one transaction.

The rows are checked again first, with locks. If applying a row would now have another effect than
the stored row shows, nothing is applied.
"""

from contextlib import suppress

from sqlalchemy import bindparam, update

from competition.core import audit
from competition.core.errors import Invalid, NotFound
from competition.core.imports import Asked, Row, Unreadable
from competition.core.jobs import jobs
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.work import Work
from competition.plugins.imports.models import Import, ImportRow
from competition.plugins.imports.services import asking, checking, rows


def ask(work: Work, found: Import, *, skips_invalid: bool, invite: bool) -> Import:
    """Enqueue the application of a locked import. An import that is being applied, or has been
    applied, stays as it is.

    Raises Invalid for an import that is not checked, or has invalid rows that are not to be
    skipped. Raises an error of access, such as PermissionDenied, if the caller may not import the
    kind, and SeasonClosed if the season of the import's exam is closed.
    """
    kind = asking.kind_named(work, found.kind)
    if found.status in ("applying", "applied"):
        return found
    if found.status != "checked":
        raise Invalid(
            Message(
                "Only an import that has been checked can be applied. Wait until the check"
                " is over, or send the file again."
            )
        )
    # Only SeasonClosed is reported now. If `admit` rejects the import for another reason, the job
    # that applies it marks it as failed.
    with suppress(Invalid, NotFound):
        asking.admit(work, kind, Asked(found.id, found.exam_id, frozenset(), scope=found.scope))
    invalid = found.counts.get("invalid", 0)
    if invalid and not skips_invalid:
        raise Invalid.field(
            "invalid",
            Message(
                "${count} lines have errors. Correct them and send the file again, or skip them.",
                count=invalid,
            ),
        )
    found.status = "applying"
    found.skips_invalid = skips_invalid
    found.invite = invite
    found.applied_by_id = work.identity.user_id
    jobs.enqueue(work, "imports.apply", import_id=found.id)
    work.db.flush()
    return found


def apply(work: Work, import_id: int) -> None:
    """Apply an import. Does nothing if its status is no longer `applying`.

    Raises Unreadable or an ApiError if it can't be applied; then nothing may be committed.
    """
    work.lock(seasons.LOCK)
    found = work.db.get(Import, import_id, with_for_update=True, populate_existing=True)
    if found is None or found.status != "applying":
        return
    kind = checking.kind_of(work, found)
    checking.act_for(work, found.applied_by_id, kind, found.scope)
    asked = Asked(
        found.id,
        found.exam_id,
        frozenset(found.columns.values()),
        invite=found.invite,
        is_applied=True,
        scope=found.scope,
    )
    if kind.admit is not None:
        kind.admit(work, asked)
    if kind.basis is not None and kind.basis(work, asked) != found.basis:
        raise Unreadable(
            Message(
                "Nothing was applied, because the exam's questions have changed since the check."
                " Please send the file again."
            )
        )
    stored = rows.stored(work, found)
    lines = [rows.line_of(each) for each in stored]
    applied: list[tuple[ImportRow, Row]] = []
    keys = [each.files for each in stored]
    for was, row in zip(stored, checking.checked(work, kind, asked, lines, keys), strict=True):
        if was.state == "invalid":
            continue
        if rows.is_outdated(was, row):
            raise Unreadable(
                Message(
                    "Nothing was applied, because line ${line} would now do something else than"
                    " when it was checked. Please send the file again.",
                    line=was.line,
                )
            )
        if row.state in ("new", "changed"):
            applied.append((was, row))
    kind.apply(work, asked, [row for _, row in applied])
    _store_accounts(work, applied)
    found.counts = {**found.counts, "applied": len(applied)}
    found.applied_at = work.now
    asking.end(work, found, "applied")
    audit.record(
        work,
        "import.apply",
        subject=rows.subject(found),
        new={"kind": found.kind, "exam": found.exam_id, "counts": found.counts},
    )


def _store_accounts(work: Work, applied: list[tuple[ImportRow, Row]]) -> None:
    """Store the id of the new account with each row that has created one."""
    created = [
        {"at": was.position, "account": row.user_id}
        for was, row in applied
        if row.user_id is not None and row.user_id != was.user_id
    ]
    if created:
        table = ImportRow.metadata.tables["import_row"]
        work.db.execute(
            update(table)
            .where(
                table.c.import_id == applied[0][0].import_id, table.c.position == bindparam("at")
            )
            .values(user_id=bindparam("account")),
            created,
        )
