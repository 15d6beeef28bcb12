import logging

from competition.core.jobs import LeaseLost, Run, task
from competition.plugins.broadcasts.services import sending

log = logging.getLogger(__name__)


@task("broadcasts.send", steps=True)
def send(run: Run, broadcast_id: int) -> None:
    """After the last try, those who were told were told, and the rest is logged as failed."""
    try:
        with run.work() as work:
            sending.begin(work, broadcast_id)
        is_open = True
        while is_open:
            with run.work() as work:
                is_open = sending.tell_some(work, broadcast_id)
    except LeaseLost:
        raise
    except Exception:
        if not run.is_last:
            raise
        log.exception("broadcast %s is given up", broadcast_id)
    with run.finish() as work:
        sending.finish(work, broadcast_id)
