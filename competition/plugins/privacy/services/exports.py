"""Export the data that is stored about a user, as a ZIP file with a temporary link."""

import shutil
import tempfile
from datetime import timedelta
from typing import IO
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.errors import Invalid, NotFound
from competition.core.jobs import jobs
from competition.core.jobs.housekeeping import retention
from competition.core.limits.acts import Act, count_act
from competition.core.limits.counters import parse_rates
from competition.core.mail import mails
from competition.core.messages import Message
from competition.core.storage import files
from competition.core.users import accounts, personal_data
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.privacy import PrivacySettings
from competition.plugins.privacy.models import Export

PLUGIN = "privacy"
# How many exports a user may request. Each is a long job, and its content seldom changes.
EXPORTS = parse_rates("3/day")
# Larger ZIP files are written to disk.
BYTES_IN_MEMORY = 4 * 1024 * 1024


def request(work: Work) -> None:
    """Enqueue an export for the actor, unless one is already enqueued.

    Raises Invalid if the actor's account has no email address for the link, and RateLimitExceeded
    if the actor has requested too many exports.
    """
    user_id = work.identity.user_id
    if not work.db.get_one(User, user_id).has_email:
        raise Invalid(
            Message(
                "Your account has no email address to which we could send the link. Ask the"
                " organisers for a copy of your data."
            )
        )
    count_act(work, Act("privacy.export", str(user_id), of_account=EXPORTS))
    asked = (
        insert(Export)
        .values(user_id=user_id, requested_at=work.now, session_id=work.identity.session_id)
        .on_conflict_do_nothing(index_elements=["user_id"], index_where=Export.ready_at.is_(None))
    )
    export_id = work.db.scalar(asked.returning(Export.id))
    if export_id is not None:
        jobs.enqueue(work, "privacy.export", export_id=str(export_id))


def make(work: Work, export_id: UUID) -> None:
    """Create the ZIP file, and email its link.

    Does nothing if the export is ready, or has been deleted with its account. Raises
    StorageUnavailable if the storage fails.
    """
    user_id = work.db.scalar(select(Export.user_id).where(Export.id == export_id))
    if user_id is None:
        return
    # Lock the account before the export, in the order in which an erasure locks them.
    user = accounts.locked(work, User, user_id)
    export = work.db.get(Export, export_id, with_for_update=True)
    if export is None or export.ready_at is not None:
        return
    with tempfile.SpooledTemporaryFile(BYTES_IN_MEMORY) as archive:
        _write(work, user, archive)
        export.file = files.store(
            work,
            archive,
            "zip",
            plugin=PLUGIN,
            subject=files.of_user(user.id),
            name="personal-data",
        )
    export.ready_at = work.now
    mails.send(work, "privacy.export_ready", user.email, export_id=str(export.id))


def _write(work: Work, user: User, archive: IO[bytes]) -> None:
    """Write a ZIP file with ``data.json``, which has one entry per declaration of `@personal_data`,
    and the files that belong to the account, except earlier exports."""
    data = msgspec.json.encode(personal_data.export(work, user.id))
    with ZipFile(archive, "w", ZIP_DEFLATED) as zipped:
        zipped.writestr("data.json", msgspec.json.format(data, indent=2))
        for file in files.files_of(work, files.of_user(user.id)):
            if file.plugin == PLUGIN:
                continue
            try:
                content = files.open(work, file.key)
            except NotFound:
                continue
            with content, zipped.open(f"files/{file.key}", "w") as copy:
                shutil.copyfileobj(content, copy)


def link(work: Work, export_id: UUID) -> str | None:
    """A link to the ZIP file, valid until the file is deleted, or the session that requested the
    export ends. None if the file or the session has been deleted."""
    export = work.db.get(Export, export_id)
    if export is None or export.file is None or export.ready_at is None:
        return None
    seconds = int((export.ready_at + _lifetime(work) - work.now).total_seconds())
    if export.session_id is None or seconds <= 0:
        return None
    return files.session_link(work, export.file, export.session_id, seconds=seconds)


def withheld(work: Work, export_id: UUID) -> list[Message]:
    """The names of the data that the ZIP file leaves out. Raises NoResultFound if the export has
    been deleted."""
    user_id = work.db.get_one(Export, export_id).user_id
    return personal_data.withheld(work, work.db.get_one(User, user_id))


@retention("privacy.exports")
def delete_expired(work: Work) -> None:
    """Delete exports, and their files, when `export_hours` have passed since they were ready."""
    old = delete(Export).where(Export.ready_at <= work.now - _lifetime(work)).returning(Export.file)
    files.delete(work, *filter(None, work.db.scalars(old).all()))


def _lifetime(work: Work) -> timedelta:
    return timedelta(hours=work.settings[PrivacySettings].export_hours)
