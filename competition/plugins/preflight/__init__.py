"""Pre-flight: whether an exam and the service are ready, the paper fixed and seen beforehand.

The checks are core's `preflight_check`: those of the exam and of what the service stands on are
here, others come from the plugins that know.
"""

from pyramid.config import Configurator

REQUIRES = ("sittings",)


def includeme(config: Configurator) -> None:
    config.add_examples(
        ready=False,
        name="window",
        level="error",
        message="The window is shorter than the countdown.",
        items=[],
        title="Rings and ideals",
        stage_display="screening_1",
        status="scheduled",
        countdown_minutes=60,
    )
    config.scan()
