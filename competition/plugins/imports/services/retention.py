"""Delete old rows of imports. Export and erase the rows about a person."""

from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, or_, select

from competition.core.imports import ImportKind
from competition.core.jobs.housekeeping import retention
from competition.core.storage import files
from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.imports import ImportSettings
from competition.plugins.imports.models import Import, ImportRow
from competition.plugins.imports.services import asking, rows


@retention("imports.rows")
def forget(work: Work) -> None:
    """Cancel imports that nobody has applied within `cancelled_days`, and delete the rows of
    imports that ended `rows_days` ago."""
    settings = work.settings[ImportSettings]
    unused = work.now - timedelta(days=settings.cancelled_days)
    forgotten = (
        select(Import)
        .where(Import.status == "checked", Import.checked_at <= unused)
        .with_for_update(skip_locked=True)
    )
    for each in work.db.scalars(forgotten).all():
        asking.end(work, each, "cancelled")
    old = work.now - timedelta(days=settings.rows_days)
    ended = select(Import).where(
        Import.ended_at <= old, Import.id.in_(select(ImportRow.import_id).distinct())
    )
    for each in work.db.scalars(ended).all():
        rows.delete_of(work, each)


def _is_about(user: User) -> ColumnElement[bool]:
    return or_(ImportRow.user_id == user.id, ImportRow.values["email"].astext == user.email)


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The lines of imports about a user, without fields that the user may not see. If the plugin of
    a kind is disabled, it is not known which fields to withhold, so all of them are withheld."""
    kinds = work.runtime.catalogue[ImportKind]

    def shown(kind: str, values: dict[str, Any]) -> dict[str, Any]:
        hidden = kinds[kind].withheld if kind in kinds else [*values]
        return {name: value for name, value in values.items() if name not in hidden}

    found = work.db.execute(
        select(Import.kind, Import.created_at, ImportRow.values, ImportRow.before)
        .join(Import, Import.id == ImportRow.import_id)
        .where(_is_about(user))
        .order_by(ImportRow.import_id, ImportRow.position)
    )
    return [
        {
            "kind": each.kind,
            "created_at": each.created_at,
            "values": shown(each.kind, each[2]),
            "before": shown(each.kind, each.before),
        }
        for each in found
    ]


@personal_data("imports", export=export)
def erase(work: Work, user: User) -> None:
    """Delete the lines of imports about the user, and the files of these lines."""
    keys = work.db.scalars(delete(ImportRow).where(_is_about(user)).returning(ImportRow.files))
    files.delete(work, *(key for each in keys for key in each.values()))
