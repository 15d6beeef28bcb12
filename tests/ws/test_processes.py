"""Real socket processes: several at once, killed, and stopped."""

import re
import signal

import pytest

from .conftest import COMMAND, PATIENCE, end, refusal, subjects, tell

pytestmark = pytest.mark.needs("notifications")


def test_two_processes_push_the_same_and_count_sockets_together(processes):
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
    service.anonymous.post("/auth/logout/", {"refresh": ben.refresh})
    assert end(clients[2])[0] == end(clients[3])[0] == 4001


def test_after_a_kill_a_client_comes_back_and_has_missed_nothing(processes):
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


def test_sigterm_sends_clients_away_with_a_time_to_come_back(processes):
    people = [processes.service.candidate() for _ in range(3)]
    process, clients = processes.start()
    opened = [clients.open(person) for person in people]
    process.popen.send_signal(signal.SIGTERM)
    pauses = []
    for client in opened:
        code, reason = end(client)
        assert code == 1012
        pauses.append(re.fullmatch(r"Restarting\. Reconnect in (\d+\.\d) seconds\.", reason)[1])
    assert len(set(pauses)) > 1
    assert process.popen.wait(PATIENCE) == 0


def test_a_client_that_takes_no_leave_does_not_hold_up_the_end(processes):
    from .test_pushes import stuck_client

    process, clients = processes.start()
    with stuck_client(clients, processes.service.candidate()):
        process.popen.send_signal(signal.SIGTERM)
        assert process.popen.wait(PATIENCE) == 0


def test_a_taken_port_is_named(processes):
    _, clients = processes.start()
    done = processes.launcher.run(COMMAND, COMPETITION_WS_PORT=str(clients.port))
    assert done.returncode == 1
    assert f"Port {clients.port}" in done.stderr
    assert "WS_PORT=" in done.stderr
