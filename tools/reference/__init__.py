"""`make reference`: write the pages in docs/reference from the code.

Each page lists everything of its kind that core and the built-in plugins declare, with the
description beside the declaration. `Missing` names each thing without a description. A test writes
the pages again, and fails if they differ from those in the repository.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.reference import code, declared, operating

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/reference"
NOTE = "<!-- Written by `make reference` from the code. Change the code instead. -->"

# The pages, by file: a title, an introduction, and the function that writes the rest.
PAGES: dict[str, tuple[str, str, Callable[[Any], str]]] = {
    "settings.md": (
        "Settings",
        "All settings of the service and of the built-in plugins. An environment variable overrides"
        " the ini file. [Operating](../operating.md) explains how they fit together.",
        operating.settings,
    ),
    "commands.md": (
        "Commands",
        "All commands of `competition`. `competition COMMAND --help` shows the same texts.",
        operating.commands,
    ),
    "metrics.md": (
        "Metrics and alerts",
        "The metrics at `/v1/metrics/`, and the rules in `deploy/prometheus/alerts.yaml`."
        " [Alerts](../alerts.md) explains how to use them.",
        operating.metrics,
    ),
    "retention.md": (
        "Retention",
        "The data that the service deletes automatically, every hour, and the secrets that it"
        " encrypts again. An account that its user deletes is erased"
        " `competition.privacy.deletion_days` later. [Settings](settings.md) says what 0 days"
        " mean.",
        operating.retention,
    ),
    "personal-data.md": (
        "Personal data",
        "What each part of the service stores about a person: what a copy of the data contains and"
        " leaves out, what an erasure deletes, and what stays without the name.",
        operating.personal_data,
    ),
    "errors.md": (
        "Error codes",
        "Every code of an error of the API, its meaning, and what a client should do. The [guide"
        " for clients](../client-guide.md) explains the body of an error.",
        declared.errors,
    ),
    "events.md": (
        "Events",
        "The events that plugins can subscribe to with `@subscriber(Event)`.",
        declared.events,
    ),
    "slots.md": (
        "Slots",
        "The places in replies to which plugins add fields with `@fill_slot(SLOT, name)`, and the"
        " fields that the built-in plugins add.",
        declared.slots,
    ),
    "hooks.md": (
        "Hooks for plugins",
        "The decorators and directives with which a plugin registers what it provides."
        " [Writing a plugin](../plugins.md) shows them in use.",
        declared.hooks,
    ),
    "endpoint-options.md": (
        "Options of endpoints",
        "The options of the decorators `get`, `post`, `put`, `patch` and `delete` of a `Service`.",
        code.endpoint_options,
    ),
}


def pages(registry: Any) -> dict[str, str]:
    """The text of each page, by file name.

    Raises Missing if a thing has no description.
    """
    return {
        name: f"# {title}\n\n{NOTE}\n\n{lead}\n\n{write(registry).strip()}\n"
        for name, (title, lead, write) in PAGES.items()
    }
