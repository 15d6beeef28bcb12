import time
from pathlib import Path

from competition.core.jobs.tasks import task
from competition.core.work import Work


@task("outside.hold")
def hold(work: Work, folder: str) -> None:
    """Create the file `begun`, then wait until the file `let-go` exists."""
    Path(folder, "begun").touch()
    while not Path(folder, "let-go").exists():
        time.sleep(0.01)
