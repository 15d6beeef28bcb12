"""A simulated moderator, who makes announcements and answers the candidates' questions."""

import asyncio
import time
from dataclasses import dataclass, field
from uuid import uuid4

import httpx

from competition.rehearsal.pupils import Caller, Refused, Tally

# How often the moderator looks for open questions, in seconds. The rate limit is 60 requests per
# minute.
LOOKS_EVERY = 2.0
# How many announcements the moderator makes during an exam.
ANNOUNCEMENTS = 3
# For how long after the exam the moderator still answers open questions, in seconds.
PATIENCE = 120


@dataclass
class Moderator:
    """A simulated moderator, and the work that the service has acknowledged: `announced` has the
    texts of announcements, and `answered` the answers, by the ids of the questions."""

    headers: dict[str, str]
    announced: list[str] = field(default_factory=list)
    answered: dict[int, str] = field(default_factory=dict)
    failure: str = ""

    async def watch(
        self,
        http: httpx.AsyncClient,
        exam_id: int,
        length: float,
        tally: Tally,
        is_over: asyncio.Event,
    ) -> None:
        """Make announcements, and answer questions until the exam is over and no question is open.

        `length` is the duration of the exam in seconds, and `is_over` is set at its end. If a
        request is rejected, or questions stay open for too long, `failure` gets the reason.
        """
        caller = Caller(http, [self.headers], tally)
        try:
            begun = time.monotonic()
            while True:
                was_over = is_over.is_set()
                if time.monotonic() - begun > length * len(self.announced) / ANNOUNCEMENTS:
                    await self._announce(caller, exam_id)
                has_answered = await self._answer(caller, exam_id)
                if was_over and not has_answered:
                    return
                if time.monotonic() - begun > length + PATIENCE:
                    self.failure = "questions are still open"
                    return
                await asyncio.sleep(LOOKS_EVERY)
        except Refused as refused:
            self.failure = str(refused)

    async def _announce(self, caller: Caller, exam_id: int) -> None:
        text = f"Announcement {len(self.announced) + 1} of the rehearsal"
        # With the key, the announcement is made once, even if a reply is lost.
        key = {"Idempotency-Key": str(uuid4())}
        await caller.ask("POST", f"/exams/{exam_id}/announcements/", {"text": text}, key)
        self.announced.append(text)
        caller.tally.counts["announced"] += 1

    async def _answer(self, caller: Caller, exam_id: int) -> bool:
        """Answer the open questions. Returns whether there were any."""
        page = await caller.ask("GET", f"/exams/{exam_id}/clarifications/?status=open")
        for question in page["results"]:
            answer = f"The answer to question {question['id']}"
            body = {"answer": answer, "public": question["id"] % 2 == 0}
            await caller.ask("POST", f"/clarifications/{question['id']}/answer/", body)
            self.answered[question["id"]] = answer
            caller.tally.counts["answered"] += 1
        return bool(page["results"])
