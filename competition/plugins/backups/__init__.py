"""Backup reports: the backup script reports its results here, and superadmins get an email if a
backup fails permanently."""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import Rates, parse_rates
from competition.core.settings import setting


@dataclass(frozen=True, kw_only=True)
class BackupSettings:
    """`report_rate` limits how many reports are accepted per API key."""

    prefix: ClassVar[str] = "competition.backups"
    report_rate: Rates = setting(parse_rates("60/minute"), parse=parse_rates)


SETTINGS = BackupSettings


def includeme(config: Configurator) -> None:
    config.add_ceiling(
        "backup report", lambda settings: settings[BackupSettings].report_rate, by="api_key"
    )
    config.add_examples(
        backup_filename="league-2026-03-01.dump",
        error_message=None,
    )
    config.scan()
