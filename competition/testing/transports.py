"""Contract tests that every mail transport has to pass. Run them for a transport of your plugin:

class TestQueue(TransportContract):
    @pytest.fixture
    def transport(self):
        return QueueTransport(…)

    @pytest.fixture
    def delivered(self):
        return lambda: messages_in_the_queue()
"""

from collections.abc import Callable, Collection
from email.message import EmailMessage

from competition.core.mail.message import POLICY
from competition.core.mail.transport import Transport

Delivered = Callable[[], Collection[EmailMessage]]


class TransportContract:
    """Tests that every mail transport has to pass. Subclasses define a fixture `transport`, and a
    fixture `delivered`, which is a function that returns the delivered emails."""

    def test_a_mail_arrives(self, transport: Transport, delivered: Delivered) -> None:
        with transport.open() as connection:
            connection.send(message("ada@school.example"), 1)
        [mail] = delivered()
        assert (mail["To"], mail["Subject"]) == ("ada@school.example", "Good morning")
        assert mail.get_content().strip() == "From Ærøskøbing."

    def test_one_connection_sends_several(self, transport: Transport, delivered: Delivered) -> None:
        names = [f"pupil{number}@school.example" for number in range(3)]
        with transport.open() as connection:
            for number, name in enumerate(names):
                connection.send(message(name), number)
        assert sorted(mail["To"] for mail in delivered()) == names

    def test_the_transport_can_be_opened_again(
        self, transport: Transport, delivered: Delivered
    ) -> None:
        for number in range(2):
            with transport.open() as connection:
                connection.send(message("ada@school.example"), number)
        assert len(delivered()) == 2

    def test_a_connection_without_a_mail_is_no_error(
        self, transport: Transport, delivered: Delivered
    ) -> None:
        with transport.open():
            pass
        assert len(delivered()) == 0

    def test_the_same_mail_can_be_sent_again(
        self, transport: Transport, delivered: Delivered
    ) -> None:
        with transport.open() as connection:
            for _ in range(2):
                connection.send(message("ada@school.example"), 1)
        assert {mail["To"] for mail in delivered()} == {"ada@school.example"}


def message(recipient: str) -> EmailMessage:
    mail = EmailMessage(policy=POLICY)
    mail["From"] = "league@league.example"
    mail["To"] = recipient
    mail["Subject"] = "Good morning"
    mail.set_content("From Ærøskøbing.")
    return mail
