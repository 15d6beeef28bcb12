from competition.core.errors import ApiError
from competition.core.imports import Unreadable
from competition.core.jobs.runner import Run
from competition.core.jobs.tasks import task
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.imports.services import applying, checking


def give_up(work: Work, import_id: int) -> None:
    """Mark an import as failed, because its job has failed permanently."""
    detail = Message(
        "The service could not finish this import. Nothing was changed. Send the"
        " file again. If this fails too, tell the operator."
    )
    checking.fail(work, import_id, detail)


@task("imports.check", steps=True, lane="imports", given_up=give_up)
def check(run: Run, import_id: int) -> None:
    """Check an uploaded file. If a worker dies, the next run checks the whole file again."""
    try:
        checking.check(run.runtime, run.work, import_id)
    except (Unreadable, ApiError) as error:
        _fail(run, import_id, error)
    except checking.Stopped:
        with run.finish():
            pass
    else:
        with run.finish() as work:
            checking.finish(work, import_id)


@task("imports.apply", steps=True, lane="imports", given_up=give_up)
def apply(run: Run, import_id: int) -> None:
    """Apply an import in one transaction, or mark it as failed in another one."""
    try:
        with run.finish() as work:
            applying.apply(work, import_id)
    except (Unreadable, ApiError) as error:
        _fail(run, import_id, error)


def _fail(run: Run, import_id: int, error: Unreadable | ApiError) -> None:
    problem = error.message if isinstance(error, Unreadable) else error.detail
    with run.finish() as work:
        checking.fail(work, import_id, problem)
