import time
from pathlib import Path

from competition.core.jobs.tasks import task
from competition.core.work import Work


@task("outside.hold")
def hold(work: Work, folder: str) -> None:
    """Says that it has begun, and ends when it is let go."""
    Path(folder, "begun").touch()
    while not Path(folder, "let-go").exists():
        time.sleep(0.01)
