from competition.core.events import subscriber
from competition.plugins.notifications import services
from competition.plugins.notifications.events import Notify
from competition.plugins.people.events import RoleAssigned
from competition.plugins.verification.events import ChangesDecided, DocumentsDecided


@subscriber(Notify)
def notify(event: Notify) -> None:
    if services.is_enabled(event.work, event.about):
        services.notify(event.work, event.user_ids, event.subject, event.message)


@subscriber(DocumentsDecided)
def notify_of_documents(event: DocumentsDecided) -> None:
    if not services.is_enabled(event.work, services.DOCUMENTS):
        return
    if event.is_approved:
        subject, message = "Your documents are approved", "Your identity has been verified."
    else:
        subject, message = "Your documents were rejected", "Please upload them again."
        if event.reason:
            message = f"{event.reason}\n\n{message}"
    services.notify(event.work, [event.user_id], subject, message)


@subscriber(ChangesDecided)
def notify_of_changes(event: ChangesDecided) -> None:
    if not services.is_enabled(event.work, services.DOCUMENTS):
        return
    became = "approved" if event.is_approved else "rejected"
    message = f"The changes to your name or school were {became}."
    if event.reason:
        message = f"{event.reason}\n\n{message}"
    subject = f"Your changes were {became}"
    services.notify(event.work, [event.user_id], subject, message)


@subscriber(RoleAssigned)
def notify_of_role(event: RoleAssigned) -> None:
    if services.is_enabled(event.work, services.ROLES):
        message = f"Your role is now: {event.new}."
        services.notify(event.work, [event.user_id], "You have a new role", message)
