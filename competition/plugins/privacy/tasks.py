from uuid import UUID

from competition.core.jobs.lanes import SLOW
from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.privacy.services import deletion, exports


@task("privacy.export", lane=SLOW)
def make_export(work: Work, export_id: str) -> None:
    exports.make(work, UUID(export_id))


@task("privacy.erase")
def erase(work: Work, user_id: str) -> None:
    deletion.carry_out(work, UUID(user_id))
