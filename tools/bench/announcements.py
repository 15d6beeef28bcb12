"""Measure how long announcements take to reach all candidates of an exam, and how long all sockets
take to open again after a restart.

All candidates sit the same exam, each with a socket. Announcements are made over the API.
"""

import json
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from statistics import median

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import API_PREFIX, ServerSettings
from tools.bench.clients import Clients, Return
from tools.bench.load import Load, message
from tools.bench.paths import save_draft
from tools.bench.processes import Running, cpu, service, temporary_servers
from tools.bench.sockets import SOCKET_PATH, memory, socket_process
from tools.bench.world import Maker, Sizes, World

ROUNDS = 3
# The target: how long an announcement may take to reach all candidates, in seconds.
TARGET = 5.0
# How long to wait for repeated frames, in seconds.
AFTER = 2.0
# How many connections save drafts, without pauses, during the second half of the announcements.
SAVING = 4
# How long after a restart the bench makes an announcement, in seconds. Only some candidates are
# connected again by then.
AMID = 3.0
READERS = 8


def main(ini: Ini, sizes: Sizes) -> bool:
    """Print the results, and return whether everyone got every announcement once and in time."""
    is_met = True
    with temporary_servers() as servers, Load() as load:
        database.upgrade(ini)
        with service(ini.path, servers, ServerSettings.threads) as running:
            with ini.runtime() as runtime:
                world = Maker(runtime, sizes, running.ask).make()
            for count in (1, 2):
                print(f"\n{sizes.candidates:,} sockets, {count} socket process(es)", flush=True)
                with _Room(running, world, load, count) as room:
                    is_met = room.measure() and is_met
    return is_met


class _Room(ExitStack):
    """All candidates with their sockets. They are divided into shares: each share has a socket
    process, and a process for its clients.
    """

    def __init__(self, running: Running, world: World, load: Load, count: int) -> None:
        super().__init__()
        self._running = running
        self._world = world
        self._load = load
        self._shares = [world.candidates[number::count] for number in range(count)]
        self._clients = [self.enter_context(Clients()) for _ in self._shares]
        self._servers = [self.enter_context(socket_process()) for _ in self._shares]
        self._threads = self.enter_context(ThreadPoolExecutor(count + READERS))
        # How many messages this exam has had so far.
        self._made = self._count(world.candidates[0])
        self._is_met = True

    def measure(self) -> bool:
        begun, used = time.monotonic(), self._cpu()
        opening = [
            self._threads.submit(clients.open, port, SOCKET_PATH, share)
            for clients, (_, port), share in zip(
                self._clients, self._servers, self._shares, strict=True
            )
        ]
        for each in opening:
            each.result()
        seconds, used = time.monotonic() - begun, self._cpu() - used
        print(f"all sockets open after {seconds:.1f} s; CPU {used:.1f} s", flush=True)
        for _ in range(ROUNDS):
            self._announce("announcement")
        self._announce_while_drafts_are_saved()
        for process, _ in self._servers:
            print(f"memory of a socket process: {memory(process) / 1024:.0f} MiB", flush=True)
        self._kill()
        if len(self._servers) > 1:
            self._stop_one()
        return self._is_met

    def _announce_while_drafts_are_saved(self) -> None:
        drafts = save_draft(self._world, self._world.open_exam, 0, len(self._world.candidates))
        saving = self._threads.submit(
            self._load.keep_sending, self._running.api, drafts, SAVING, ROUNDS * TARGET
        )
        while not saving.done():
            self._announce("announcement while drafts are saved")
        saved = saving.result()
        print(f"drafts saved per second: {len(saved.seconds) / saved.took:.0f}")

    def _announce(self, name: str) -> None:
        self._expect([len(share) for share in self._shares])
        begun, used = time.monotonic(), self._cpu()
        self._post()
        replied = time.monotonic() - begun
        after, times = self._arrived(begun)
        used = self._cpu() - used
        none, twice = len(self._world.candidates) - len(times), _more_than_one(times)
        self._is_met &= not none and not twice and after[-1] <= TARGET
        print(
            f"{name:<36} reply {replied:5.2f} s, first {after[0]:5.2f}, median {median(after):5.2f}"
            f", last {after[-1]:5.2f}; none: {none}, twice: {twice}; CPU {used:.2f} s",
            flush=True,
        )

    def _kill(self) -> None:
        """Kill all socket processes. Once new processes listen, all clients connect at the same
        moment, which is the worst case.
        """
        self._expect([0] * len(self._shares))
        ports = [port for _, port in self._servers]
        for process, _ in self._servers:
            process.kill()
            process.wait()
        self._servers = [self.enter_context(socket_process(port)) for port in ports]
        coming = [
            self._reopen(clients, port, share, as_asked=False)
            for clients, port, share in zip(self._clients, ports, self._shares, strict=True)
        ]
        self._announce_amid("killed; all connect at once", coming)

    def _stop_one(self) -> None:
        """Stop a socket process, as in a release. Each of its clients waits for the time that the
        service has given it, and then connects to another process, as behind a proxy.
        """
        self._expect([0] * len(self._shares))
        (process, _), (_, port), *_ = self._servers
        coming = [self._reopen(self._clients[0], port, self._shares[0], as_asked=True)]
        process.terminate()
        self._announce_amid("one stopped; its clients connect as asked", coming)
        process.wait()

    def _announce_amid(self, name: str, coming: list[Future[list[Return]]]) -> None:
        """Make an announcement while clients connect. Count the candidates who get it on the
        socket, and the candidates who read it from the API.
        """
        begun, used = time.monotonic(), self._cpu()
        time.sleep(AMID)
        self._post()
        returns = [each for share in coming for each in share.result()]
        used = self._cpu() - used
        back = sorted(each.at - begun for each in returns)
        _, times = self._arrived(begun)
        missing = [each for at, each in enumerate(self._world.candidates) if at not in times]
        lost = sum(count != self._made for count in self._threads.map(self._count, missing))
        twice = _more_than_one(times)
        self._is_met &= not lost and not twice
        print(
            f"{name}: first back after {back[0]:.1f} s, median {median(back):.1f},"
            f" last {back[-1]:.1f}; most tries: {max(each.tries for each in returns)};"
            f" CPU {used:.1f} s\n"
            f"  announced meanwhile: {len(times)} got it, {len(missing) - lost} can read it,"
            f" lost: {lost}, twice: {twice}",
            flush=True,
        )

    def _reopen(
        self, clients: Clients, port: int, share: list[dict[str, str]], *, as_asked: bool
    ) -> Future[list[Return]]:
        return self._threads.submit(clients.reopen, port, SOCKET_PATH, share, as_asked=as_asked)

    def _cpu(self) -> float:
        """The CPU time of all socket processes, in seconds."""
        return sum(cpu(process.pid) for process, _ in self._servers)

    def _post(self) -> None:
        path = f"{API_PREFIX}/exams/{self._world.open_exam}/announcements/"
        body = json.dumps({"text": "In question 7, read “at most” instead of “at least”."})
        sent = message("POST", path, self._world.staff[0], body.encode())
        status, _, reply = self._running.ask(sent)
        if status != 201:
            raise RuntimeError(f"{path}: {status} {reply!r}")
        self._made += 1

    def _count(self, headers: dict[str, str]) -> int:
        """How many messages the exam has for a candidate, according to the API."""
        path = f"{API_PREFIX}/exams/{self._world.open_exam}/time/"
        _, _, reply = self._running.ask(message("GET", path, headers))
        count: int = json.loads(reply)["messages"]
        return count

    def _expect(self, counts: list[int]) -> None:
        """Tell the clients of each share how many frames to wait for."""
        for clients, count in zip(self._clients, counts, strict=True):
            clients.expect(count)

    def _arrived(self, begun: float) -> tuple[list[float], Counter[int]]:
        """The delay of each frame after `begun`, in seconds and in order, and the number of frames
        that each candidate got.
        """
        waiting = [self._threads.submit(clients.received, AFTER) for clients in self._clients]
        after, times = [], Counter[int]()
        for number, share in enumerate(waiting):
            for arrival in share.result():
                assert b'"exam_message"' in arrival.payload
                after.append(arrival.at - begun)
                times[arrival.client * len(self._shares) + number] += 1
        return sorted(after), times


def _more_than_one(times: Counter[int]) -> int:
    return sum(count > 1 for count in times.values())
