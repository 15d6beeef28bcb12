from collections.abc import Iterable
from typing import Literal, TypedDict

from competition.core.exam_checks import Finding, Level, PreflightCheck


class CheckReport(TypedDict):
    """The result of a check. `items` lists the objects that the message is about, such as
    questions."""

    name: str
    level: Literal["ok", Level]
    message: str
    items: list[str]


class Preflight(TypedDict):
    """The results of all checks. `ready` is true if none of them is an `error`."""

    ready: bool
    checks: list[CheckReport]


def preflight(found: Iterable[tuple[PreflightCheck, Finding]]) -> Preflight:
    checks = [
        CheckReport(
            name=check.name,
            level="ok" if finding.is_fine else check.level,
            message=finding.message,
            items=list(finding.items),
        )
        for check, finding in found
    ]
    return Preflight(ready=all(each["level"] != "error" for each in checks), checks=checks)
