"""The endpoint for inviting staff."""

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import IdempotencyKeyReused, PermissionDenied
from competition.core.messages import Message
from competition.core.schemas import IdempotencyHeaders
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts.errors import PasswordsDoNotMatch, PasswordValidationFailed
from competition.plugins.people import schemas
from competition.plugins.people.presenters import accounts as presenters
from competition.plugins.people.services import invitations

invitation = Service("/staff/invite/")


@invitation.post(
    access=staff(StaffRole.MANAGER),
    status=201,
    headers=IdempotencyHeaders,
    body=schemas.Invitation,
    errors=(PermissionDenied, PasswordsDoNotMatch, PasswordValidationFailed, IdempotencyKeyReused),
    hashes_password=True,
)
def invite_staff(request: Request) -> presenters.InvitationReceipt:
    """Invite a new member of staff: create an account with a role below your own.

    If you send no passwords, the service generates one and sends it by email. Logging in with this
    password verifies the email address. Choose no password for someone else: you would know it.
    A service may reject passwords in invitations. With an `Idempotency-Key`, the request can be
    sent again, for example if the reply was lost.
    """
    fields = dict(request.validated)
    invitations.invite(request.work, fields, fields.pop("idempotency_key"))
    return presenters.InvitationReceipt(message=Message("The invitation will be sent by email."))
