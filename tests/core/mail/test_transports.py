"""The contract of every email transport, and which transport the service uses."""

import email
import email.policy

import pytest
from aiosmtpd.controller import Controller

from competition.core.mail.transport import FolderTransport, MailSettings, SmtpTransport, Transport
from competition.core.plugins import build
from competition.core.settings import SettingsError
from competition.testing.transports import TransportContract
from tests.support.foreign_backends import Pigeons
from tests.support.ports import free_port

PIGEONS = "tests.support.foreign_backends.Pigeons"


def parsed(content):
    return email.message_from_bytes(content, policy=email.policy.default)


class TestFolder(TransportContract):
    @pytest.fixture
    def transport(self, tmp_path):
        return FolderTransport(tmp_path)

    @pytest.fixture
    def delivered(self, tmp_path):
        return lambda: [parsed(path.read_bytes()) for path in tmp_path.glob("*.eml")]


class Letters:
    def __init__(self):
        self.taken = []

    async def handle_DATA(self, server, session, envelope):
        self.taken.append(parsed(envelope.content))
        return "250 taken"


class TestSmtp(TransportContract):
    @pytest.fixture
    def server(self):
        controller = Controller(Letters(), hostname="127.0.0.1", port=free_port())
        controller.start()
        yield controller
        controller.stop()

    @pytest.fixture
    def transport(self, server):
        return SmtpTransport(
            MailSettings(
                sender="league@league.example",
                smtp_host="127.0.0.1",
                smtp_port=server.port,
                smtp_security="none",
            )
        )

    @pytest.fixture
    def delivered(self, server):
        return lambda: server.handler.taken


class TestPigeons(TransportContract):
    """A transport of a third-party plugin."""

    @pytest.fixture
    def transport(self, app):
        return Pigeons(app.runtime.settings)

    @pytest.fixture
    def delivered(self, transport):
        return lambda: transport.taken


@pytest.fixture
def transport_with(base_settings):
    def choose(**settings):
        changes = {f"competition.mail.{name}": value for name, value in settings.items()}
        # Core makes it, so the plugins need not be built.
        config = build({**base_settings, "competition.plugins": "", **changes})
        runtime = config.registry.runtime
        runtime.close()
        return runtime[Transport]

    return choose


def test_without_a_host_emails_are_written_to_the_folder(transport_with):
    assert isinstance(transport_with(), FolderTransport)


def test_a_host_is_preferred_to_the_folder(transport_with):
    assert isinstance(transport_with(smtp_host="smtp.example"), SmtpTransport)


def test_the_folder_can_be_chosen_although_a_host_is_set(transport_with):
    transport = transport_with(smtp_host="smtp.example", transport="folder")
    assert isinstance(transport, FolderTransport)


def test_a_plugin_can_provide_a_transport(transport_with):
    transport = transport_with(transport=PIGEONS, folder="")
    assert type(transport).__name__ == "Pigeons"
    assert transport.support == "support@league.example"


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"transport": "smtp"}, "smtp_host"),
        ({"transport": "folder", "folder": ""}, "folder"),
        ({"folder": ""}, "smtp_host"),
        ({"transport": "post"}, "transport"),
        ({"transport": "no.such.module"}, "transport"),
    ],
)
def test_an_unusable_transport_stops_the_start_with_its_key(transport_with, settings, key):
    with pytest.raises(SettingsError) as refused:
        transport_with(**settings)
    [problem] = refused.value.problems
    assert problem.startswith(f"competition.mail.{key}: ")
