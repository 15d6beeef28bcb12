from collections.abc import Iterator
from datetime import date
from typing import TypedDict

from sqlalchemy import select, text

from competition.core import audit
from competition.core.auth.access import PUBLIC, USER
from competition.core.errors import ApiError, NotFound, ServiceUnavailable
from competition.core.lists import Pagination, paginate
from competition.core.schemas import Integer, Number, Password, Schema, Text, node
from competition.core.users.models import User
from competition.core.web.answering import PART_SIZE
from competition.core.web.endpoint import Deprecation
from competition.core.web.paging import ListQuery, ordered_by
from competition.core.web.request import Request
from competition.core.web.service import Service

FAIL = text("do $$ begin raise exception using errcode = '40001'; end $$")


class Kept(ApiError):
    status = 400
    code = "kept"
    detail = "Refused, and what was written stays."
    keep = True


class Dropped(ApiError):
    status = 400
    code = "dropped"
    detail = "Refused, and nothing was written."


class Said(TypedDict):
    said: str


class People(TypedDict):
    results: list[str]
    pagination: Pagination


class Body(Schema):
    said = node(Text(0, 2000), missing="")
    raw = node(Password(), missing="")
    whole = node(Integer(0), missing=0)
    real = node(Number(-1e308, 1e308), missing=0.0)


class Question(Schema):
    said = node(Text(0, 2000), missing="")


echo = Service("/probe/echo/")
crash = Service("/probe/crash/")
kept = Service("/probe/kept/")
dropped = Service("/probe/dropped/")
contended = Service("/probe/contended/")
written = Service("/probe/written/")
forbidden = Service("/probe/forbidden/")
named = Service("/probe/named/{name}/")
old = Service("/probe/old/")
numbered = Service("/probe/numbered/{number:int}/")
long = Service("/probe/long/{number:int}/")
people = Service("/probe/people/")


@echo.post(access=PUBLIC, body=Body)
def say(request: Request) -> Said:
    """Repeat the input."""
    return Said(said=request.validated["said"])


@echo.get(access=PUBLIC, query=Question)
def say_query(request: Request) -> Said:
    """Repeat the input."""
    return Said(said=request.validated["said"])


@crash.post(access=PUBLIC)
def crash_hard(request: Request) -> Said:
    """Raise an unexpected error."""
    audit.record(request.work, "probe")
    request.work.db.flush()
    raise RuntimeError("internals of the service")


@kept.post(access=PUBLIC, errors=(Kept,))
def refuse_and_keep(request: Request) -> Said:
    """Raise an error that commits what was written."""
    audit.record(request.work, "probe")
    raise Kept


@dropped.post(access=PUBLIC, errors=(Dropped,))
def refuse_and_drop(request: Request) -> Said:
    """Raise an error that rolls back."""
    audit.record(request.work, "probe")
    request.work.db.flush()
    raise Dropped


@contended.post(access=PUBLIC, body=Body)
def contend(request: Request) -> Said:
    """Fail with a serialization error as many times as the body requests."""
    audit.record(request.work, "probe")
    request.work.db.flush()
    tries = request.work.runtime.redis.incr("probe:tries")
    if tries <= request.validated["whole"]:
        request.work.db.execute(FAIL)
    return Said(said=str(tries))


@contended.get(access=USER)
def contend_reading(request: Request) -> Said:
    """Lose against another transaction once."""
    tries = request.work.runtime.redis.incr("probe:tries")
    if tries == 1:
        request.work.db.execute(FAIL)
    return Said(said=str(tries))


@written.post(access=PUBLIC, errors=(ServiceUnavailable,))
def write(request: Request) -> Said:
    """Write a row."""
    audit.record(request.work, "probe")
    return Said(said="written")


@forbidden.post(access=PUBLIC)
def write_a_mistake(request: Request) -> Said:
    """Violate a constraint."""
    request.work.db.execute(
        text("insert into flag (name, enabled, updated_at) values (:name, null, null)"),
        {"name": " ".join(("a", "secret", "parameter"))},
    )
    return Said(said="")


@old.get(access=PUBLIC, deprecation=Deprecation(date(2026, 1, 1), date(2026, 7, 1)))
def show_old(request: Request) -> Said:
    """Return a reply of a deprecated endpoint."""
    return Said(said="old")


@named.get(access=PUBLIC)
def show_name(request: Request, name: str) -> Said:
    """Return the name in the path."""
    return Said(said=name)


@numbered.get(access=PUBLIC)
def show_number(request: Request, number: int) -> Said:
    """Return the number in the path."""
    return Said(said=str(number))


ORDERING = {"school": User.last_name, "role": User.role}


class PeopleQuery(ListQuery):
    ordering = ordered_by(ORDERING)


@people.get(access=PUBLIC, query=PeopleQuery, errors=(NotFound,))
def list_people(request: Request) -> People:
    """List accounts."""
    page = paginate(
        request.work,
        select(User),
        request.validated,
        key=User.id,
        created=User.date_joined,
        ordering=ORDERING,
    )
    return People(
        results=[str(user.id) for user in page.items],
        pagination=page.pagination(request.public_url),
    )


@long.get(access=PUBLIC)
def list_long_items(request: Request, number: int) -> Iterator[Said]:
    """Yield items below a number, each of which fills a part of the reply. There is no item 13."""
    for item in range(1, number):
        if item == 13:
            raise NotFound
        yield Said(said=f"{item:0{PART_SIZE}}")
