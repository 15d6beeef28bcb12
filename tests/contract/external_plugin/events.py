from dataclasses import dataclass


@dataclass(frozen=True)
class Greeted:
    email: str
