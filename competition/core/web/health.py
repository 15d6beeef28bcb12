"""Health (is the process up?) and readiness (may requests be sent to it?): what load balancers ask.

`/health/` is about this process and its database alone (decisions M14). `/ready/` names everything
that the service needs: parts of core and plugins declare
checks (`competition.core.monitoring.readiness`).
"""

import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Literal, TypedDict

from pyramid.config import Configurator
from sqlalchemy.exc import SQLAlchemyError

from competition.core.auth.access import PUBLIC
from competition.core.database import ALIVE
from competition.core.database_errors import noticed
from competition.core.monitoring.logs import reason
from competition.core.monitoring.readiness import ReadinessCheck
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.core.work import Work

log = logging.getLogger(__name__)


def problems(work: Work) -> Iterator[tuple[ReadinessCheck, str | None]]:
    """Every check in the order of registration, with what is wrong."""
    for check in work.runtime.catalogue[ReadinessCheck].values():
        yield check, _problem(work, check)


def _problem(work: Work, check: ReadinessCheck) -> str | None:
    try:
        return check.look(work)
    except SQLAlchemyError as error:
        if noticed(error):
            return "The database does not answer."
        log.warning("%s can't be checked: %s", check.name, reason(error))
        return "This can't be checked."
    except Exception:
        log.exception("%s can't be checked", check.name)
        return "This can't be checked."


health_check = Service("/health/")
readiness = Service("/ready/")


class Health(TypedDict):
    status: Literal["healthy", "unhealthy"]
    timestamp: datetime


class CheckResult(TypedDict):
    """`message` is empty when all is well."""

    name: str
    status: Literal["ok", "degraded", "failed"]
    message: str


class Readiness(TypedDict):
    """A `degraded` service takes requests: something is worse than it should be."""

    status: Literal["ready", "degraded", "unavailable"]
    timestamp: datetime
    checks: list[CheckResult]


@health_check.get(access=PUBLIC, status=(200, 503), limit="none")
def health(request: Request) -> Health:
    """Is the service up? 503 in the same shape when the database is down."""
    try:
        request.work.db.execute(ALIVE)
    except SQLAlchemyError as error:
        if not noticed(error):
            log.exception("the database does not answer as it should")
        request.response.status_int = 503
        return Health(status="unhealthy", timestamp=request.work.now)
    return Health(status="healthy", timestamp=request.work.now)


@readiness.get(access=PUBLIC, status=(200, 503), limit="none")
def ready(request: Request) -> Readiness:
    """May requests be sent here? 503 in the same shape when something that is needed is missing."""
    checks = [_result(*each) for each in problems(request.work)]
    states = {each["status"] for each in checks}
    status: Literal["ready", "degraded", "unavailable"] = "ready"
    if "failed" in states:
        status = "unavailable"
        request.response.status_int = 503
    elif "degraded" in states:
        status = "degraded"
    return Readiness(status=status, timestamp=request.work.now, checks=checks)


def _result(check: ReadinessCheck, problem: str | None) -> CheckResult:
    worse: Literal["degraded", "failed"] = "failed" if check.required else "degraded"
    return CheckResult(
        name=check.name, status="ok" if problem is None else worse, message=problem or ""
    )


def includeme(config: Configurator) -> None:
    config.scan(__name__)
