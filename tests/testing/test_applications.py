"""Tests share applications, because building one is slow. They must not notice it."""

import pytest

from competition.core.limits.counters import RateLimitSettings
from competition.core.runtime import ServiceSettings
from competition.testing.applications import Applications, StartSections


@pytest.fixture
def settings(base_settings):
    return {**base_settings, "competition.plugins": "accounts"}


@pytest.fixture
def applications():
    applications = Applications()
    yield applications
    applications.close()


def test_an_application_gets_other_settings_if_it_did_not_read_them_at_its_start(
    applications, settings
):
    first = applications.get(settings)
    assert not first.runtime.settings[RateLimitSettings].enabled
    applications.release()
    with_limits = applications.get({**settings, "competition.ratelimit.enabled": "true"})
    assert with_limits is first
    assert first.runtime.settings[RateLimitSettings].enabled


@pytest.mark.parametrize(
    "changes", [{"competition.name": "The League"}, {"competition.plugins": "accounts people"}]
)
def test_what_was_read_at_the_start_needs_an_application_of_its_own(
    applications, settings, changes
):
    first = applications.get(settings)
    applications.release()
    assert applications.get({**settings, **changes}) is not first
    applications.release()
    assert applications.get(settings) is first


def test_two_services_of_one_test_are_two_applications(applications, settings):
    first = applications.get(settings)
    second = applications.get({**settings, "competition.ratelimit.enabled": "true"})
    assert second is not first
    assert not first.runtime.settings[RateLimitSettings].enabled


class Recorder:
    def __init__(self):
        self.is_closed = False

    def close(self):
        self.is_closed = True


def test_a_test_leaves_no_part_of_the_runtime_running(applications, settings):
    application = applications.get(settings)
    recorder = application.runtime.part(Recorder)
    applications.release()
    assert recorder.is_closed
    assert applications.get(settings).runtime.part(Recorder) is not recorder


def test_settings_kept_since_the_start_can_not_be_read_later():
    sections = StartSections({ServiceSettings: "at the start"})
    assert sections[ServiceSettings] == "at the start"
    sections.end()
    with pytest.raises(RuntimeError, match=r"ServiceSettings .* runtime\.settings"):
        sections[ServiceSettings]
