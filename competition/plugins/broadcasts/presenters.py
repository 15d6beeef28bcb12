from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NotRequired, TypedDict

from competition.core.auth.access import CandidateRole, StaffRole
from competition.core.auth.identity import Kind
from competition.core.lists import Page, Pagination
from competition.core.messages import Message
from competition.core.users.profiles import (
    StaffProfile,
    staff_profile,
)
from competition.core.work import Work
from competition.plugins.broadcasts import models
from competition.plugins.broadcasts.models import Medium, Status


class TargetRoles(TypedDict):
    staff: NotRequired[list[StaffRole]]
    candidate: NotRequired[list[CandidateRole]]


class BroadcastSummary(TypedDict):
    id: int
    subject: str
    message: str
    created_by: StaffProfile
    created_at: datetime
    mediums: list[Medium]
    target_roles: TargetRoles
    joined: bool | None


class BroadcastLog(TypedDict):
    id: int
    medium: Medium
    target_role: str
    role_type: Kind
    status: Literal["sent", "failed"]
    message: str
    attempted_at: datetime


class BroadcastProgress(TypedDict):
    """How many recipients have been notified, counted once per medium. Both numbers are 0 before
    the sending begins."""

    total: int
    done: int


class BroadcastMails(TypedDict):
    """The number of emails by state."""

    waiting: int
    sent: int
    failed: int


class Broadcast(BroadcastSummary):
    """A broadcast. `mails` is null if there are no emails: without the medium `email`, before the
    sending begins, and after their records have been deleted (by default after 90 days)."""

    task_id: str
    status: Status
    last_attempt: datetime | None
    logs: list[BroadcastLog]
    progress: BroadcastProgress
    mails: BroadcastMails | None


class BroadcastList(TypedDict):
    count: int
    total_pages: int
    next: str | None
    previous: str | None
    results: list[BroadcastSummary]
    pagination: Pagination


def summary(work: Work, row: models.Broadcast) -> BroadcastSummary:
    return BroadcastSummary(
        id=row.id,
        subject=row.subject,
        message=row.message,
        created_by=staff_profile(work, row.created_by),
        created_at=row.created_at,
        mediums=row.mediums,
        target_roles=row.target_roles,  # type: ignore[typeddict-item]  # validated by the schema
        joined=row.joined,
    )


def broadcast(work: Work, row: models.Broadcast, mails: Mapping[str, int]) -> Broadcast:
    """The reply for a broadcast. `mails` has the number of emails by state."""
    return Broadcast(
        **summary(work, row),
        task_id=str(row.task_id),
        status=row.status,
        last_attempt=row.last_attempt,
        logs=[_log(each, each.attempted_at) for each in row.deliveries if each.attempted_at],
        progress=BroadcastProgress(
            total=sum(each.total for each in row.deliveries),
            done=sum(each.done for each in row.deliveries),
        ),
        mails=BroadcastMails(
            waiting=mails.get("pending", 0),
            sent=mails.get("sent", 0),
            failed=mails.get("failed", 0),
        )
        if mails
        else None,
    )


def broadcast_list(work: Work, page: Page[models.Broadcast], url: str) -> BroadcastList:
    """The list with its page numbers in both forms of the API, flat and in `pagination` (decisions
    B5)."""
    pagination = page.pagination(url)
    return BroadcastList(
        count=pagination["count"],
        total_pages=pagination["total_pages"],
        next=pagination["next"],
        previous=pagination["previous"],
        results=[summary(work, row) for row in page.items],
        pagination=pagination,
    )


def _log(delivery: models.Delivery, attempted_at: datetime) -> BroadcastLog:
    return BroadcastLog(
        id=delivery.id,
        medium=delivery.medium,
        target_role=delivery.target_role,
        role_type=delivery.role_type,
        status=delivery.status,  # type: ignore[typeddict-item]  # no longer pending
        message=_log_message(delivery),
        attempted_at=attempted_at,
    )


def _log_message(delivery: models.Delivery) -> str:
    if delivery.total == 0 and delivery.medium == "email":
        # There may be recipients with this role, but without an email address.
        return Message("No recipient with this role has an email address.")
    if delivery.total == 0:
        return Message("No recipient has this role.")
    if delivery.done < delivery.total:
        return Message(
            "Sent to ${done} of ${total} recipients.", done=delivery.done, total=delivery.total
        )
    if delivery.done == 1:
        return Message("Sent to 1 recipient.")
    return Message("Sent to ${done} recipients.", done=delivery.done)
