"""Allowances: more time for a candidate, a school or everybody, also while the exam runs.

What is given becomes rows that the clock of `sittings` counts (`ExtraTime`, `ExtraPercent`): this
plugin says to whom, why and since when, tells everybody concerned who is sitting, and has the
attempts reopened that the service had handed in. See docs/decisions/0020-allowances.md.
"""

from pyramid.config import Configurator

REQUIRES = ("sittings",)


def includeme(config: Configurator) -> None:
    config.add_examples(
        extra_minutes=15,
        percent=25,
        everyone=True,
        affected=412,
        school="Lycée Sophie Germain",
    )
    config.scan()
