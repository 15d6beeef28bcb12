"""Clarifications: candidates ask about a question during the exam, and staff answer or announce.

An answer is for the candidate who asked or, if it is public, for all candidates of the exam.
Answers and announcements are pushed to the candidates who are taking the exam. Candidates who have
started and can no longer submit get a notification.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import parse_rates
from competition.core.settings import setting

REQUIRES = ("sittings",)


@dataclass(frozen=True, kw_only=True)
class ClarificationSettings:
    """Rules for clarifications.

    Questions and their answers are deleted `kept_days` days after the exam has closed;
    announcements stay.
    """

    prefix: ClassVar[str] = "competition.clarifications"
    kept_days: int = setting(365, minimum=1)


SETTINGS = ClarificationSettings

# How often a user may list questions or announcements. Clients poll the lists during an exam.
RATE = parse_rates("60/minute")


def includeme(config: Configurator) -> None:
    config.add_ceiling("clarifications", lambda settings: RATE)
    config.add_examples(
        question=11,
        text="Is zero a natural number here?",
        status="answered",
        answer="Yes, it is.",
        public=True,
        asked_at="2026-03-14T10:20:00Z",
        answered_at="2026-03-14T10:21:00Z",
        messages=1,
        open=2,
    )
    config.scan()
