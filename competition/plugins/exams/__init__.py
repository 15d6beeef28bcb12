"""Exams: planning, taking, submitting, scoring.

Where what lives: `schedule` says when an exam is open, `services.planning` what organisers do,
`services.papers` the frozen paper, `services.taking` what candidates do, `services.scoring` the
scores, `statistics` every number that is computed from them.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting

REQUIRES = ("questions",)


@dataclass(frozen=True, kw_only=True)
class ExamSettings:
    """`grace_minutes` after its deadline a submission is still taken (decisions G18)."""

    prefix: ClassVar[str] = "competition.exams"
    grace_minutes: int = setting(5, minimum=0)


SETTINGS = ExamSettings


def includeme(config: Configurator) -> None:
    config.scan()
