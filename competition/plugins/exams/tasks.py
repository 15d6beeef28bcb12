from competition.core.jobs.lanes import SLOW
from competition.core.jobs.runner import Run
from competition.core.jobs.tasks import task
from competition.plugins.exams.services import rerendering


@task("exams.render_again", steps=True, lane=SLOW)
def render_again(run: Run) -> None:
    """Render the questions again in the frozen papers of all exams that no candidate has started. A
    migration enqueues this job when the spoken words of formulas change."""
    last: int | None = 0
    while last is not None:
        with run.work() as work:
            last = rerendering.next_paper(work, last)
    with run.finish():
        pass
