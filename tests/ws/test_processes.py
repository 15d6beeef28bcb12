"""Several real socket processes, which are killed and stopped."""

import re
import signal
from threading import Thread

import pytest
from sqlalchemy import text
from websockets.exceptions import InvalidStatus

from competition.core.users import sessions
from competition.core.work import begin
from competition.testing.sockets import nothing_came
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.sockets import COMMAND, end, refusal, stuck_client, subjects, tell

pytestmark = pytest.mark.long


def test_two_processes_push_the_same_messages_and_share_the_socket_limit(processes):
    service = processes.service
    ada, ben = service.candidate(), service.candidate()
    _, here = processes.start()
    _, there = processes.start()
    clients = [here.open(ada), there.open(ada), here.open(ben), there.open(ben)]
    tell(service, ada, ben)
    for client in clients:
        assert subjects(client, 1) == ["Hello"]
    for _ in range(3):
        there.open(ada)
    status, body = refusal(here.open, ada)
    assert (status, body["code"]) == (429, "rate_limit_exceeded")
    with begin(service.runtime) as work:
        sessions.end_all(work, ben.id)
    assert end(clients[2])[0] == end(clients[3])[0] == 4001


def test_a_broadcast_reaches_the_clients_of_both_processes_once(processes):
    service = processes.service
    people = [service.candidate("league") for _ in range(4)]
    other = service.candidate("screening")
    _, here = processes.start()
    _, there = processes.start()
    clients = [opened.open(person) for person in people for opened in (here, there)]
    bystander = here.open(other)
    news = {"subject": "News", "message": "There are some.", "mediums": ["platform"]}
    targets = {"target_roles": {"candidate": ["league"]}}
    service.staff("manager").post("/broadcasts/", {**news, **targets})
    service.run_jobs()
    for client in clients:
        assert subjects(client, 1) == ["News"]
    for client in [*clients, bystander]:
        nothing_came(client)


def test_the_places_of_a_killed_process_become_free(processes):
    service = processes.service
    ada = service.candidate()
    # Start both processes first, because that takes long, and the places of sockets are reserved
    # for only nine seconds.
    _, there = processes.start()
    process, clients = processes.start(COMPETITION_WS_RECHECK="3")
    for _ in range(5):
        clients.open(ada)
    assert refusal(there.open, ada)[0] == 429
    process.end(signal.SIGKILL)

    def comes_in():
        try:
            return there.open(ada)
        except InvalidStatus:
            return None

    wait_until(comes_in)


def test_after_a_kill_a_reconnecting_client_misses_nothing(processes):
    service = processes.service
    ada = service.candidate()
    process, clients = processes.start()
    client = clients.open(ada)
    tell(service, ada, subject="seen")
    assert subjects(client, 1) == ["seen"]
    [last] = ada.get("/notifications/").json["results"]
    process.end(signal.SIGKILL)
    end(client)
    tell(service, ada, subject="missed")
    _, clients = processes.start()
    client = clients.open(ada)
    tell(service, ada, subject="live")
    assert subjects(client, 1) == ["live"]
    missed = ada.get(f"/notifications/?after_id={last['id']}").json["results"]
    assert [each["subject"] for each in missed] == ["missed", "live"]


def test_sigterm_closes_sockets_with_a_time_to_reconnect(processes):
    people = [processes.service.candidate() for _ in range(6)]
    process, clients = processes.start()
    opened = [clients.open(person) for person in people]
    process.popen.send_signal(signal.SIGTERM)
    pauses = []
    for client in opened:
        code, reason = end(client)
        assert code == 1012
        pauses.append(re.fullmatch(r"Restarting\. Reconnect in (\d+\.\d) seconds\.", reason)[1])
    assert len(set(pauses)) > 1
    assert max(map(float, pauses)) <= 20
    assert process.popen.wait(PATIENCE) == 0


def test_a_handshake_during_the_stop_is_rejected(processes):
    service = processes.service
    ada = service.candidate()
    process, clients = processes.start()
    answers = []

    def come():
        try:
            clients.open(ada)
        except InvalidStatus as refused:
            answers.append(refused.response.status_code)

    coming = Thread(target=come)
    with begin(service.runtime) as work:
        # Requests that read a session wait for this lock.
        work.db.execute(text("lock table session in access exclusive mode"))
        coming.start()
        waiting = text(
            "select count(*) from pg_locks join pg_database on pg_database.oid = database"
            " where datname = current_database() and not granted"
        )
        wait_until(lambda: work.db.scalar(waiting))
        process.popen.send_signal(signal.SIGTERM)
        wait_until(lambda: process.says("stopping"))
    coming.join(PATIENCE)
    assert answers == [503]
    assert process.popen.wait(PATIENCE) == 0


def test_an_unresponsive_client_does_not_delay_the_stop(processes):
    process, clients = processes.start()
    with stuck_client(clients, processes.service.candidate()):
        process.popen.send_signal(signal.SIGTERM)
        assert process.popen.wait(PATIENCE) == 0


def test_a_port_in_use_is_named(processes):
    _, clients = processes.start()
    done = processes.launcher.run(COMMAND, COMPETITION_WS_PORT=str(clients.port))
    assert done.returncode == 1
    assert f"Port {clients.port}" in done.stderr
    assert "WS_PORT=" in done.stderr
