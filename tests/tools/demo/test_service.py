import json
from pathlib import Path
from typing import Any

import pytest

from tools.demo import service
from tools.demo.errors import DemoError

WRITTEN = {
    # No service listens on this port.
    "base_url": "http://127.0.0.1:1/v1",
    "ws_url": "ws://127.0.0.1:1/v1/ws/notifications/",
    "api_key": "the key",
    "superadmin": {"email": "root@league.example", "password": "the password"},
    "mail_dir": "/var/mail",
}


@pytest.fixture
def dev_file(tmp_path: Path) -> Path:
    return tmp_path / "dev.json"


def test_the_file_is_read_and_its_secrets_are_not_shown(dev_file: Path) -> None:
    dev_file.write_text(json.dumps(WRITTEN))
    address = service.read_address(dev_file)
    assert address.api_key == "the key"
    assert address.superadmin_password == "the password"
    assert address.mail_dir == Path("/var/mail")
    assert "the key" not in repr(address)
    assert "the password" not in repr(address)


def test_a_missing_file_is_named(dev_file: Path) -> None:
    with pytest.raises(DemoError, match=r"dev\.json can't be read"):
        service.read_address(dev_file)


@pytest.mark.parametrize("written", ["", "[]", "{}", '{"base_url": 1}'])
def test_a_file_with_other_content_is_named(dev_file: Path, written: str) -> None:
    dev_file.write_text(written)
    with pytest.raises(DemoError, match=r"dev\.json is not a file"):
        service.read_address(dev_file)


def test_a_service_without_an_email_folder_is_rejected(dev_file: Path) -> None:
    written: dict[str, Any] = {**WRITTEN, "mail_dir": None}
    dev_file.write_text(json.dumps(written))
    with pytest.raises(DemoError, match="SMTP"):
        service.read_address(dev_file)


def test_no_file_means_that_no_service_runs(dev_file: Path) -> None:
    assert service.running(dev_file) is None


def test_a_file_left_behind_means_that_no_service_runs(dev_file: Path) -> None:
    dev_file.write_text(json.dumps(WRITTEN))
    assert service.running(dev_file) is None


def test_a_service_at_a_given_address_must_answer(dev_file: Path) -> None:
    dev_file.write_text(json.dumps(WRITTEN))
    with pytest.raises(DemoError, match="no answer"):
        service.running(dev_file, "http://127.0.0.1:1/v1")
