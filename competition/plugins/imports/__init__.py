"""Imports: staff add people, questions, scores and answers to the service from files.

The service checks an uploaded file in the background. Then the list of its rows shows what each
line would do. Nothing changes until the import is applied. Plugins declare the kinds of rows.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import parse_rates
from competition.core.settings import setting
from competition.plugins.imports.services.reading.formats import MEDIA_TYPES, STORED_AS


@dataclass(frozen=True, kw_only=True)
class ImportSettings:
    """How long imports are retained. A checked import that nobody applies is cancelled after
    `cancelled_days` days. The rows of an import are deleted `rows_days` days after it ended."""

    prefix: ClassVar[str] = "competition.imports"
    cancelled_days: int = setting(7, minimum=1)
    rows_days: int = setting(30, minimum=1)


SETTINGS = ImportSettings

# How often a user may read imports. Clients poll them while they are checked and applied.
READING = parse_rates("60/minute")


def includeme(config: Configurator) -> None:
    for form, media_type in MEDIA_TYPES.items():
        config.add_content_type(STORED_AS.get(form, form), media_type)
    config.add_ceiling("imports", lambda settings: READING)
    config.add_lane("imports")
    config.add_examples(
        kind="candidates",
        format="xlsx",
        filename="class list.xlsx",
        status="checked",
        columns={"Surname": "last_name"},
        ignored_columns=["S/N"],
        exam=None,
        line=5,
        state="changed",
        values={"last_name": "Noether"},
        before={"last_name": "Nöther"},
        errors={},
        warnings=[],
        rows=200,
        new=180,
        changed=12,
        unchanged=3,
        invalid=5,
        applied=0,
        done=200,
        total=200,
        detail=None,
    )
    config.scan()
