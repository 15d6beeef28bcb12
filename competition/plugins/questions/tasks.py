from competition.core.jobs.lanes import SLOW
from competition.core.jobs.runner import Run
from competition.core.jobs.tasks import task
from competition.plugins.questions.services import rerendering


@task("questions.render_again", steps=True, lane=SLOW)
def render_again(run: Run) -> None:
    """Render all questions again. A migration enqueues this job when words change."""
    last: int | None = 0
    while last is not None:
        with run.work() as work:
            last = rerendering.batch_of_questions(work, last)
    with run.finish():
        pass
