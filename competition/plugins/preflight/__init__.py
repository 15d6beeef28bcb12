"""Pre-flight: check that an exam and the service are ready, freeze the questions, and preview the
paper.

Plugins declare checks with `preflight_check` of core. This plugin has the checks of the exam, its
questions, and the infrastructure.
"""

from pyramid.config import Configurator

REQUIRES = ("sittings",)


def includeme(config: Configurator) -> None:
    config.add_examples(
        ready=False,
        name="window",
        level="error",
        message="The exam is open for less time than its countdown.",
        items=[],
        title="Rings and ideals",
        stage_display="screening_1",
        status="scheduled",
        countdown_minutes=60,
    )
    config.scan()
