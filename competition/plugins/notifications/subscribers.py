from competition.core.events import subscriber
from competition.plugins.notifications import services
from competition.plugins.notifications.events import Notify
from competition.plugins.people.events import RoleAssigned
from competition.plugins.verification.events import ChangesDecided, DocumentsDecided


@subscriber(Notify)
def notify(event: Notify) -> None:
    if services.is_told(event.work, event.about):
        services.notify(event.work, event.user_ids, event.subject, event.message)


@subscriber(DocumentsDecided)
def tell_of_a_decision(event: DocumentsDecided) -> None:
    if not services.is_told(event.work, services.DOCUMENTS):
        return
    if event.is_approved:
        subject, message = "Your documents are approved", "Your identity has been verified."
    else:
        subject, message = "Your documents were rejected", "Please send them again."
        if event.reason:
            message = f"{event.reason}\n\n{message}"
    services.notify(event.work, [event.user_id], subject, message)


@subscriber(ChangesDecided)
def tell_of_changes(event: ChangesDecided) -> None:
    if not services.is_told(event.work, services.DOCUMENTS):
        return
    became = "approved" if event.is_approved else "rejected"
    message = f"What you wanted to change of your name or school was {became}."
    if event.reason:
        message = f"{event.reason}\n\n{message}"
    subject = f"Your changes are {became}"
    services.notify(event.work, [event.user_id], subject, message)


@subscriber(RoleAssigned)
def tell_of_a_role(event: RoleAssigned) -> None:
    if services.is_told(event.work, services.ROLES):
        message = f"Your role is now: {event.new}."
        services.notify(event.work, [event.user_id], "You have a new role", message)
