from dataclasses import dataclass
from typing import ClassVar

import pytest

from competition.core import renamed
from competition.core.mail.transport import MailSettings
from competition.core.plugins import load_settings
from competition.core.runtime import ServiceSettings
from competition.core.settings import (
    Secret,
    SettingsError,
    environment_name,
    overlay,
    read,
    setting,
)
from competition.core.storage.contract import StorageSettings


@dataclass(frozen=True, kw_only=True)
class Example:
    prefix: ClassVar[str] = "competition.example"
    size: int = setting(3, minimum=1)
    wide: bool = setting(False)
    colour: str = setting("red", choices=("red", "blue"))
    key: Secret = setting()


def settings(raw, environ=None):
    problems = []
    texts = overlay([Example], raw, environ or {}, problems)
    return read([Example], texts, problems)[Example]


def test_a_deleted_setting_stops_the_start_and_says_what_to_write_instead(
    base_settings, monkeypatch
):
    deleted = dict.fromkeys(renamed.SETTINGS, "1")
    with pytest.raises(SettingsError) as refused:
        load_settings({**base_settings, **deleted})
    assert refused.value.problems == [
        f"{key}: no such setting. {renamed.SETTINGS[key]}" for key in sorted(renamed.SETTINGS)
    ]
    for key in deleted:
        monkeypatch.setenv(environment_name(key), "1")
    with pytest.raises(SettingsError) as refused:
        load_settings(base_settings)
    assert refused.value.problems == [
        f"{environment_name(key)} (environment): no such setting. {instead}"
        for key, instead in renamed.SETTINGS.items()
    ]


def test_a_missing_setting_has_its_default():
    example = settings({"competition.example.key": "k"})
    assert (example.size, example.wide, example.colour) == (3, False, "red")


def test_the_environment_wins_over_the_ini():
    example = settings(
        {"competition.example.size": "4", "competition.example.key": "k"},
        {"COMPETITION_EXAMPLE_SIZE": "5", "PATH": "/bin"},
    )
    assert example.size == 5


def test_folders_in_var_move_with_its_variable():
    raw = {
        "competition.var": "/checkout/var",
        "competition.mail.folder": "/checkout/var/mail",
        "competition.storage.folder": "/checkout/files",
        "competition.name": "The mathematics league",
    }
    moved = overlay(
        [ServiceSettings, MailSettings, StorageSettings], raw, {"COMPETITION_VAR": "/b"}, []
    )
    assert moved["competition.var"] == "/b"
    assert moved["competition.mail.folder"] == "/b/mail"
    assert moved["competition.storage.folder"] == "/checkout/files"
    assert moved["competition.name"] == "The mathematics league"
    assert overlay([ServiceSettings, MailSettings, StorageSettings], raw, {}, []) == raw


def test_all_errors_are_reported_together_by_name():
    with pytest.raises(SettingsError) as refusal:
        settings(
            {
                "competition.example.size": "0",
                "competition.example.wide": "maybe",
                "competition.example.colour": "green",
            }
        )
    text = str(refusal.value)
    for name in ("size", "wide", "colour", "key"):
        assert f"competition.example.{name}: " in text
    assert "COMPETITION_EXAMPLE_KEY" in text


@pytest.mark.parametrize(
    ("raw", "environ", "named"),
    [
        ({"competition.example.sise": "4"}, {}, "competition.example.sise"),
        ({}, {"COMPETITION_EXAMPLE_SISE": "4"}, "COMPETITION_EXAMPLE_SISE"),
    ],
)
def test_an_unknown_key_stops_the_start(raw, environ, named):
    with pytest.raises(SettingsError, match=named):
        settings(raw, environ)


def test_unknown_settings_are_reported_with_all_other_errors(base_settings):
    wrong = {"competition.exams.nothing": "1", "competition.jobs.attempts": "0"}
    with pytest.raises(SettingsError) as refusal:
        load_settings({**base_settings, **wrong})
    assert [each.partition(":")[0] for each in refusal.value.problems] == list(wrong)
    with pytest.raises(SettingsError) as refusal:
        load_settings({**base_settings, **wrong, "competition.plugins": "nowhere"})
    assert "competition.exams.nothing" in str(refusal.value) and "nowhere" in str(refusal.value)


def test_a_secret_is_not_shown_in_its_repr():
    assert "hush" not in repr(settings({"competition.example.key": "hush"}))
