"""Appeals: candidates object to a question or to their result, and staff answer.

Candidates can appeal for some days after an exam's leaderboard was first published. An answer may
name the regrade that the appeal led to; the plugin `regrades` applies it.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting

REQUIRES = ("regrades",)


@dataclass(frozen=True, kw_only=True)
class AppealSettings:
    """Settings of appeals. `days`: how long after the first publication of an exam candidates can
    appeal, in days."""

    prefix: ClassVar[str] = "competition.appeals"
    days: int = setting(7, minimum=0, on_pages=True)


SETTINGS = AppealSettings


def includeme(config: Configurator) -> None:
    config.add_examples(
        question=11,
        text="Option C is right as well: zero is an even number.",
        answer="You are right, and both options count now.",
        regrade=3,
    )
    config.scan()
