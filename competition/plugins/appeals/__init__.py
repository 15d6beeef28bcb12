"""Appeals: a candidate doubts a result, or a question, and is answered.

They are open for some days after an exam was published first. An answer may name the regrade that
came of it; what that changes is the plugin `regrades`.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting

REQUIRES = ("regrades",)


@dataclass(frozen=True, kw_only=True)
class AppealSettings:
    """Candidates may appeal for so many `days` after their exam was published first."""

    prefix: ClassVar[str] = "competition.appeals"
    days: int = setting(7, minimum=0)


SETTINGS = AppealSettings


def includeme(config: Configurator) -> None:
    config.add_examples(
        question=11,
        text="Option C is right as well: zero is an even number.",
        answer="You are right, and both options count now.",
        regrade=3,
    )
    config.scan()
