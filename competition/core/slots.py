"""Slots: places in a reply to which other plugins add fields.

The plugin that owns the reply declares a slot in its module `offered_slots`, and marks the slot's
place in the reply's TypedDict:

    CANDIDATE = Slot[UUID]("people.candidate")

    class CandidateDetail(CandidateProfile):
        contributed: NotRequired[Annotated[Contributed, CANDIDATE]]

    def candidate_detail(work: Work, candidate: Candidate) -> CandidateDetail:
        [fields] = CANDIDATE.load(work, [candidate.id])
        return spread(CandidateDetail(**candidate_profile(work, candidate), contributed=fields))

Another plugin fills the slot with a field, in its module `slots`. One function loads the field for
all rows of a page: it gets their keys and returns a value for each. Its annotated return type
determines the type of the field:

    @fill_slot(CANDIDATE, "receipts")
    def receipts(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, list[Receipt]]: ...

Without a name, the function returns a TypedDict for each key, and fills all its fields:

    @fill_slot(CANDIDATE)
    def season(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, Season]: ...

Replies and the OpenAPI document contain these fields while the plugin that fills the slot is
enabled.
"""

import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import catalogue_of, when_scanned
from competition.core.work import Work

K = TypeVar("K")
Shape = TypeVar("Shape", bound=Mapping[str, Any])
Loader = Callable[[Work, Collection[K]], Mapping[K, Any]]


class Contributed(dict[str, Any]):
    """The fields that plugins have added to one row."""


@dataclass(frozen=True)
class Slot(Generic[K]):
    """A place for fields of other plugins, in rows that are identified by keys of type K.

    `name` begins with the name of the plugin that owns the slot. Fields named in `order` come
    first, in that order.
    """

    name: str
    order: tuple[str, ...] = ()

    def filled(self, work: Work) -> "list[Field]":
        """The fields with which plugins fill this slot, in the order of the reply."""
        return fields_of(self, work.runtime.catalogue[Field].values())

    def load(self, work: Work, keys: Sequence[K]) -> list[Contributed]:
        """The fields of each row, in the order of the keys. Each loader is called once."""
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
    """A field that a plugin adds to a slot.

    `type` is its annotation, as in a TypedDict. `load` returns a value for every key: the value of
    the field or, if `is_of_shape`, a dictionary that contains it.
    """

    slot: Slot[Any]
    name: str
    type: Any
    load: Callable[[Work, Collection[Any]], Mapping[Any, Any]]
    is_of_shape: bool = False

    def value(self, loaded: Mapping[Any, Any], key: Any) -> Any:
        """The value for the row with this key, from the result of `load`.

        Raises LookupError, with the name of the function, if `load` returned no value for the key.
        """
        try:
            return loaded[key][self.name] if self.is_of_shape else loaded[key]
        except KeyError:
            function = f"{self.load.__module__}.{self.load.__qualname__}"
            raise LookupError(
                f"{function} fills the field {self.name} of the slot {self.slot.name}, but returned"
                f" no value for {key!r}. It must return a value for each key that it gets."
            ) from None


def fields_of(slot: Slot[Any], fields: Iterable[Field]) -> list[Field]:
    """Return the fields among `fields` that belong to this slot, in the order of the reply."""
    found = [field for field in fields if field.slot == slot]
    last = len(slot.order)
    return sorted(
        found, key=lambda each: slot.order.index(each.name) if each.name in slot.order else last
    )


def spread(shape: Shape) -> Shape:
    """Return a copy of a reply in which each Contributed value is replaced by the fields in it."""
    flat: Any = {}
    for name, value in shape.items():
        if isinstance(value, Contributed):
            flat.update(value)
        else:
            flat[name] = value
    return flat  # type: ignore[no-any-return]  # the same shape, except for its slots


def fill_slot(slot: Slot[K], name: str = "") -> Callable[[Loader[K]], Loader[K]]:
    """Declare that the decorated function fills a field of a slot.

    Without a name, the function fills all fields of the TypedDict that it returns for each key. A
    scan of the function's module finds it. The scan raises ConfigurationError if the slot already
    has a field of this name, or if the function's return type is not annotated.
    """

    def decorate(load: Loader[K]) -> Loader[K]:
        def register(config: Configurator) -> None:
            for field in _fields(slot, name, load):
                catalogue_of(config).add(Field, f"{slot.name}.{field.name}", field)

        return when_scanned(load, register)

    return decorate


def _fields(slot: Slot[Any], name: str, load: Loader[Any]) -> list[Field]:
    """The fields that a function fills, derived from its annotated return type.

    Raises ConfigurationError if the annotation is missing, or is not of the expected form.
    """
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
        f"{load.__module__}.{load.__qualname__} fills the slot {slot.name}: it must be annotated"
        f" to return {wanted}, not {returned}."
    )
