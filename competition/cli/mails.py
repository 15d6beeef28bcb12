"""The command `competition mail`: list emails, send them again, and send a test email."""

from datetime import timedelta

import click

from competition.cli.ini import Ini, ini_argument
from competition.core.commands import print_table
from competition.core.mail import mails
from competition.core.mail.message import compose, letter
from competition.core.mail.transport import MailSettings, Transport, TransportError
from competition.core.schemas import Email, Schema, node
from competition.core.web.validation import deserialize

MOST_MAILS = 100
# The id of the test email, which has no row.
TEST_MAIL = 0


class Recipient(Schema):
    address = node(Email())


@click.group()
def mail() -> None:
    """List emails, send them again, and send a test email."""


@mail.command("list")
@click.option("--failed", is_flag=True, help="Only emails that could not be sent.")
@ini_argument
def list_mails(failed: bool, ini: Ini) -> None:
    """List the newest 100 emails, the latest last. Their contents are not stored."""
    with ini.work() as work:
        found = mails.newest(work, MOST_MAILS, only_failed=failed)
    print_table(
        ("id", "email", "recipient", "state", "tries", "created", "sent", "last error"),
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
    """Send a test email to ADDRESS.

    The command sends the email itself, without a worker, and prints whether the mail server
    accepted it.
    """
    with ini.runtime() as runtime:
        name, sender = runtime.service.name, runtime.settings[MailSettings].sender
        message = compose(
            sender,
            deserialize(Recipient, {"address": address})["address"],
            letter(
                f"Test email of {name}",
                f"This is a test email from `competition mail test`. Emails of {name} arrive.",
                service=name,
            ),
            runtime.clock(),
            reply_to=runtime.service.support_email,
        )
        try:
            with runtime[Transport].open() as connection:
                connection.send(message, TEST_MAIL)
        except TransportError as error:
            raise click.ClickException(
                f"The email was not accepted: {error.reason}. `competition doctor` checks the rest."
            ) from None
    click.echo(
        f"The email was accepted for delivery. Check the inbox of {address}, and its spam folder."
    )


@mail.command("resend")
@click.argument("mail_id", metavar="ID", type=click.IntRange(min=1))
@ini_argument
def resend_mail(mail_id: int, ini: Ini) -> None:
    """Send an email again. A code or password in it is replaced by a new one."""
    with ini.work() as work:
        mails.resend(work, mail_id)
    click.echo(f"Email {mail_id} will be sent again.")


@mail.command("resend-failed")
@click.option(
    "--hours",
    type=click.IntRange(1, 24 * 90),
    default=24,
    show_default=True,
    help="How old the emails may be, in hours.",
)
@ini_argument
def resend_failed_mails(hours: int, ini: Ini) -> None:
    """Send all failed emails of the last --hours hours again.

    Use this after an outage of the mail server.
    """
    with ini.work() as work:
        count = mails.resend_failed(work, work.now - timedelta(hours=hours))
    click.echo(f"{count} email{'' if count == 1 else 's'} will be sent again.")
