"""Announcements reach everyone once, although candidates submit and socket processes are killed at
the same moment. `tools.bench --part announcements` measures this with 10,000 sockets."""

import signal

import pytest

from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.races import together
from competition.testing.sockets import receive, send
from tests.support.sockets import end

CANDIDATES = 200
SUBMITTING = 20


def arrived(client):
    """The types of all messages that the client has received. The reply to an unknown action comes
    after them."""
    send(client, "hello")
    types = []
    while (message := receive(client))["type"] != "error":
        types.append(message["type"])
    return types


@pytest.mark.long
def test_many_candidates_get_each_announcement_once(processes):
    service = processes.service
    admin = service.staff("admin")
    exam_id = make_exam(service, admin, "A")
    people = [service.candidate() for _ in range(CANDIDATES)]
    for person in people:
        take(person, exam_id, status=200)
    servers = [processes.start() for _ in range(2)]
    clients = [servers[at % 2][1].open(person) for at, person in enumerate(people)]
    sheet = answers(service, exam_id, "A")

    def announce():
        path = f"/exams/{exam_id}/announcements/"
        admin.post(path, {"text": "Read “at most”."}, status=201)

    def count(person):
        return person.get(f"/exams/{exam_id}/time/", status=200).json["messages"]

    def act(number):
        if number == SUBMITTING:
            announce()
        else:
            submit(people[number], exam_id, sheet, status=201)

    together(SUBMITTING + 1, act)
    # Candidates who can still submit get a push, and all others get a notification.
    for at, client in enumerate(clients):
        kinds = {"exam_message", "notification_activity"} if at < SUBMITTING else {"exam_message"}
        assert receive(client)["type"] in kinds
        assert arrived(client) == []

    (process, killed), _ = servers
    process.end(signal.SIGKILL)
    for client in clients[::2]:
        end(client)
    processes.start(killed.port)
    sitting = range(SUBMITTING, CANDIDATES)
    gone = [at for at in sitting if at % 2 == 0]

    def come_back(number):
        if number == len(gone) // 2:
            announce()
        at = gone[number]
        clients[at] = killed.open(people[at])
        # As the client guide says, clients read the messages that they have missed.
        return count(people[at])

    read = dict(zip(gone, together(len(gone), come_back), strict=True))
    for at in sitting:
        if read.get(at) == 2:
            # The message may have been pushed as well.
            assert arrived(clients[at]) in ([], ["exam_message"])
        else:
            assert receive(clients[at])["type"] == "exam_message"
            assert arrived(clients[at]) == []
            assert count(people[at]) == 2
