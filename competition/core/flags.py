"""Flags: features that operators enable and disable while the service runs.

Plugins declare flags with defaults. The database stores the values that operators have set.
"""

from dataclasses import dataclass
from datetime import datetime

from pyramid.config import Configurator
from sqlalchemy import Label, String, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Mapped, mapped_column

from competition.core import audit
from competition.core.catalogue import OwnName, catalogue_of
from competition.core.database import Base
from competition.core.work import Work


class Flag(Base):
    """The value of a flag that an operator has set."""

    __tablename__ = "flag"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    enabled: Mapped[bool]
    updated_at: Mapped[datetime]


STORED = select(Flag.enabled).where(Flag.name == bindparam("name"))


class UnknownFlag(Exception):
    """There is no flag of this name. The message lists the existing flags."""


@dataclass(frozen=True)
class FlagDefinition(OwnName):
    name: str
    default: bool
    description: str


def enabled(work: Work, name: str) -> bool:
    stored = work.db.scalar(STORED, {"name": name})
    return _definition(work, name).default if stored is None else stored


def is_on(work: Work, name: str) -> Label[bool]:
    """Whether the flag is enabled, as a column of a statement."""
    stored = select(Flag.enabled).where(Flag.name == name).scalar_subquery()
    return func.coalesce(stored, _definition(work, name).default).label(name)


def listing(work: Work) -> list[tuple[FlagDefinition, bool]]:
    stored = {flag.name: flag.enabled for flag in work.db.scalars(select(Flag))}
    definitions = sorted(
        work.runtime.catalogue[FlagDefinition].values(), key=lambda each: each.name
    )
    return [(each, stored.get(each.name, each.default)) for each in definitions]


def switch(work: Work, name: str, to: bool) -> None:
    """Set a flag and write an audit entry. Raises UnknownFlag if there is no such flag."""
    _definition(work, name)
    before = enabled(work, name)
    values = {"name": name, "enabled": to, "updated_at": work.now}
    work.db.execute(
        insert(Flag).values(**values).on_conflict_do_update(index_elements=["name"], set_=values)
    )
    audit.record(work, "flag.switch", subject=name, old=before, new=to)


def _definition(work: Work, name: str) -> FlagDefinition:
    try:
        return work.runtime.catalogue[FlagDefinition][name]
    except KeyError:
        names = ", ".join(sorted(work.runtime.catalogue[FlagDefinition]))
        raise UnknownFlag(f"There is no flag {name!r}. The flags are: {names}.") from None


def add_flag(config: Configurator, name: str, *, default: bool, description: str) -> None:
    """Configuration directive ``config.add_flag``: declare a flag, which operators can switch."""
    definition = FlagDefinition(name, default, description)
    catalogue_of(config).add(FlagDefinition, name, definition)


def includeme(config: Configurator) -> None:
    config.add_directive("add_flag", add_flag)
