"""Slots: places in a reply where plugins above its owner put fields of their own.

The owner declares a place, and says in the reply's shape where it is:

    CANDIDATE = Slot[UUID]("people.candidate")

    class CandidateDetail(CandidateProfile):
        contributed: NotRequired[Annotated[Contributed, CANDIDATE]]

    def candidate_detail(work: Work, candidate: Candidate) -> CandidateDetail:
        [fields] = CANDIDATE.load(work, [candidate.id])
        return spread(CandidateDetail(**candidate_profile(work, candidate), contributed=fields))

Whoever is above fills it, by a directive, with a field, its type, and one loader for all rows of a
page, which it gets by their keys:

    config.fill_slot(CANDIDATE, "receipts", list[Receipt], services.receipts_of)

Reply and document have the field where the place is, as long as the plugin that fills it is on.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pyramid.config import Configurator

from competition.core.catalogue import catalogue_of
from competition.core.work import Work

K = TypeVar("K")
Shape = TypeVar("Shape", bound=Mapping[str, Any])

# The fields that a slot got for one row.
Contributed = dict[str, Any]
# What the place is called in a shape; it is in no reply.
PLACE = "contributed"


@dataclass(frozen=True)
class Slot(Generic[K]):
    """`name` begins with its owner's; rows are known by keys of type K."""

    name: str

    def load(self, work: Work, keys: Sequence[K]) -> list[Contributed]:
        """The fields of each row, in the order of the keys; each loader is called once."""
        rows: list[Contributed] = [{} for _ in keys]
        for field in fields_of(self, work.runtime.catalogue[Field].values()):
            values = field.load(work, keys)
            for key, row in zip(keys, rows, strict=True):
                row[field.name] = values[key]
        return rows


@dataclass(frozen=True)
class Field:
    """`type` is what a TypedDict would say; `load` returns a value for every key."""

    slot: Slot[Any]
    name: str
    type: Any
    load: Callable[[Work, Collection[Any]], Mapping[Any, Any]]


def fields_of(slot: Slot[Any], fields: Iterable[Field]) -> list[Field]:
    return [field for field in fields if field.slot == slot]


def spread(shape: Shape) -> Shape:
    """The shape with what its slot got in the slot's place."""
    flat: Any = {}
    for name, value in shape.items():
        if name == PLACE:
            flat.update(value)
        else:
            flat[name] = value
    return flat  # type: ignore[no-any-return]  # the same shape, but for the place


def fill_slot(
    config: Configurator,
    slot: Slot[K],
    name: str,
    type: Any,
    load: Callable[[Work, Collection[K]], Mapping[K, Any]] | str,
) -> None:
    """Configuration directive ``config.fill_slot``; `load` may be a dotted name. Raises
    ConfigurationError for a field that the slot has already."""
    field = Field(slot, name, type, config.maybe_dotted(load))
    catalogue_of(config).add(Field, f"{slot.name}.{name}", field)


def includeme(config: Configurator) -> None:
    config.add_directive("fill_slot", fill_slot)
