"""Settings: read once at start from the ini file and the environment, into frozen dataclasses.

A section is a frozen dataclass with a ``prefix``. Its fields are the keys below that prefix. Two
methods are optional: the static method ``problems(values)`` returns the mistakes in a combination
of keys, and ``risks()`` returns warnings about values that are allowed but risky in production.
There is also a warning in production for keys with ``decide=True`` that the operator has not set.

An environment variable overrides each key: ``COMPETITION_JOBS_LEASE`` overrides
``competition.jobs.lease``. If the ini file has a ``competition.`` key, or the environment has a
``COMPETITION_`` variable, that no section declares, the service does not start.
"""

import dataclasses
import pkgutil
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from competition.core import renamed

NAMESPACE = "competition."
ENVIRONMENT_NAMESPACE = "COMPETITION_"
# The folder of a development service.
VAR = "competition.var"
# Variables that are not settings: processes read them before the settings.
PROCESS_VARIABLES = frozenset({"COMPETITION_INI"})

TRUE = frozenset({"true", "yes", "on", "1"})
FALSE = frozenset({"false", "no", "off", "0"})


class Secret(str):
    """A string that its `repr` hides, so that logs and tracebacks don't show it."""

    def __repr__(self) -> str:
        return "Secret('***')"


class Section(Protocol):
    prefix: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Any]]


S = TypeVar("S", bound=Section)


class SettingsError(Exception):
    """The settings have mistakes. The message lists each on a line of its own, with its key."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("The settings have mistakes:\n  " + "\n  ".join(self.problems))


def setting(
    default: Any = MISSING,
    *,
    minimum: float | None = None,
    choices: tuple[str, ...] | None = None,
    parse: Callable[[str], Any] | None = None,
    decide: bool = False,
    on_pages: bool = False,
) -> Any:
    """A key of a section. The operator must set it if it has no default.

    ``parse`` converts the string to the value. It raises ValueError with a message for the
    operator. With ``decide=True`` the service starts without the key, but production warns until
    the operator has written the key, even if only with its default or without a value. With
    ``on_pages=True`` the web pages get the value for their texts, so everybody can read the value.
    """
    metadata = {
        "minimum": minimum,
        "choices": choices,
        "parse": parse,
        "decide": decide,
        "on_pages": on_pages,
    }
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    """The sections of core and of every enabled plugin, by class: ``settings[JobSettings]``.

    `undecided` are the keys with ``decide=True`` that neither the ini file nor the environment has.
    """

    sections: Mapping[type[Any], Any]
    undecided: tuple[str, ...] = ()

    def __getitem__(self, section: type[S]) -> S:
        value: S = self.sections[section]
        return value

    def risks(self) -> Iterator[str]:
        """Warnings for the operator about risky values, each beginning with its key."""
        for section, values in self.sections.items():
            if hasattr(section, "risks"):
                yield from (f"{section.prefix}.{each}" for each in values.risks())
        if self.undecided:
            lines = ", ".join(f"`{key} =`" for key in self.undecided)
            yield (
                "Decisions about the protection of users are missing. Add these lines to the ini"
                f" file, even if you keep the default: {lines}. production.ini explains them."
            )

    def on_pages(self) -> dict[str, int | str]:
        """The values of the keys with ``on_pages=True``, by the key without ``competition.``"""
        return {
            f"{section.prefix}.{each.name}".removeprefix(NAMESPACE): getattr(values, each.name)
            for section, values in self.sections.items()
            for each in dataclasses.fields(section)
            if each.metadata.get("on_pages")
        }

    def replace(self, section: type[S], **changes: Any) -> "Settings":
        changed = dataclasses.replace(typing.cast(Any, self[section]), **changes)
        return dataclasses.replace(self, sections={**self.sections, section: changed})


def imported(key: str, name: str) -> Any:
    """The object at the dotted path `name`, such as ``league_storage.azure.make``. That path is the
    value of the setting `key`. Raises SettingsError if it can't be imported."""
    try:
        return pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise SettingsError([f"{key}: {name!r} can't be imported: {error}"]) from error


def environment_name(key: str) -> str:
    return key.upper().replace(".", "_")


def keys(section: type[Any]) -> list[str]:
    return [f"{section.prefix}.{each.name}" for each in dataclasses.fields(section)]


def overlay(
    known: Iterable[type[Any]],
    raw: Mapping[str, Any],
    environ: Mapping[str, str],
    problems: list[str],
) -> dict[str, str]:
    """The unparsed values of all ``competition.*`` keys; the environment overrides the ini file.

    If COMPETITION_VAR is set, values of the ini file that name `competition.var`, or paths inside
    it, are changed to the same paths inside COMPETITION_VAR.

    For each key or variable that no section in `known` declares, a message is added to `problems`.
    Pass `problems` on to `read`, which reports them together with its own.
    """
    names = {environment_name(key): key for section in known for key in keys(section)}
    declared = set(names.values())
    texts = {key: str(value) for key, value in raw.items() if key.startswith(NAMESPACE)}
    texts |= _moved(texts, environ.get(environment_name(VAR), ""))
    problems += (
        f"{key}: no such setting{_hint(key, declared)}" for key in sorted(set(texts) - declared)
    )
    deleted = {environment_name(key): f". {advice}" for key, advice in renamed.SETTINGS.items()}
    for variable, value in environ.items():
        if not variable.startswith(ENVIRONMENT_NAMESPACE) or variable in PROCESS_VARIABLES:
            continue
        if variable in names:
            texts[names[variable]] = value
        else:
            advice = deleted.get(variable, "")
            problems.append(f"{variable} (environment): no such setting{advice}")
    return texts


def _moved(texts: Mapping[str, str], var: str) -> dict[str, str]:
    """The values of the ini file that name `competition.var`, or paths inside it, changed to the
    same paths inside `var`, by key. Empty unless `competition.var` is an absolute path.

    Two services of one checkout would otherwise overwrite each other's emails and files.
    """
    before = texts.get(VAR, "").strip()
    if not Path(before).is_absolute() or not var:
        return {}
    return {
        key: str(Path(var, Path(text).relative_to(before)))
        for key, text in texts.items()
        if Path(text).is_relative_to(before)
    }


def _hint(key: str, declared: Iterable[str]) -> str:
    """The end of the message about an unknown key, possibly "".

    For a deleted setting, it says what to do instead. If no declared key has the same prefix, it
    says that a plugin is missing.
    """
    if key in renamed.SETTINGS:
        return f". {renamed.SETTINGS[key]}"
    part = key.split(".")[1]
    if any(each.startswith(f"{NAMESPACE}{part}.") for each in declared):
        return ""
    return f"; no plugin named {part} is installed: install it, or remove its settings"


def read(
    sections: Iterable[type[Any]], texts: Mapping[str, str], known: Iterable[str] = ()
) -> Settings:
    """Build every section from `texts`, the unparsed values by key.

    Raises SettingsError with all mistakes at once, including the `known` mistakes.
    """
    problems = [*known]
    values = {section: _read_section(section, texts, problems) for section in sections}
    if problems:
        raise SettingsError(problems)
    undecided = [
        key
        for section in values
        for each, key in zip(dataclasses.fields(section), keys(section), strict=True)
        if each.metadata.get("decide") and key not in texts
    ]
    return Settings(values, tuple(undecided))


def _read_section(section: type[Any], texts: Mapping[str, str], problems: list[str]) -> Any:
    hints = typing.get_type_hints(section)
    values: dict[str, Any] = {}
    is_complete = True
    for each in dataclasses.fields(section):
        key = f"{section.prefix}.{each.name}"
        text = texts.get(key, "").strip()
        if text == "":
            if each.default is MISSING:
                is_complete = False
                problems.append(f"{key}: missing (or set {environment_name(key)})")
            continue
        try:
            values[each.name] = _value(text, hints[each.name], each.metadata)
        except ValueError as error:
            is_complete = False
            problems.append(f"{key}: {error}")
    if hasattr(section, "problems"):
        problems += (f"{section.prefix}.{each}" for each in section.problems(values))
    return section(**values) if is_complete else None


def _value(text: str, hint: Any, metadata: Mapping[str, Any]) -> Any:
    if metadata.get("parse"):
        return metadata["parse"](text)
    choices = metadata.get("choices")
    if choices and text not in choices:
        raise ValueError(f"{text!r} is not one of {', '.join(choices)}")
    value = _convert(text, hint)
    minimum = metadata.get("minimum")
    if minimum is not None and value < minimum:
        raise ValueError(f"{text} is less than {minimum:g}")
    return value


def _convert(text: str, hint: Any) -> Any:
    if isinstance(hint, types.UnionType):
        hint = next(arm for arm in typing.get_args(hint) if arm is not type(None))
    if typing.get_origin(hint) is tuple:
        return tuple(_convert(word, typing.get_args(hint)[0]) for word in text.split())
    if hint is bool:
        if text.lower() in TRUE | FALSE:
            return text.lower() in TRUE
        raise ValueError(f"{text!r} is neither true nor false")
    if hint in (int, float):
        try:
            return hint(text)
        except ValueError:
            raise ValueError(f"{text!r} is not a number") from None
    return hint(text)


def is_on_this_machine(host: str) -> bool:
    """Whether connections to this host stay on this machine. A path, or an empty name, stands for a
    Unix socket."""
    return host in ("", "localhost", "127.0.0.1", "::1") or host.startswith("/")
