"""Create the league for the measurement: candidates, staff, questions and exams.

Exam 1 is open, and all candidates have opened its paper. Exam 2 is over, scored and published.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Table, create_engine, text

from competition.core.auth import hashing
from competition.core.database import Base
from competition.core.plugins import import_models
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.users import api_keys
from competition.core.work import begin
from tools.bench.load import message
from tools.bench.processes import PAUSE

PASSWORD = "correct horse battery"
ASKED = 40
STAFF = 20
SCHOOLS = 500
FIRST_NAMES = ("Ada", "Björn", "Chloé", "Đorđe", "Ελένη")
OPTIONS = "ABCD"
QUESTION = "Which number follows {} in the sequence, if each is the sum of the two before it?"
# How long the publication of a leaderboard may take, and the jobs after it, in seconds.
PUBLISHED_WITHIN = FINISHED_WITHIN = 600
DUE = text(
    "select count(*) from job where state in ('pending', 'running')"
    " and run_after < clock_timestamp()"
)


@dataclass(frozen=True)
class Sizes:
    candidates: int
    questions: int
    exams: int


@dataclass(frozen=True)
class World:
    """The API key, exams and users. Each user is given as the headers of their requests."""

    key: str
    candidates: list[dict[str, str]]
    staff: list[dict[str, str]]
    open_exam: int
    questions: int

    def asked_in(self, exam_id: int) -> list[int]:
        """The ids of the exam's questions."""
        return [1 + (exam_id * ASKED + position) % self.questions for position in range(ASKED)]


class Maker:
    """Creates the world. COPY inserts most rows. The service creates the others, such as papers and
    leaderboards: `ask` sends it a request, and returns status, head and body of the reply.
    """

    def __init__(
        self, runtime: Runtime, sizes: Sizes, ask: Callable[[bytes], tuple[int, bytes, bytes]]
    ) -> None:
        self._runtime = runtime
        self._sizes = sizes
        self._ask = ask
        self._now: datetime = runtime.clock()
        self._engine = create_engine(runtime.database.changing.engine.url)
        self._random = Random(1)

    def make(self) -> World:
        import_models()
        with begin(self._runtime) as work:
            key = api_keys.create(work, "benchmark")
        candidates, staff = ([uuid4() for _ in range(n)] for n in (self._sizes.candidates, STAFF))
        headers = self._users(key, candidates, staff)
        world = World(
            key, headers[: len(candidates)], headers[len(candidates) :], 1, self._sizes.questions
        )
        self._exams(world, staff[0])
        for exam_id in (1, 2):
            path = f"{API_PREFIX}/exams/{exam_id}/take-exam/"
            self._succeed(message("GET", path, world.candidates[0]), 200)
        self._sit(candidates)
        self._notify(candidates)
        self._publish(world)
        self._finish_jobs()
        self._analyze()
        self._engine.dispose()
        return world

    def _users(self, key: str, candidates: list[UUID], staff: list[UUID]) -> list[dict[str, str]]:
        """Create the accounts, each with a session, and return the headers of each."""
        password_hash = hashing.hash_password(PASSWORD)
        account = {
            "password_hash": password_hash,
            "phone": "+4912345678",
            "is_email_verified": True,
            "verification": "approved",
            "updated_at": self._now,
        }
        people = [
            {
                **account,
                "id": user_id,
                "kind": "candidate",
                "email": email(number),
                "first_name": FIRST_NAMES[number % len(FIRST_NAMES)],
                "last_name": f"Surname{number}",
                "role": "screening",
                "number": number,
                "school": f"School of the town {number % SCHOOLS}",
                "occupation": None,
                "date_joined": self._now - timedelta(days=9, minutes=number),
            }
            for number, user_id in enumerate(candidates, 1)
        ]
        people += [
            {
                **account,
                "id": user_id,
                "kind": "staff",
                "email": f"staff{number}@league.example",
                "first_name": "Emmy",
                "last_name": f"Noether{number}",
                "role": "superadmin",
                "number": None,
                "school": None,
                "occupation": "Teacher",
                "date_joined": self._now - timedelta(days=10),
            }
            for number, user_id in enumerate(staff)
        ]
        sessions = {user_id: uuid4() for user_id in (*candidates, *staff)}
        self._copy("user", people)
        self._copy(
            "session",
            (
                {
                    "id": session_id,
                    "user_id": user_id,
                    "refresh_jti": uuid4(),
                    "created_at": self._now,
                    "refreshed_at": self._now,
                }
                for user_id, session_id in sessions.items()
            ),
        )
        issue = self._runtime.tokens.issue
        return [
            {
                "X-Api-Key": key,
                "Authorization": "Bearer "
                + issue("access", user_id, session_id, uuid4(), self._now),
            }
            for user_id, session_id in sessions.items()
        ]

    def _exams(self, world: World, author: UUID) -> None:
        times = {"created_at": self._now, "updated_at": self._now}
        self._copy(
            "question",
            (
                {
                    **times,
                    "text": QUESTION.format(number),
                    **{f"option_{each}": f"{number} and {each}" for each in "abcd"},
                    "correct_answer": OPTIONS[number % 4],
                    "difficulty": ("easy", "moderate", "hard")[number % 3],
                    "created_by_id": author,
                }
                for number in range(self._sizes.questions)
            ),
        )
        # Exams 1 and 2 are open; `_publish` concludes exam 2. The others are planned.
        begins = [self._now - timedelta(hours=1)] * 2
        begins += [self._now + timedelta(days=n) for n in range(1, self._sizes.exams - 1)]
        self._copy(
            "exam",
            (
                {
                    **times,
                    "title": f"Screening round {number}",
                    "stage": "screening",
                    "round": number,
                    "description": "Forty questions.",
                    "scheduled_date": begin_,
                    "countdown_minutes": 2000,
                    "open_duration_hours": 48,
                    "closes_at": begin_ + timedelta(hours=48),
                    "is_active": True,
                }
                for number, begin_ in enumerate(begins, 1)
            ),
        )
        asked = [
            (exam_id, question_id, position)
            for exam_id in range(1, self._sizes.exams + 1)
            for position, question_id in enumerate(world.asked_in(exam_id))
        ]
        names = ("exam_id", "question_id", "position")
        self._copy("exam_question", (dict(zip(names, each, strict=True)) for each in asked))

    def _sit(self, candidates: list[UUID]) -> None:
        """Let all candidates start both exams, and submit the second one."""
        first, rest = candidates[0], candidates[1:]
        started = {"started_at": self._now}
        self._copy(
            "attempt",
            (
                {"exam_id": exam_id, "candidate_id": each, **started}
                for exam_id in (1, 2)
                for each in rest
            ),
        )
        self._copy(
            "submission",
            (
                {
                    "exam_id": 2,
                    "candidate_id": each,
                    "answers": "".join(self._random.choices(OPTIONS, k=ASKED)),
                    "submitted_at": self._now,
                }
                for each in (first, *rest)
            ),
        )

    def _notify(self, candidates: list[UUID]) -> None:
        """Notify all candidates, as a broadcast does."""
        self._copy("notice", [{"subject": "Round 2", "message": "It begins on Saturday at ten."}])
        self._copy(
            "notification",
            ({"notice_id": 1, "user_id": each, "created_at": self._now} for each in candidates),
        )

    def _publish(self, world: World) -> None:
        staff = world.staff[0]
        self._succeed(message("POST", f"{API_PREFIX}/exams/2/conclude/", staff, b"{}"), 200)
        # The exam can be published now: all have submitted, so the grace period does not matter.
        self._succeed(message("POST", f"{API_PREFIX}/leaderboard/publish/", staff, b"{}"), 202)
        board = message("GET", f"{API_PREFIX}/leaderboard/?exam_id=2", staff)
        until = time.monotonic() + PUBLISHED_WITHIN
        while self._ask(board)[0] != 200:
            if time.monotonic() > until:
                raise TimeoutError("the leaderboard is not published")
            time.sleep(PAUSE)

    def _finish_jobs(self) -> None:
        """Wait for the jobs of the publication, such as the emails to all candidates."""
        until = time.monotonic() + FINISHED_WITHIN
        with self._engine.connect() as connection:
            while connection.scalar(DUE):
                if time.monotonic() > until:
                    raise TimeoutError("jobs are still due")
                time.sleep(PAUSE)

    def _succeed(self, sent: bytes, status: int) -> None:
        found, _, body = self._ask(sent)
        if found != status:
            raise RuntimeError(f"{sent.split()[1]!r}: {found} {body!r}")

    def _copy(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """COPY rows into a table. Missing columns get the defaults of the models."""
        each = iter(rows)
        first = {**_defaults(Base.metadata.tables[name]), **next(each)}
        columns = ", ".join(f'"{column}"' for column in first)
        with self._engine.begin() as connection:
            driver: Any = connection.connection
            with driver.cursor().copy(f'copy "{name}" ({columns}) from stdin') as copy:
                copy.write_row(list(first.values()))
                for row in each:
                    copy.write_row(list({**first, **row}.values()))

    def _analyze(self) -> None:
        with self._engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text("vacuum analyze"))


def _defaults(table: Table) -> dict[str, Any]:
    """The defaults of columns that are not nullable and have no default in PostgreSQL."""
    found: dict[str, Any] = {}
    for column in table.columns:
        default: Any = column.default
        if column.nullable or default is None or column.primary_key or column.server_default:
            continue
        # If a default of the models is a function, it returns an empty list.
        found[column.name] = default.arg if default.is_scalar else []
    return found


def email(number: int) -> str:
    return f"pupil{number}@school{number % SCHOOLS}.example"


def answers(asked: Iterable[int]) -> bytes:
    return json.dumps(
        {"answers": [{"question": each, "selected_option": "A"} for each in asked]}
    ).encode()
