from dataclasses import dataclass

from competition.core.work import Work


@dataclass(frozen=True)
class Greeted:
    work: Work
    email: str
