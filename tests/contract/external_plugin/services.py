from competition.core import audit, flags
from competition.core.mail import mails
from competition.core.work import Work
from tests.contract.external_plugin import events


def greeting(work: Work, name: str) -> str:
    from tests.contract.external_plugin import ExternalSettings

    text = f"{work.settings[ExternalSettings].greeting}, {name}!"
    return text.upper() if flags.enabled(work, "external_loudly") else text


def greet(work: Work, email: str) -> str:
    work.emit(events.Greeted(work, email))
    work.enqueue("external.remember", email=email)
    return greeting(work, email)


def write_to(event: events.Greeted) -> None:
    mails.send(event.work, "external.greeting", event.email)


def remember(work: Work, email: str) -> None:
    audit.record(work, "external.remember", subject=email)
