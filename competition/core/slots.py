"""Slots: places in a reply where plugins that depend on its owner put fields of their own.

The owner declares a place, and says in the reply's shape where it is:

    CANDIDATE = Slot[UUID]("people.candidate")

    class CandidateDetail(CandidateProfile):
        contributed: NotRequired[Annotated[Contributed, CANDIDATE]]

    def candidate_detail(work: Work, candidate: Candidate) -> CandidateDetail:
        [fields] = CANDIDATE.load(work, [candidate.id])
        return spread(CandidateDetail(**candidate_profile(work, candidate), contributed=fields))

A plugin that depends on the owner fills it with a field. One function loads the field for all rows
of a page: it gets their keys and returns a value for each. What it is annotated to return is the
field's type:

    @fill_slot(CANDIDATE, "receipts")
    def receipts(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, list[Receipt]]: ...

Without a name, the function returns a TypedDict for each key, and fills all its fields:

    @fill_slot(CANDIDATE)
    def season(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, Season]: ...

Reply and document have the fields where the place is, as long as the plugin that fills it is on.
"""

import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import venusian
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import catalogue_of
from competition.core.work import Work

K = TypeVar("K")
Shape = TypeVar("Shape", bound=Mapping[str, Any])
Loader = Callable[[Work, Collection[K]], Mapping[K, Any]]


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


def fill_slot(slot: Slot[K], name: str = "") -> Callable[[Loader[K]], Loader[K]]:
    """Declare that a function fills a field of a slot; without a name, all fields of the TypedDict
    that it returns for each key. Found when its module is scanned, which raises ConfigurationError
    if the slot has such a field already, or the function is not annotated with what it returns."""

    def decorate(load: Loader[K]) -> Loader[K]:
        def register(scanner: Any, _name: str, _function: Any) -> None:
            catalogue = catalogue_of(scanner.config)
            for field in _fields(slot, name, load):
                catalogue.add(Field, f"{slot.name}.{field.name}", field)

        venusian.attach(load, register, category="pyramid")
        return load

    return decorate


def _fields(slot: Slot[Any], name: str, load: Loader[Any]) -> list[Field]:
    """The fields that a function fills, by the type that it is annotated to return. Raises
    ConfigurationError."""
    returned = typing.get_type_hints(load, include_extras=True).get("return")
    is_by_key = typing.get_origin(returned) in (dict, Mapping)
    loaded = typing.get_args(returned)[1] if is_by_key else None
    if name and loaded is not None:
        return [Field(slot, name, loaded, load)]
    if not name and typing.is_typeddict(loaded):
        hints = typing.get_type_hints(loaded)
        return [Field(slot, each, hint, load, is_of_shape=True) for each, hint in hints.items()]
    wanted = "dict[key, type of the field]" if name else "dict[key, a TypedDict]"
    raise ConfigurationError(
        f"{load.__module__}.{load.__qualname__} fills the slot {slot.name}: it has to be annotated"
        f" to return {wanted}, not {returned}."
    )
