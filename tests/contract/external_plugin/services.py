from html import escape
from typing import Any

from sqlalchemy import func, select, update

from competition.core import audit, flags
from competition.core.audit import AuditEntry
from competition.core.errors import NotFound
from competition.core.events import subscriber
from competition.core.jobs import jobs
from competition.core.jobs.housekeeping import retention
from competition.core.mail import mails
from competition.core.monitoring.metrics import Counter, gauge
from competition.core.monitoring.readiness import readiness_check
from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.web import html
from competition.core.work import Work
from tests.contract.external_plugin import events

SHOUTS = Counter("external_shouts", "How often all users were greeted.")
# The actions of this plugin in the process of the tests.
done: list[tuple[str, Any]] = []


def greeting(work: Work, name: str) -> str:
    from tests.contract.external_plugin import ExternalSettings

    text = f"{work.settings[ExternalSettings].greeting}, {name}!"
    return text.upper() if flags.enabled(work, "external.loudly") else text


def greet(work: Work, email: str) -> str:
    work.emit(events.Greeted(work, email))
    jobs.enqueue(work, "external.remember", email=email)
    return greeting(work, email)


def shout(work: Work) -> str:
    work.after_commit(lambda: work.runtime.metrics.count(SHOUTS))
    return greeting(work, "everybody")


@subscriber(events.Greeted)
def write_to(event: events.Greeted) -> None:
    mails.send(event.work, "external.greeting", event.email)


def remember(work: Work, email: str) -> None:
    audit.record(work, "external.remember", subject=email)


@gauge("external_guests", "Who was greeted.")
def count_guests(work: Work) -> float:
    remembered = select(func.count()).where(AuditEntry.action == "external.remember")
    return work.db.scalar(remembered) or 0


@readiness_check("external", required=False)
def check(work: Work) -> str | None:
    return "Nobody was greeted yet." if count_guests(work) == 0 else None


@html.page("/external/{name}/")
def page(request: Any, name: str) -> str:
    if name == "nobody":
        raise NotFound
    return f"<!doctype html><title>Hello</title><p>Hello, {escape(name)}!"


@html.page("/external/page/changing/")
def changing_page(request: Any) -> str:
    request.work.db.execute(update(User).values(first_name="Ada"))
    return "<!doctype html><title>Changed</title>"


@html.page("/external/rooms/{number:int}/")
def room(request: Any, number: int) -> str:
    return f"<!doctype html><title>Rooms</title><p>The next one is {number + 1}."


@retention("external.guests")
def forget(work: Work) -> None:
    done.append(("forgotten", work.now))


def export(work: Work, user: User) -> Any:
    return {"greeted": user.first_name}


@personal_data("external", export=export)
def erase(work: Work, user: User) -> None:
    done.append(("erased", user.first_name))
