from competition.core.jobs.runner import Run
from competition.core.jobs.tasks import task
from competition.plugins.broadcasts.services import sending


@task("broadcasts.send", steps=True, given_up=sending.finish)
def send(run: Run, broadcast_id: int) -> None:
    """Send a broadcast. If the job fails permanently, the remaining deliveries are logged as
    failed."""
    with run.work() as work:
        sending.choose_recipients(work, broadcast_id)
    is_open = True
    while is_open:
        with run.work() as work:
            is_open = sending.send_batch(work, broadcast_id)
    with run.finish() as work:
        sending.finish(work, broadcast_id)
