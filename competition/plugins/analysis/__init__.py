"""Item analysis: how hard each question of an exam was, how well it separates strong from weak
candidates, and which questions look wrong.

Only submissions count, marked by the current answer key. Scores given by staff do not.
`services.counting` counts the answers in PostgreSQL, and `services.formulas` explains and computes
the numbers.
"""

from pyramid.config import Configurator

REQUIRES = ("scores",)


def includeme(config: Configurator) -> None:
    config.add_examples(
        candidates=120,
        mean=61.25,
        median=62.5,
        standard_deviation=18.04,
        reliability=0.8421,
        standard_error=7.17,
        facility=0.7083,
        discrimination=0.3912,
        omitted=3,
        chosen=85,
        share=0.7083,
        alarms=["too_easy"],
    )
    config.scan()
