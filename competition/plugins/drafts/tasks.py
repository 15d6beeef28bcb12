from datetime import timedelta

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.drafts.services import handing_in


# When their time is over, candidates wait until this task has submitted their answers. With this
# period, they wait for at most ten seconds.
@task("drafts.hand_in", every=timedelta(seconds=5))
def hand_in(work: Work) -> None:
    """Submit the drafts of candidates whose time is over."""
    handing_in.hand_in_what_is_due(work)
