"""Staff can follow their to-dos. They get a message when the to-dos on their dashboard change."""

from datetime import timedelta

from sqlalchemy import update

from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.dashboards.services.dashboards import NUMBERS
from competition.testing.exam_day import make_exam
from competition.testing.identity_papers import submit
from competition.testing.sockets import nothing_came, receive, send


def refresh(service):
    """Recompute the totals, as the periodic task does."""
    with begin(service.runtime) as work:
        NUMBERS.refresh(work)


def waiting(client):
    frame = receive(client)
    assert frame["type"] == "todo_activity"
    return {each["kind"]: each["count"] for each in frame["message"]["todo"]}


def planned(service, admin):
    """An exam without questions."""
    later = (service.clock.now + timedelta(days=18)).isoformat()
    make_exam(service, admin, key="", scheduled_date=later)


def following(sockets, person):
    client = sockets.open(person)
    send(client, "follow_todo")
    nothing_came(client)
    return client


def test_a_new_to_do_is_pushed_to_staff_of_the_rank(sockets):
    service = sockets.service
    manager, moderator = service.staff("manager"), service.staff("moderator")
    refresh(service)
    bystander = sockets.open(manager)
    above, below = following(sockets, manager), following(sockets, moderator)
    submit(service.candidate(verification="not_submitted"))
    # The dashboard does not show it either until the totals are computed again.
    nothing_came(above)
    refresh(service)
    assert waiting(above) == {"verification.documents": 1}
    shown = manager.get("/dashboard/staff/").json["todo"]
    assert [each["kind"] for each in shown] == ["verification.documents"]
    nothing_came(below)
    nothing_came(bystander)
    # If nothing has changed, no message is sent.
    refresh(service)
    nothing_came(above)


def test_a_change_is_pushed_after_its_commit(sockets):
    service = sockets.service
    admin = service.staff("admin")
    refresh(service)
    client = following(sockets, admin)
    planned(service, admin)
    with begin(service.runtime) as work:
        NUMBERS.refresh(work)
        work.db.flush()
        nothing_came(client)
    assert waiting(client) == {"exams.without_questions": 1}


def test_following_to_dos_ends_with_unfollow_and_with_a_lower_rank(sockets):
    service = sockets.service
    admin, other = service.staff("admin"), service.staff("admin")
    refresh(service)
    first, second, third = (following(sockets, each) for each in (admin, admin, other))
    send(first, "unfollow_todo")
    nothing_came(first)
    with begin(service.runtime) as work:
        work.db.execute(update(User).where(User.id == other.id).values(role="volunteer"))
    planned(service, admin)
    refresh(service)
    assert waiting(second) == {"exams.without_questions": 1}
    nothing_came(first)
    nothing_came(third)


def test_only_staff_with_a_dashboard_can_follow_their_to_dos(sockets):
    service = sockets.service
    for person in (service.candidate(), service.staff("volunteer")):
        client = sockets.open(person)
        send(client, "follow_todo")
        assert receive(client)["message"].startswith("Unknown action: follow_todo. You are not")
