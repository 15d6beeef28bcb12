"""A plugin whose endpoints misbehave, and tasks that exist for one test."""

from collections.abc import Callable
from typing import Any

import pytest

from competition.core.jobs.tasks import Task
from competition.testing.applications import RawSettings
from competition.testing.service import Service

AddTask = Callable[..., str]


@pytest.fixture
def with_probe(install: Callable[..., None], base_settings: RawSettings) -> RawSettings:
    """Install the plugin `probe`, and return the settings that enable it."""
    install(probe="tests.support.probe")
    return {"competition.plugins": base_settings["competition.plugins"] + " probe"}


@pytest.fixture
def probe(app_with: Callable[..., Service], with_probe: RawSettings) -> Service:
    return app_with(with_probe)


@pytest.fixture
def live_probe(live_with: Callable[..., Service], with_probe: RawSettings) -> Service:
    return live_with(with_probe)


@pytest.fixture
def add_task() -> AddTask:
    """``add_task(service, function, batch=True)`` registers a task and returns its name."""

    def add(service: Service, function: Callable[..., None], **kind: Any) -> str:
        name = f"test.{function.__name__}"
        service.runtime.catalogue[Task][name] = Task(name, function, **kind)
        return name

    return add
