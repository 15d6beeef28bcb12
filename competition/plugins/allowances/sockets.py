"""Push changed clocks to candidates who are taking an exam."""

from collections.abc import Collection, Iterator
from uuid import UUID

from competition.core.push.feeds import feed
from competition.core.work import Work
from competition.plugins.allowances import presenters
from competition.plugins.allowances.services import clocks
from competition.plugins.sittings.services import clock


@feed("allowances", latest=clocks.latest)
def push_clocks(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> Iterator[tuple[UUID, presenters.ClockActivity]]:
    for candidate_id, exam, started_at, extra, percent in clocks.moved(
        work, user_ids, after, until
    ):
        deadline = clock.deadline(exam, started_at, extra, percent)
        given = clock.given(exam, started_at, extra, percent)
        yield candidate_id, presenters.clock_activity(exam, deadline, given, work.now)
