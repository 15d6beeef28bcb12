"""Slots: places in a reply where plugins above its owner put fields of their own.

The owner declares a place, and says in the reply's shape where it is:

    CANDIDATE = Slot[UUID]("people.candidate")

    class CandidateDetail(CandidateProfile):
        contributed: NotRequired[Annotated[Contributed, CANDIDATE]]

    def candidate_detail(work: Work, candidate: Candidate) -> CandidateDetail:
        [fields] = CANDIDATE.load(work, [candidate.id])
        return spread(CandidateDetail(**candidate_profile(work, candidate), contributed=fields))

Whoever is above fills it, by a directive, with a field, its type, and one loader for all rows of a
page, which it gets by their keys; or with all fields of a TypedDict, which one loader makes:

    config.fill_slot(CANDIDATE, "receipts", list[Receipt], services.receipts_of)
    config.fill_slot_with(CANDIDATE, Season, services.season_of)

Reply and document have the fields where the place is, as long as the plugin that fills it is on.
"""

import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import catalogue_of, function_of
from competition.core.work import Work

K = TypeVar("K")
Shape = TypeVar("Shape", bound=Mapping[str, Any])


class Contributed(dict[str, Any]):
    """The fields that a slot got for one row."""


@dataclass(frozen=True)
class Slot(Generic[K]):
    """`name` begins with its owner's; rows are known by keys of type K. Fields that are named in
    `order` come in that order, others after them."""

    name: str
    order: tuple[str, ...] = ()

    def filled(self, work: Work) -> "list[Field]":
        """The fields that plugins put into it."""
        return fields_of(self, work.runtime.catalogue[Field].values())

    def load(self, work: Work, keys: Sequence[K]) -> list[Contributed]:
        """The fields of each row, in the order of the keys; each loader is called once."""
        rows = [Contributed() for _ in keys]
        loaded: dict[Any, Any] = {}
        for field in self.filled(work):
            if field.load not in loaded:
                loaded[field.load] = field.load(work, keys)
            for key, row in zip(keys, rows, strict=True):
                row[field.name] = field.value(loaded[field.load], key)
        return rows


@dataclass(frozen=True)
class Field:
    """`type` is what a TypedDict would say. `load` returns a value for every key: the field's own,
    or a shape that has it."""

    slot: Slot[Any]
    name: str
    type: Any
    load: Callable[[Work, Collection[Any]], Mapping[Any, Any]]
    is_of_shape: bool = False

    def value(self, loaded: Mapping[Any, Any], key: Any) -> Any:
        """Of one row. Raises LookupError that names the function which left it out."""
        try:
            return loaded[key][self.name] if self.is_of_shape else loaded[key]
        except KeyError:
            function = f"{self.load.__module__}.{self.load.__qualname__}"
            raise LookupError(
                f"{function} fills the field {self.name} of the slot {self.slot.name}, and has no"
                f" value of it for {key!r}: it has to return one for each key that it gets."
            ) from None


def fields_of(slot: Slot[Any], fields: Iterable[Field]) -> list[Field]:
    """The fields that plugins put into a slot, in the order in which a reply has them."""
    found = [field for field in fields if field.slot == slot]
    last = len(slot.order)
    return sorted(
        found, key=lambda each: slot.order.index(each.name) if each.name in slot.order else last
    )


def spread(shape: Shape) -> Shape:
    """The shape with the fields of its slots in their places."""
    flat: Any = {}
    for name, value in shape.items():
        if isinstance(value, Contributed):
            flat.update(value)
        else:
            flat[name] = value
    return flat  # type: ignore[no-any-return]  # the same shape, but for the places


def fill_slot(
    config: Configurator,
    slot: Slot[K],
    name: str,
    type: Any,
    load: Callable[[Work, Collection[K]], Mapping[K, Any]] | str,
) -> None:
    """Configuration directive ``config.fill_slot``; functions may be dotted names. Raises
    ConfigurationError for a field that the slot has already."""
    if isinstance(type, str):
        raise ConfigurationError(_no_type(config, slot, type))
    field = Field(slot, name, type, function_of(config, load))
    catalogue_of(config).add(Field, f"{slot.name}.{name}", field)


def fill_slot_with(
    config: Configurator,
    slot: Slot[K],
    shape: Any,
    load: Callable[[Work, Collection[K]], Mapping[K, Any]] | str,
) -> None:
    """Configuration directive ``config.fill_slot_with``: every field of a TypedDict, which `load`
    returns for each key."""
    if not typing.is_typeddict(shape):
        raise ConfigurationError(_no_type(config, slot, shape))
    loader = function_of(config, load)
    for name, hint in typing.get_type_hints(shape).items():
        field = Field(slot, name, hint, loader, is_of_shape=True)
        catalogue_of(config).add(Field, f"{slot.name}.{name}", field)


def _no_type(config: Configurator, slot: Slot[Any], given: Any) -> str:
    return (
        f"{catalogue_of(config).bringing} fills the slot {slot.name} with {given!r}, which is no"
        " type: import it. Only the function may be a dotted name."
    )


def includeme(config: Configurator) -> None:
    config.add_directive("fill_slot", fill_slot)
    config.add_directive("fill_slot_with", fill_slot_with)
