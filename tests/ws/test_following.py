"""Staff can follow an exam: counts are pushed when they change."""

from sqlalchemy import update

from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.exam_day import make_exam, take
from competition.testing.sockets import nothing_came, receive, send
from competition.ws import following


def refusal(client, data):
    send(client, "follow_exam", data)
    pushed = receive(client)
    assert pushed["type"] == "error"
    assert pushed["message"].startswith("Unknown action: follow_exam. ")
    return pushed["message"].removeprefix("Unknown action: follow_exam. ")


def test_counts_are_pushed_to_followers(sockets):
    service = sockets.service
    admin, other, first, second = (
        service.staff("admin"),
        service.staff("moderator"),
        service.candidate(),
        service.candidate(),
    )
    exam_id = make_exam(service, admin, "A")
    watcher, bystander = sockets.open(other), sockets.open(admin)
    send(watcher, "follow_exam", {"exam": exam_id})
    # A successful action gets no reply, and no count has changed.
    nothing_came(watcher)
    take(first, exam_id)
    assert receive(watcher) == {
        "type": "exam_activity",
        "message": {
            "exam": exam_id,
            "counts": {
                "eligible": 2,
                "not_started": 1,
                "sitting": 1,
                "silent": 0,
                "submitted": 0,
                "handed_in": 0,
            },
        },
    }
    nothing_came(bystander)
    service.clock.advance(minutes=2)
    assert receive(watcher)["message"]["counts"]["silent"] == 1
    # A user who loses the right to follow gets no more counts.
    send(bystander, "follow_exam", {"exam": exam_id})
    nothing_came(bystander)
    with begin(service.runtime) as work:
        work.db.execute(update(User).where(User.id == other.id).values(role="volunteer"))
    take(second, exam_id)
    assert receive(bystander)["message"]["counts"]["sitting"] == 1
    nothing_came(watcher)


def test_a_rejected_follower_gets_the_reason(sockets, monkeypatch):
    service = sockets.service
    admin = service.staff("admin")
    exam_id = make_exam(service, admin, "A")
    candidate, staff = sockets.open(service.candidate()), sockets.open(admin)
    assert refusal(candidate, {"exam": exam_id})
    for data in (None, 7, {}, {"exam": "x"}, {"exam": exam_id + 1}):
        assert refusal(staff, data)
    monkeypatch.setattr(following, "MOST_FOLLOWED", 1)
    for _ in range(2):
        send(staff, "follow_exam", {"exam": exam_id})
    nothing_came(staff)
    assert refusal(staff, {"exam": make_exam(service, admin, "A")}) == (
        "You already follow 10 objects, which is the limit. Stop following one of them first."
    )


def test_a_socket_follows_two_exams_and_unfollows_one_of_them(sockets):
    service = sockets.service
    admin = service.staff("admin")
    people = [service.candidate() for _ in range(2)]
    first, second = (make_exam(service, admin, "A", round=number) for number in (1, 2))
    watcher, other = sockets.open(admin), sockets.open(admin)
    for exam_id in (first, second):
        send(watcher, "follow_exam", {"exam": exam_id})
    send(other, "follow_exam", {"exam": first})
    nothing_came(watcher)
    nothing_came(other)

    def counted(client):
        message = receive(client)["message"]
        return message["exam"], message["counts"]["sitting"]

    take(people[0], first, status=200)
    assert counted(watcher) == counted(other) == (first, 1)
    take(people[0], second, status=200)
    assert counted(watcher) == (second, 1)
    # Another socket of the same user still follows the object.
    send(watcher, "unfollow_exam", {"exam": first})
    nothing_came(watcher)
    take(people[1], first, status=200)
    assert counted(other) == (first, 2)
    nothing_came(watcher)
    take(people[1], second, status=200)
    assert counted(watcher) == (second, 2)
    nothing_came(watcher)
    nothing_came(other)
