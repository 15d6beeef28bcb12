"""Endpoints for load balancers: the health and the readiness of a process.

`/health/` covers only this process and its database (decisions M14). `/ready/` covers everything
that the service needs: core and plugins declare checks for it
(`competition.core.monitoring.readiness`).
"""

import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Literal, TypedDict

from sqlalchemy.exc import SQLAlchemyError

from competition.core.auth.access import PUBLIC
from competition.core.database import ALIVE
from competition.core.database_errors import noticed
from competition.core.messages import Message
from competition.core.monitoring.logs import reason
from competition.core.monitoring.readiness import ReadinessCheck
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.core.work import Work

log = logging.getLogger(__name__)


def problems(work: Work) -> Iterator[tuple[ReadinessCheck, str | None]]:
    """Run every readiness check in the order of registration. Yields each check with its problem,
    which is None if all is well."""
    for check in work.runtime.catalogue[ReadinessCheck].values():
        yield check, _problem(work, check)


def _problem(work: Work, check: ReadinessCheck) -> str | None:
    try:
        return check.look(work)
    except SQLAlchemyError as error:
        if noticed(error):
            return Message("The database is unavailable. Check that it runs.")
        log.warning("%s can't be checked: %s", check.name, reason(error))
    except Exception:
        log.exception("%s can't be checked", check.name)
    return Message("This check could not be made. The log of the service has the reason.")


health_check = Service("/health/")
readiness = Service("/ready/")


class Health(TypedDict):
    status: Literal["healthy", "unhealthy"]
    timestamp: datetime


class CheckResult(TypedDict):
    """The result of one check: `failed` for a problem of a required part, `degraded` for a problem
    of an optional part. `message` is empty if all is well."""

    name: str
    status: Literal["ok", "degraded", "failed"]
    message: str


class Readiness(TypedDict):
    """Whether the service can take requests. A `degraded` service can take requests, although an
    optional part of it does not work."""

    status: Literal["ready", "degraded", "unavailable"]
    timestamp: datetime
    checks: list[CheckResult]


@health_check.get(access=PUBLIC, status=(200, 503), limit="none")
def health(request: Request) -> Health:
    """Check whether the service is up.

    If the database is unavailable, the status is 503 and the body has the same shape.
    """
    try:
        request.work.db.execute(ALIVE)
    except SQLAlchemyError as error:
        if not noticed(error):
            log.exception("the health check of the database failed")
        request.response.status_int = 503
        return Health(status="unhealthy", timestamp=request.work.now)
    return Health(status="healthy", timestamp=request.work.now)


@readiness.get(access=PUBLIC, status=(200, 503), limit="none")
def ready(request: Request) -> Readiness:
    """Check whether the service can take requests.

    If a required part is unavailable, the status is 503 and the body has the same shape.
    """
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
