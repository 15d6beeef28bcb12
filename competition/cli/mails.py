"""`competition mail`."""

from datetime import timedelta

import click

from competition.cli.ini import Ini, ini_argument
from competition.core.console import print_table
from competition.core.mail import mails as mails
from competition.core.mail.message import compose
from competition.core.mail.transport import MailSettings, Transport, TransportError
from competition.core.schemas import Email, Schema, node
from competition.core.web.validation import deserialize

MOST_MAILS = 100
# No mail of the table has it.
TEST_MAIL = 0


class Recipient(Schema):
    address = node(Email())


@click.group()
def mail() -> None:
    """List mails, and send them again."""


@mail.command("list")
@click.option("--failed", is_flag=True, help="Only mails that could not be sent.")
@ini_argument
def list_mails(failed: bool, ini: Ini) -> None:
    """The newest hundred mails, the latest last; what they say is not kept."""
    with ini.work() as work:
        found = mails.newest(work, MOST_MAILS, only_failed=failed)
    print_table(
        ("id", "mail", "recipient", "state", "tries", "asked for", "sent", "last error"),
        [
            (
                each.id,
                each.template,
                each.recipient,
                each.state,
                each.tries,
                each.created_at,
                each.sent_at,
                each.last_error,
            )
            for each in found
        ],
    )


@mail.command("test")
@click.argument("address")
@ini_argument
def send_test_mail(address: str, ini: Ini) -> None:
    """Send a mail to ADDRESS now, from here, and say whether it was taken."""
    with ini.runtime() as runtime:
        name, sender = runtime.service.name, runtime.settings[MailSettings].sender
        message = compose(
            sender,
            deserialize(Recipient, {"address": address})["address"],
            f"A test of {name}",
            f"This mail was sent by `competition mail test`: mails of {name} arrive.",
            runtime.clock(),
            service=name,
            reply_to=runtime.service.support_email,
        )
        try:
            with runtime[Transport].open() as connection:
                connection.send(message, TEST_MAIL)
        except TransportError as error:
            raise click.ClickException(
                f"It was not taken: {error.reason}. `competition doctor` tries the rest."
            ) from None
    click.echo(f"It was taken. Look for it at {address}, among the unwanted ones too.")


@mail.command("resend")
@click.argument("mail_id", metavar="ID", type=click.IntRange(min=1))
@ini_argument
def resend_mail(mail_id: int, ini: Ini) -> None:
    """Send a mail again, with a new code or password where it brings one."""
    with ini.work() as work:
        mails.resend(work, mail_id)
    click.echo(f"Mail {mail_id} is sent again.")


@mail.command("resend-failed")
@click.option(
    "--hours",
    type=click.IntRange(1, 24 * 90),
    default=24,
    show_default=True,
    help="How far to look back, in hours.",
)
@ini_argument
def resend_failed_mails(hours: int, ini: Ini) -> None:
    """Send all failed mails again, as after an outage of the mail server."""
    with ini.work() as work:
        count = mails.resend_failed(work, work.now - timedelta(hours=hours))
    click.echo(f"{count} mail{' is' if count == 1 else 's are'} sent again.")
