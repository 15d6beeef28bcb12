"""Item analysis: how hard each question of an exam was, how well it tells the strong from the weak,
and which look wrong.

It looks at submissions alone, by the key as it is now; scores given by hand are not in it. What the
numbers mean is in `services.formulas`, where they come from in `services.counting`.
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
