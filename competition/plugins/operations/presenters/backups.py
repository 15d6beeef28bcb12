from datetime import datetime
from typing import Literal, TypedDict

from competition.core.lists import Page, Pagination
from competition.plugins.operations import models
from competition.plugins.operations.models import Environment, Outcome


class Received(TypedDict):
    status: Literal["received"]


class BackupReport(TypedDict):
    """The result of a backup. `timestamp` is by the script's clock."""

    id: int
    status: Outcome
    environment: Environment
    timestamp: datetime
    backup_filename: str
    error_message: str
    received_at: datetime


class ReportList(TypedDict):
    results: list[BackupReport]
    pagination: Pagination


def report_list(page: Page[models.BackupReport], url: str) -> ReportList:
    return ReportList(
        results=[
            BackupReport(
                id=row.id,
                status=row.status,
                environment=row.environment,
                timestamp=row.timestamp,
                backup_filename=row.backup_filename,
                error_message=row.error_message,
                received_at=row.received_at,
            )
            for row in page.items
        ],
        pagination=page.pagination(url),
    )
