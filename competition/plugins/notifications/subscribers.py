from competition.core.auth.access import ROLE_NAMES
from competition.core.events import subscriber
from competition.core.messages import Message
from competition.plugins.notifications import services
from competition.plugins.notifications.events import Notify
from competition.plugins.people.events import RoleAssigned
from competition.plugins.verification.events import ChangesDecided, DocumentsDecided


@subscriber(Notify)
def notify(event: Notify) -> None:
    services.notify(event.work, event.user_ids, event.subject, event.message, event.about)


@subscriber(DocumentsDecided)
def notify_of_documents(event: DocumentsDecided) -> None:
    if event.is_approved:
        subject = Message("Your documents are approved")
        message = Message("Your identity has been verified.")
    else:
        subject = Message("Your documents were rejected")
        message = _with_reason(event.reason, Message("Please upload them again."))
    services.notify(event.work, [event.user_id], subject, message, services.DOCUMENTS)


@subscriber(ChangesDecided)
def notify_of_changes(event: ChangesDecided) -> None:
    if event.is_approved:
        subject = Message("Your changes were approved")
        message = Message("The changes to your name or school were approved.")
    else:
        subject = Message("Your changes were rejected")
        message = Message("The changes to your name or school were rejected.")
    message = _with_reason(event.reason, message)
    services.notify(event.work, [event.user_id], subject, message, services.DOCUMENTS)


@subscriber(RoleAssigned)
def notify_of_role(event: RoleAssigned) -> None:
    subject = Message("You have a new role")
    message = Message("Your role is now: ${role}.", role=ROLE_NAMES[event.new])
    services.notify(event.work, [event.user_id], subject, message, services.ROLES)


def _with_reason(reason: str | None, message: Message) -> Message:
    """A message with the reason that staff have given in front of `message`. Without a reason, only
    `message`."""
    if not reason:
        return message
    return Message("${reason}\n\n${message}", reason=reason, message=message)
