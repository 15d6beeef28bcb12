"""What the service needs to do its work, looked at one by one.

Each part of core, and each plugin, adds what it needs by ``config.add_check``. `/ready/` tells
(`competition.core.web.probes`).
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pyramid.config import Configurator
from sqlalchemy.exc import SQLAlchemyError

from competition.core.catalogue import catalogue_of
from competition.core.work import Work

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Check:
    """`look` returns what is wrong, in words that everybody may read, or None. Without what is not
    `required` the service is only worse.

    All of them share a transaction: a statement that may fail while the database is well goes into
    a savepoint.
    """

    name: str
    look: Callable[[Work], str | None]
    required: bool


def add_check(
    config: Configurator,
    name: str,
    look: Callable[[Work], str | None] | str,
    *,
    required: bool = True,
) -> None:
    """Configuration directive ``config.add_check``: the function, or its dotted name."""
    catalogue_of(config).add(Check, name, Check(name, config.maybe_dotted(look), required))


def problems(work: Work) -> Iterator[tuple[Check, str | None]]:
    """Every check in the order of their registration, with what is wrong."""
    for check in work.runtime.catalogue[Check].values():
        yield check, _problem(work, check)


def _problem(work: Work, check: Check) -> str | None:
    try:
        return check.look(work)
    except SQLAlchemyError as error:
        log.warning("%s: %s", check.name, type(error).__name__)
        return "The database does not answer."
    except Exception:
        log.exception("%s can't be checked", check.name)
        return "This can't be checked."


def includeme(config: Configurator) -> None:
    config.add_directive("add_check", add_check)
