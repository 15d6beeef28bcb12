"""Tests share applications, because building one is slow. They must not notice it."""

import io

import pytest

from competition.core.limits.counters import RateLimitSettings
from competition.core.mail.transport import Transport
from competition.core.runtime import ServiceSettings
from competition.core.storage.contract import Storage
from competition.testing.applications import Applications, StartSections
from competition.testing.transports import message


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


def test_other_folders_of_files_and_emails_need_no_other_application(
    applications, settings, tmp_path
):
    first = applications.get(settings)
    applications.release()
    folders = {
        "competition.storage.folder": str(tmp_path / "files"),
        "competition.mail.folder": str(tmp_path / "mail"),
    }
    assert applications.get({**settings, **folders}) is first
    first.runtime[Storage].put("tests/a.txt", io.BytesIO(b"text"), "text/plain")
    assert (tmp_path / "files" / "tests" / "a.txt").read_bytes() == b"text"
    with first.runtime[Transport].open() as connection:
        connection.send(message("ada@school.example"), 1)
    assert len([*(tmp_path / "mail").glob("*.eml")]) == 1
    applications.release()
    applications.get(settings).runtime[Storage].put(
        "tests/b.txt", io.BytesIO(b"text"), "text/plain"
    )
    assert not (tmp_path / "files" / "tests" / "b.txt").exists()


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
