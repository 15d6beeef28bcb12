"""Flags: features that operators enable and disable while the service runs.

Plugins declare flags with defaults. The database stores the values that operators have set.
"""

from dataclasses import dataclass
from datetime import datetime

from pyramid.config import Configurator
from sqlalchemy import String, bindparam, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Mapped, mapped_column

from competition.core import audit
from competition.core.catalogue import OwnName, catalogue_of
from competition.core.database import Base
from competition.core.errors import NotFound
from competition.core.messages import Message
from competition.core.work import Work


class Flag(Base):
    """A flag whose value an operator has set. A flag without a row has its default."""

    __tablename__ = "flag"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    enabled: Mapped[bool]
    updated_at: Mapped[datetime]


STORED = select(Flag.enabled).where(Flag.name == bindparam("name"))


@dataclass(frozen=True)
class FlagDefinition(OwnName):
    """A flag that a plugin has declared. `default` is its value until an operator sets it, and
    `description` tells operators what the flag switches. Code reads the flag with `enabled`."""

    name: str
    default: bool
    description: str


def enabled(work: Work, name: str) -> bool:
    """Whether the flag is enabled now: the value that an operator has set, or otherwise its
    default. Raises LookupError if no plugin has declared the flag."""
    stored = work.db.scalar(STORED, {"name": name})
    default = work.runtime.catalogue.named(FlagDefinition, name).default
    return default if stored is None else stored


def listing(work: Work) -> list[tuple[FlagDefinition, bool]]:
    stored = {flag.name: flag.enabled for flag in work.db.scalars(select(Flag))}
    definitions = sorted(
        work.runtime.catalogue[FlagDefinition].values(), key=lambda each: each.name
    )
    return [(each, stored.get(each.name, each.default)) for each in definitions]


def switch(work: Work, name: str, to: bool) -> None:
    """Set a flag and write an audit entry. Raises NotFound if there is no such flag."""
    known = work.runtime.catalogue[FlagDefinition]
    if name not in known:
        raise NotFound(
            Message(
                "There is no flag ${name}. The flags are: ${names}.",
                name=repr(name),
                names=sorted(known),
            )
        )
    before = enabled(work, name)
    values = {"name": name, "enabled": to, "updated_at": work.now}
    work.db.execute(
        insert(Flag).values(**values).on_conflict_do_update(index_elements=["name"], set_=values)
    )
    audit.record(work, "flag.switch", subject=name, old=before, new=to)


def add_flag(config: Configurator, name: str, *, default: bool, description: str) -> None:
    """Configuration directive ``config.add_flag``: declare a flag, which operators can switch."""
    definition = FlagDefinition(name, default, description)
    catalogue_of(config).add(FlagDefinition, name, definition)


def includeme(config: Configurator) -> None:
    config.add_directive("add_flag", add_flag)
