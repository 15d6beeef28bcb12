"""Pages for operators: settings, commands, metrics and alerts, retention, personal data."""

import inspect
import re
import typing
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

import click
import yaml

import competition
from competition.cli import CoreCommands
from competition.core.jobs.housekeeping import Retention
from competition.core.jobs.tasks import Task
from competition.core.messages import worded
from competition.core.monitoring import metrics as monitoring
from competition.core.monitoring.metrics import Counter, WatchedGauge
from competition.core.plugins import core_sections, installed
from competition.core.settings import Secret, environment_name
from competition.core.users.personal_data import PersonalData
from tools.reference.code import (
    Missing,
    annotation,
    described,
    modules,
    plugin_of,
    quoted,
    summary,
    table,
)

ROOT = Path(__file__).parents[2]
INI = ROOT / "development.ini"
ALERTS = ROOT / "deploy/prometheus/alerts.yaml"
KEY = re.compile(r"(?:# )?(competition\.[\w.]+) =")
HEADING = "# --- "
UNITS = ("seconds", "minutes", "hours", "days")


@dataclass
class Group:
    """Settings that one comment of development.ini describes together."""

    heading: str
    comment: str
    keys: list[str]


def groups(text: str) -> list[Group]:
    """The settings of the ini file with their comments. Raises Missing for a setting without a
    comment."""
    found: list[Group] = []
    heading, comment, is_used = "General", [""], True
    for line in text.partition("[app:main]")[2].splitlines():
        if line.startswith("["):
            break
        if match := KEY.match(line):
            if not any(comment):
                raise Missing(f"{match[1]} has no comment in development.ini.")
            if not is_used:
                found.append(Group(heading, " ".join(comment), []))
            is_used = True
            found[-1].keys.append(match[1])
        elif line.startswith(HEADING):
            heading, comment, is_used = line.removeprefix(HEADING), [], False
        elif line.startswith("# "):
            if is_used:
                comment, is_used = [], False
            comment.append(line[2:])
    return found


def settings(registry: Any) -> str:
    plugins = [each for each in installed().values() if each.is_ours]
    sections = [*core_sections(), *(section for each in plugins for section in each.sections)]
    known = {
        f"{section.prefix}.{field.name}": (section, field)
        for section in sections
        for field in fields(section)
    }
    parts: list[str] = []
    heading = ""
    for group in groups(INI.read_text()):
        if group.heading != heading:
            heading = group.heading
            parts.append(f"## {heading.partition(';')[0].rstrip('.')}")
        parts.append(_safe(group.comment))
        rows = []
        for key in group.keys:
            section, field = known.pop(key)
            hint = typing.get_type_hints(section)[field.name]
            variable = quoted(environment_name(key))
            unit = _unit(key, group.comment, hint)
            kind = _type(hint, field.metadata)
            rows.append((quoted(key), kind, _default(field.default), unit, variable))
        parts.append(table(("Setting", "Type", "Default", "Unit", "Variable"), rows))
    if known:
        raise Missing(f"development.ini lacks these settings: {', '.join(known)}.")
    return "\n\n".join(parts)


def _type(hint: Any, metadata: Any) -> str:
    if choices := metadata.get("choices"):
        return ", ".join(map(quoted, choices))
    if minimum := metadata.get("minimum"):
        return f"{annotation(hint)}, at least {minimum:g}"
    return annotation(hint)


def _default(value: Any) -> str:
    if value is MISSING:
        return "required"
    if isinstance(value, Secret) or value in ("", (), None):
        return "empty"
    if isinstance(value, bool):
        return quoted(str(value).lower())
    if isinstance(value, tuple):
        return quoted(" ".join(map(str, value)))
    return quoted(value)


def _unit(key: str, comment: str, hint: Any) -> str:
    """The unit of a number: from the end of its key, or else the first unit in its comment."""
    if hint not in (int, float):
        return ""
    of_key = [unit for unit in UNITS if key.endswith(f"_{unit}")]
    of_comment = re.findall(rf"\b({'|'.join(UNITS)})\b", comment)
    is_time = not re.search(r"How many (threads|sockets|recipients|processes)|share of", comment)
    counts = re.search(r"(port|workers|threads|pool_size|attempts|tries|ratio)$", key)
    if of_key:
        return of_key[0]
    return of_comment[0] if of_comment and is_time and not counts else "number"


def _safe(text: str) -> str:
    """The text of a comment as Markdown."""
    return re.sub(r"(?<!`)\b(competition\.[a-z_]+\.[a-z_0-9]+)\b(?!`)", r"`\1`", text).replace(
        "<", "&lt;"
    )


def commands(registry: Any) -> str:
    found: dict[str, click.Command] = {**CoreCommands()}
    for command in registry.runtime.catalogue[click.Command].values():
        found[str(command.name)] = command
    parts = []
    for name, command in sorted(_leaves(found)):
        context = click.Context(command, info_name=f"competition {name}")
        pieces = " ".join(command.collect_usage_pieces(context))
        text = described_block(f"competition {name}", command.help)
        parts.append(f"## {name}\n\n```sh\ncompetition {name} {pieces}\n```\n\n{text}")
        rows = [
            (quoted(", ".join(each.opts)), described(f"{each.opts[-1]} of {name}", each.help))
            for each in command.params
            if isinstance(each, click.Option) and not each.hidden and "--help" not in each.opts
        ]
        if rows:
            parts.append(table(("Option", "Description"), rows))
    return "\n\n".join(parts)


def described_block(name: str, text: str | None) -> str:
    """A text with its paragraphs. Raises Missing if there is none."""
    described(name, text)
    # Click's mark for a paragraph that it does not wrap.
    return inspect.cleandoc(str(text)).replace("\b\n", "").replace("<", "&lt;")


def _leaves(found: dict[str, click.Command]) -> list[tuple[str, click.Command]]:
    leaves: list[tuple[str, click.Command]] = []
    for name, command in found.items():
        if isinstance(command, click.Group):
            inner = {f"{name} {each}": one for each, one in command.commands.items()}
            leaves += _leaves(inner)
        else:
            leaves.append((name, command))
    return leaves


def metrics(registry: Any) -> str:
    gauges = [
        (
            quoted(each.name),
            "gauge",
            described(each.name, each.help),
            plugin_of(each.read.__module__),
        )
        for each in registry.runtime.catalogue[WatchedGauge].values()
    ]
    counters = {
        counter.name: (counter, plugin_of(module.__name__))
        for module in modules(competition, r"competition\.(core|plugins)\.")
        for counter in vars(module).values()
        if isinstance(counter, Counter)
    }
    counted = [
        (quoted(f"competition_{name}_total"), "counter", described(name, counter.help), plugin)
        for name, (counter, plugin) in sorted(counters.items())
    ]
    measured = [
        (quoted(name), "histogram", described(name, help), "core")
        for name, help in re.findall(
            r'Histogram\(\s*"(\w+)",\s*"([^"]+)"', inspect.getsource(monitoring)
        )
    ]
    head = ("Metric", "Type", "Description", "Plugin")
    alerts = [
        (
            quoted(rule["alert"]),
            rule.get("for", ""),
            described(rule["alert"], rule["annotations"].get("summary")),
        )
        for group in yaml.safe_load(ALERTS.read_text())["groups"]
        for rule in group["rules"]
    ]
    return "\n\n".join(
        [
            table(head, sorted([*measured, *counted, *gauges])),
            "## Alerts",
            table(("Alert", "After", "What is wrong, and what to do"), alerts),
        ]
    )


def retention(registry: Any) -> str:
    rows = []
    for name, rule in sorted(registry.runtime.catalogue[Retention].items()):
        text = summary(rule.forget, name)
        rows.append((quoted(name), text, _limits(plugin_of(rule.forget.__module__), text)))
    periodic = []
    for name, task in sorted(registry.runtime.catalogue[Task].items()):
        if task.every is not None:
            text = summary(task.function, name)
            limits = _limits(plugin_of(task.function.__module__), text)
            periodic.append((quoted(name), str(task.every), text, limits))
    last = "Setting, and its default"
    return "\n\n".join(
        [
            table(("Rule", "What it does", last), rows),
            "## Periodic tasks\n\nSome of these delete data, too. One worker runs each of them once"
            " per period (hours:minutes:seconds).",
            table(("Task", "Period", "What it does", last), periodic),
        ]
    )


def _limits(plugin: str, text: str) -> str:
    """The settings of the plugin that the text names, with their defaults."""
    sections = installed()[plugin].sections if plugin in installed() else core_sections()
    found = [
        f"{quoted(key)}: {_default(field.default)}"
        for section in sections
        for field in fields(section)
        for key in [f"{section.prefix}.{field.name}"]
        if f"`{field.name}`" in text or f"`{key}`" in text
    ]
    return ", ".join(found)


def personal_data(registry: Any) -> str:
    parts = []
    for name, part in sorted(registry.runtime.catalogue[PersonalData].items()):
        rows = [
            ("A copy contains", summary(part.export, f"the export of {name}")),
            ("A copy leaves out", worded(part.withheld) if part.withheld else "nothing"),
            ("An erasure", summary(part.erase, f"the erasure of {name}")),
            ("Stays, without the name", worded(part.remains) if part.remains else "nothing"),
        ]
        parts.append(f"## {name}\n\nPlugin: {plugin_of(part.erase.__module__)}")
        parts.append(table(("", ""), rows))
    return "\n\n".join(parts)
