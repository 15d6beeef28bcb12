"""Nothing that a candidate does around an exam changes anyone's rank or time.

`TABLE` has the actions, and the outcome of each action in each state of an exam. Each action is a
test. The test plays an exam day with one actor per state, who acts when the exam has reached that
state. Then it compares the ranks, scores, times and deadlines of all candidates with those of a day
without actions. If an outcome differs, `TABLE` gives the reason.

docs/fairness.md shows the table. After a change, write it there again:

    python -m tests.contract.test_every_pair
"""

import re
import textwrap
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from webtest import TestResponse

from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.exams.services import rows
from competition.plugins.scores.services import ending
from competition.testing.exam_day import answers, make_exam, publish, submit, take
from competition.testing.service import PASSWORD, Person, Service, text_of
from tests.support.repository import REPOSITORY

# They combine whatever plugins can add, which takes long.
pytestmark = pytest.mark.long

FAIRNESS = REPOSITORY / "docs" / "fairness.md"
BEGIN, END = "<!-- every pair: begin -->\n", "<!-- every pair: end -->\n"

LUCKY = "Lucky School"
# A score in percent, and the time used in seconds.
Result = tuple[float, float]
# The results of the candidates who are not actors, by name, before and after the correction of the
# answer key. The candidate `silent` does not submit.
BEFORE: dict[str, Result] = {
    "lucky": (100, 4500),
    "quick": (75, 600),
    "equal": (75, 1200),
    "silent": (50, 3600),
}
AFTER = {**BEFORE, "equal": (100, 1200)}
# Actors give the same answers as the candidate `equal`, and submit at the same time.
MODEL = "equal"


def ranked(results: dict[str, Result]) -> dict[str, tuple[int, float, float]]:
    """The rank, the score and the seconds of each candidate. Higher scores come first, then shorter
    times.
    """
    return {
        name: (1 + sum(_is_better(other, result) for other in results.values()), *result)
        for name, result in results.items()
    }


def _is_better(one: Result, other: Result) -> bool:
    return (-one[0], one[1]) < (-other[0], other[1])


# --- The exam day, and the actions of a candidate


@dataclass
class Day:
    """An exam day. Its methods play it from one state of the exam to the next."""

    app: Service
    # The names of the actors. `actors_sit` is false if they neither open the paper nor submit.
    actors: Collection[str] = ()
    actors_sit: bool = True
    people: dict[str, Person] = field(default_factory=dict)
    exam_id: int = 0

    def __post_init__(self) -> None:
        self.admin = self.app.staff("admin")
        for name in (*BEFORE, *self.actors):
            school = LUCKY if name == "lucky" else "Hillside School"
            self.people[name] = self.app.candidate(first_name=name, school=school)
        opens_at = self.app.clock.now + timedelta(hours=1)
        self.exam_id = make_exam(
            *(self.app, self.admin, "ABCD"),
            ranking="time",
            countdown_minutes=60,
            open_duration_hours=2,
            scheduled_date=opens_at.isoformat(),
        )
        allowance = {"school": LUCKY, "extra_minutes": 30, "reason": "The bus was late."}
        self.admin.post(f"/exams/{self.exam_id}/allowances/", allowance, status=201)

    def sheet(self, letters: str) -> dict[str, Any]:
        return answers(self.app, self.exam_id, letters)

    def sitting_actors(self) -> list[Person]:
        return [self.people[name] for name in self.actors if self.actors_sit]

    def log_in_again(self) -> None:
        """Start new sessions, because access tokens expire before the day is over."""
        for person in (self.admin, *self.people.values()):
            person.client = self.app.new_session(person)

    def open(self) -> None:
        self.app.clock.advance(hours=1)
        for name in BEFORE:
            take(self.people[name], self.exam_id, status=200)
        for person in self.sitting_actors():
            take(person, self.exam_id, status="any")
        draft = {"sequence": 1, **self.sheet("AB")}
        self.people["silent"].put(f"/exams/{self.exam_id}/draft/", draft, status=200)

    def submit(self) -> None:
        self.app.clock.advance(minutes=10)
        submit(self.people["quick"], self.exam_id, self.sheet("ABCA"), status=201)
        self.app.clock.advance(minutes=10)
        submit(self.people[MODEL], self.exam_id, self.sheet("ABBD"), status=201)
        for person in self.sitting_actors():
            submit(person, self.exam_id, self.sheet("ABBD"), status="any")

    def end(self) -> None:
        self.app.clock.advance(minutes=55)
        self.log_in_again()
        submit(self.people["lucky"], self.exam_id, self.sheet("ABCD"), status=201)
        self.app.clock.advance(minutes=51)
        self.log_in_again()
        self.app.run_task("drafts.hand_in")
        self.app.run_jobs()

    def seal(self) -> None:
        """Seal the exam before its publication, as a correction of the answer key does."""
        with begin(self.app.runtime) as work:
            assert ending.finish(work, rows.locked(work, self.exam_id))

    def publish(self) -> None:
        publish(self.app, self.admin)

    def regrade(self) -> None:
        third = self.sheet("ABCD")["answers"][2]["question"]
        path = f"/exams/{self.exam_id}/regrades/"
        wrong = {
            "changes": [{"question": third, "accept": ["B", "C"]}],
            "reason": "Both are right.",
        }
        shown = self.admin.post(path, wrong, status=201).json
        self.admin.post(f"{path}{shown['id']}/apply/", status=200)
        self.app.run_jobs()

    def board(self) -> dict[str, tuple[int, float, float]]:
        """Rank, score and seconds of everyone on the latest leaderboard."""
        reply = self.admin.get(f"/leaderboard/?exam_id={self.exam_id}", status=200).json
        names = {str(person.id): name for name, person in self.people.items()}
        return {
            names[row["candidate"]["user_id"]]: (row["rank"], row["score"], row["seconds_used"])
            for row in (*reply["top_three"], *reply["remaining_candidates"])
        }

    def deadlines(self) -> dict[str, datetime]:
        """The deadlines of all candidates who have started."""
        path = f"/exams/{self.exam_id}/invigilation/?limit=100"
        names = {str(person.id): name for name, person in self.people.items()}
        return {
            names[seat["candidate"]["user_id"]]: datetime.fromisoformat(seat["deadline"])
            for seat in self.admin.get(path, status=200).json["results"]
            if seat["deadline"] is not None
        }


# Each action returns whether the service accepts it.


def rename(day: Day, actor: Person) -> bool:
    body = {"first_name": "Aaron", "last_name": "Aardvark", "school": LUCKY}
    return _succeeds(actor.patch("/account-management/", body, status="any"))


def leave(day: Day, actor: Person) -> bool:
    body = {"password": PASSWORD}
    return _succeeds(actor.delete("/users/me/", body, status="any"))


def come_back(day: Day, actor: Person) -> bool:
    if not leave(day, actor):
        return False
    [code] = re.findall(r"^    (\S{32})$", text_of(day.app.mails(actor.email)[-1]), re.M)
    day.app.anonymous.post("/users/restore/", {"code": code}, status=200)
    return log_in_elsewhere(day, actor)


def log_in_elsewhere(day: Day, actor: Person) -> bool:
    """Log in on another device, open the paper again, and save other answers there."""
    token = day.app.log_in(actor.email, status=200).json["access"]
    actor.client = day.app.client(token)
    take(actor, day.exam_id, status="any")
    draft = {"sequence": 9, **day.sheet("ABCD")}
    actor.put(f"/exams/{day.exam_id}/draft/", draft, status="any")
    return True


def submit_unopened(day: Day, actor: Person) -> bool:
    return _succeeds(submit(actor, day.exam_id, day.sheet("ABBD"), status="any"))


def submit_again(day: Day, actor: Person) -> bool:
    """Send better answers, without an idempotency key and with one."""
    replies = [
        submit(actor, day.exam_id, day.sheet("ABCD"), status="any", headers=headers)
        for headers in ({}, {"Idempotency-Key": "another-submission"})
    ]
    return any([*map(_succeeds, replies)])


def appeal(day: Day, actor: Person) -> bool:
    body = {"question": None, "text": "I was right."}
    return _succeeds(actor.post(f"/exams/{day.exam_id}/appeals/", body, status="any"))


def be_erased(day: Day, actor: Person) -> bool:
    """Have the account erased, as the service does some days after a deletion, and an operator can
    do immediately."""
    with begin(day.app.runtime) as work:
        personal_data.erase(work, actor.id)
    return True


def _succeeds(reply: TestResponse) -> bool:
    assert reply.status_int < 500, reply.text
    return reply.status_int < 400


# --- The table

# Each state of an exam, with the step of the day that leads to it.
STATES: dict[str, Callable[[Day], None] | None] = {
    "announced": None,
    "open, not submitted": Day.open,
    "open, submitted": Day.submit,
    "over": Day.end,
    "sealed": Day.seal,
    "published": Day.publish,
    "regraded": Day.regrade,
}


@dataclass(frozen=True)
class Outcome:
    """The outcome of an action. `cell` is its cell in docs/fairness.md, and `reason` explains it.

    If the action changes the time that the actor has used, `seconds` is the new time. None means
    that the actor has no result. The action never changes the actor's score, or the results of
    other candidates.
    """

    cell: str
    is_accepted: bool
    reason: str = ""
    changes: bool = False
    seconds: float | None = None


SAME = Outcome("same", is_accepted=True)
REFUSED = Outcome("rejected", is_accepted=False)
ABSENT = Outcome(
    "no result",
    is_accepted=True,
    reason="The candidate has not submitted, and does not take part any more. The others are "
    "ranked by the rule, as if the candidate had never started.",
    changes=True,
)
NEVER_IN = Outcome(
    "rejected, no result",
    is_accepted=False,
    reason="The candidate has not opened the paper, and has no result. The others are ranked by "
    "the rule.",
    changes=True,
)
WHOLE_COUNTDOWN = Outcome(
    "whole countdown",
    is_accepted=True,
    reason="Where a start is not required, answers without an opened paper are accepted. The time "
    "is unknown, so the whole countdown counts. The others keep their times, and are ranked by the "
    "rule.",
    changes=True,
    seconds=3600,
)
# For states in which the action is impossible: before the first submission, there is no second one.
# The table has a dash there.
NOT_YET = None
REQUIRED = {"competition.sittings.requires_start": "true"}


@dataclass(frozen=True)
class Action:
    act: Callable[[Day, Person], bool]
    # The outcome in each state, or NOT_YET.
    outcomes: tuple[Outcome | None, ...]
    # Whether the actors, like all candidates, open the paper and submit.
    actors_sit: bool = True
    settings: dict[str, str] = field(default_factory=dict)

    def by_state(self) -> dict[str, Outcome]:
        of_states = zip(STATES, self.outcomes, strict=True)
        return {state: outcome for state, outcome in of_states if outcome is not None}


TABLE = {
    "change name and school": Action(rename, (SAME,) * 7),
    "delete the account": Action(leave, (ABSENT, REFUSED, REFUSED, SAME, SAME, SAME, SAME)),
    "delete the account and restore it": Action(
        come_back, (SAME, REFUSED, REFUSED, SAME, SAME, SAME, SAME)
    ),
    "log in on another device": Action(log_in_elsewhere, (SAME,) * 7),
    "submit without opening the paper": Action(
        submit_unopened,
        (NEVER_IN, WHOLE_COUNTDOWN, WHOLE_COUNTDOWN, NEVER_IN, NEVER_IN, NEVER_IN, NEVER_IN),
        actors_sit=False,
    ),
    "the same, where a start is required": Action(
        submit_unopened, (NEVER_IN,) * 7, actors_sit=False, settings=REQUIRED
    ),
    "submit a second time": Action(
        submit_again, (REFUSED, NOT_YET, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED)
    ),
    "appeal": Action(appeal, (REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, SAME, SAME)),
    "be erased": Action(be_erased, (ABSENT, ABSENT, SAME, SAME, SAME, SAME, SAME)),
}


def with_actors(results: dict[str, Result], outcomes: dict[str, Outcome]) -> dict[str, Result]:
    """The results of everyone, after each actor's action."""
    score, seconds = results[MODEL]
    of_actors = {
        state: (score, outcome.seconds if outcome.changes else seconds)
        for state, outcome in outcomes.items()
        if not outcome.changes or outcome.seconds is not None
    }
    return {**results, **of_actors}


@pytest.mark.parametrize("name", TABLE)
def test_every_pair(app_with, name):
    action = TABLE[name]
    outcomes = action.by_state()
    day = Day(app_with(action.settings), outcomes, action.actors_sit)
    for state, step in STATES.items():
        if step is not None:
            step(day)
        if state in outcomes:
            accepted = action.act(day, day.people[state])
            assert accepted is outcomes[state].is_accepted, state
        if state in ("published", "regraded"):
            # Publish again, so that the leaderboard is computed after the action.
            day.publish()
            results = BEFORE if state == "published" else AFTER
            assert day.board() == ranked(with_actors(results, outcomes))
    deadlines = day.deadlines()
    everyone = {name: deadlines[MODEL] for name in day.people}
    everyone["lucky"] += timedelta(minutes=30)
    # An actor with a changed result has not started, or has started only by submitting. Leave out
    # their deadline.
    for state, outcome in outcomes.items():
        if outcome.changes:
            deadlines.pop(state, None), everyone.pop(state)
    assert deadlines == everyone


# --- The document


def table() -> str:
    """The table in Markdown, with its exceptions below."""
    lines = [f"| action | {' | '.join(STATES)} |", "|---" * (len(STATES) + 1) + "|"]
    reasons: list[str] = []
    for name, action in TABLE.items():
        cells = []
        for outcome in action.outcomes:
            if outcome is None:
                cells.append("-")
                continue
            if outcome.reason and outcome.reason not in reasons:
                reasons.append(outcome.reason)
            note = f" ({reasons.index(outcome.reason) + 1})" if outcome.reason else ""
            cells.append(outcome.cell + note)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    notes = [
        textwrap.fill(f"{number}. {reason}", 120, subsequent_indent="   ")
        for number, reason in enumerate(reasons, 1)
    ]
    return "\n".join([*lines, "", *notes]) + "\n"


def document() -> tuple[str, str, str]:
    """docs/fairness.md in three parts: the text before the table, the table, and the text after
    it.
    """
    before, begin_mark, rest = FAIRNESS.read_text().partition(BEGIN)
    shown, end_mark, after = rest.partition(END)
    assert begin_mark and end_mark, "docs/fairness.md has lost the comments around the table."
    return before + begin_mark, shown, end_mark + after


def test_the_document_shows_the_table():
    assert document()[1] == table(), "Run python -m tests.contract.test_every_pair."


if __name__ == "__main__":
    first, _, last = document()
    FAIRNESS.write_text(first + table() + last)
