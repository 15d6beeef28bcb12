from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.notifications import services


@task("notifications.email")
def email(work: Work, notice_id: int) -> None:
    """Email a notice to the users whom it was sent to."""
    services.email(work, notice_id)
