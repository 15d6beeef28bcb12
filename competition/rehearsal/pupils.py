"""Simulated candidates, who take the exam over HTTP and record what the service acknowledged."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum, auto
from random import Random
from typing import Any
from uuid import UUID, uuid4

import httpx

OPTIONS = "ABCD"
# The average pause before a request is sent again, in seconds.
PAUSE = 1.0
# The share of the exam's time for which candidates with the habit LOSES_CONNECTION are offline.
AWAY = 0.4
# The share of the exam's time after which candidates with the habits SUBMITS and CHANGES_DEVICE
# submit.
EARLY = 0.9
# Candidates ask their question in this first share of the exam's time.
ASKS_UNTIL = 0.4

Answers = dict[int, str]


class Habit(StrEnum):
    """How a simulated candidate behaves during the exam.

    Only candidates with the habits SUBMITS and CHANGES_DEVICE submit before the end. With
    LETS_SERVICE_SUBMIT they never submit, and with the other habits they submit when the time is
    over.
    """

    SUBMITS = auto()
    LOSES_CONNECTION = auto()
    CHANGES_DEVICE = auto()
    IS_LATE = auto()
    LETS_SERVICE_SUBMIT = auto()


class Refused(Exception):
    """The service rejected a request."""

    def __init__(self, reply: httpx.Response) -> None:
        super().__init__(f"{reply.request.method} {reply.request.url.path}: {reply.text}")


class ExamOver(Refused):
    """The exam is over, or already submitted."""


OVER = {"exam_not_open", "exam_already_submitted"}


@dataclass
class Tally:
    """Counts for the lines that are printed during the exam."""

    counts: Counter[str] = field(default_factory=Counter)
    # The time of the slowest reply since the last printed line, in seconds.
    slowest: float = 0.0


@dataclass
class Caller:
    """Sends the requests of one user. `devices` has the headers of each device. The first device is
    in use."""

    http: httpx.AsyncClient
    devices: list[dict[str, str]]
    tally: Tally
    random: Random = field(default_factory=lambda: Random(1))

    async def ask(
        self, method: str, path: str, body: Any = None, more: Mapping[str, str] | None = None
    ) -> Any:
        """Send a request until it succeeds or is rejected, and return the JSON of the reply.

        After a lost connection, a timeout, a 5xx or a 429 response, the request is sent again.
        Raises ExamOver if the exam is over or submitted, and Refused if the request is rejected for
        another reason.
        """
        counts = self.tally.counts
        counts["waiting"] += 1
        try:
            while True:
                begun = time.monotonic()
                headers = {**self.devices[0], **(more or {})}
                try:
                    reply = await self.http.request(method, path, json=body, headers=headers)
                except httpx.TransportError:
                    reply = None
                self.tally.slowest = max(self.tally.slowest, time.monotonic() - begun)
                if reply is not None and reply.is_success:
                    return reply.json()
                if reply is not None and reply.is_client_error and reply.status_code != 429:
                    over = reply.json().get("code") in OVER
                    raise ExamOver(reply) if over else Refused(reply)
                counts["again"] += 1
                await asyncio.sleep(PAUSE * self.random.uniform(0.5, 1.5))
        finally:
            counts["waiting"] -= 1


@dataclass
class Pupil:
    """A simulated candidate.

    `saved` has the answers that the service has acknowledged. `unsure` has the answers of the last
    save until the service acknowledges it, because the save may have arrived. `submitted` has the
    answers of an acknowledged submission. `asked` has the texts of acknowledged questions, by their
    ids. `asks` is whether the candidate asks a question.
    """

    id: UUID
    devices: list[dict[str, str]]
    habit: Habit
    random: Random
    saved: Answers = field(default_factory=dict)
    unsure: Answers = field(default_factory=dict)
    submitted: Answers | None = None
    asks: bool = False
    asked: dict[int, str] = field(default_factory=dict)
    sequence: int = 0
    failure: str = ""

    @property
    def may_have(self) -> list[Answers]:
        """The answers that the service may have stored as the submission. If no submission was
        acknowledged, these are the saved answers, without and with the unsure ones."""
        if self.submitted is not None:
            return [self.submitted]
        return [self.saved, self.saved | self.unsure]

    async def sit(
        self, http: httpx.AsyncClient, exam_id: int, save_every: float, tally: Tally
    ) -> None:
        try:
            caller = Caller(http, self.devices, tally, self.random)
            await _Sitting(self, caller, f"/exams/{exam_id}", save_every, tally).run()
        except Refused as refused:
            self.failure = str(refused)


@dataclass
class _Sitting:
    pupil: Pupil
    caller: Caller
    path: str
    save_every: float
    tally: Tally
    questions: list[int] = field(default_factory=list)

    async def run(self) -> None:
        pupil = self.pupil
        # Each candidate starts at a random time, within the interval of the saves but at most ten
        # seconds.
        await asyncio.sleep(pupil.random.uniform(0, min(self.save_every, 10)))
        paper = await self._ask("GET", "/take-exam/")
        self.questions = [each["id"] for each in paper["questions"]]
        length = paper["seconds_remaining"]
        ends = time.monotonic() + length
        self.tally.counts["sitting"] += 1
        with suppress(ExamOver):
            await self._answer(ends, length)
        if pupil.habit is not Habit.LETS_SERVICE_SUBMIT:
            with suppress(ExamOver):
                await self._submit()
        self.tally.counts["sitting"] -= 1

    async def _answer(self, ends: float, length: float) -> None:
        pupil = self.pupil
        stays = length * EARLY if pupil.habit in (Habit.SUBMITS, Habit.CHANGES_DEVICE) else length
        half = ends - length / 2
        asks_at = ends - length + length * pupil.random.uniform(0, ASKS_UNTIL)
        while (left := ends - length + stays - time.monotonic()) > 0 and not pupil.failure:
            await asyncio.sleep(min(left, self.save_every * pupil.random.uniform(0.5, 1.5)))
            if pupil.asks and not pupil.asked and time.monotonic() > asks_at:
                await self._ask_staff()
            if time.monotonic() > half:
                half = float("inf")
                await self._have_trouble(length)
            await self._save()

    async def _ask_staff(self) -> None:
        text = f"Question of {self.pupil.id}"
        # With the key, the question is asked once, even if a reply is lost.
        key = {"Idempotency-Key": str(uuid4())}
        body = {"question": self.pupil.random.choice(self.questions), "text": text}
        asked = await self._ask("POST", "/clarifications/", body, key)
        self.pupil.asked[asked["id"]] = text
        self.tally.counts["asked"] += 1

    async def _have_trouble(self, length: float) -> None:
        if self.pupil.habit is Habit.LOSES_CONNECTION:
            await asyncio.sleep(length * AWAY)
        elif self.pupil.habit is Habit.CHANGES_DEVICE:
            self.pupil.devices.reverse()
            paper = await self._ask("GET", "/take-exam/")
            draft = paper["draft"]
            there = {each["question"]: each["selected_option"] for each in draft["answers"]}
            if there != self.pupil.saved:
                self.pupil.failure = "another device did not get the saved answers"
            self.pupil.sequence = draft["sequence"]

    async def _save(self) -> None:
        pupil = self.pupil
        changed = pupil.random.sample(self.questions, min(2, len(self.questions)))
        pupil.unsure = {each: pupil.random.choice(OPTIONS) for each in changed}
        known = pupil.sequence
        body = {"sequence": known + 1, "follows": known, "answers": _listed(pupil.unsure)}
        reply = await self._ask("PUT", "/draft/", body)
        if not reply["applied"]:
            pupil.failure = f"save {pupil.sequence + 1} was not applied"
            return
        pupil.saved |= pupil.unsure
        pupil.unsure = {}
        pupil.sequence = reply["sequence"]
        self.tally.counts["saved"] += 1

    async def _submit(self) -> None:
        pupil = self.pupil
        answers = pupil.saved | pupil.unsure
        key = {"Idempotency-Key": str(uuid4())}
        await self._ask("POST", "/submit-exam-answers/", {"answers": _listed(answers)}, key)
        pupil.submitted = answers
        self.tally.counts["submitted"] += 1

    async def _ask(
        self, method: str, path: str, body: Any = None, more: Mapping[str, str] | None = None
    ) -> Any:
        return await self.caller.ask(method, self.path + path, body, more)


def _listed(answers: Answers) -> list[dict[str, Any]]:
    return [
        {"question": question, "selected_option": option} for question, option in answers.items()
    ]
