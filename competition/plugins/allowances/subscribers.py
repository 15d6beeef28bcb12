from competition.core.events import subscriber
from competition.core.users.events import SchoolsRenamed
from competition.plugins.allowances.services import clocks, giving
from competition.plugins.exams.events import ExamChanged
from competition.plugins.sittings.events import (
    AttemptStarted,
    ClockChanged,
    SubmissionsWithdrawn,
)


@subscriber(AttemptStarted)
def give_earlier_allowances(event: AttemptStarted) -> None:
    giving.give_to_starter(event.work, event.exam_id, event.candidate_id)


@subscriber(SubmissionsWithdrawn)
def give_missed_allowances(event: SubmissionsWithdrawn) -> None:
    if event.is_own:
        for candidate_id in event.candidate_ids:
            giving.give_missed(event.work, event.exam_id, candidate_id)


@subscriber(ExamChanged)
def push_new_deadlines(event: ExamChanged) -> None:
    if event.moves_deadlines:
        clocks.push(event.work, event.exam_id)


@subscriber(ClockChanged)
def push_clock_of_one(event: ClockChanged) -> None:
    clocks.push(event.work, event.exam_id, candidate_id=event.candidate_id)


@subscriber(SchoolsRenamed)
def rename_schools(event: SchoolsRenamed) -> None:
    event.counts["allowances"] = giving.rename_schools(event.work, event.keys, event.name)
