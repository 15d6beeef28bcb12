"""The commands `competition flags`, `competition jobs` and `competition routes`."""

import click

from competition.cli.ini import Ini, ini_argument
from competition.core import flags as run_time_flags
from competition.core import job_control
from competition.core.choices import values_of
from competition.core.commands import print_table
from competition.core.jobs.models import JobState
from competition.core.runtime import API_PREFIX
from competition.core.web.service import endpoints

MOST_JOBS = 100


@click.group()
def flags() -> None:
    """List and set flags: switches that work without a restart."""


@flags.command("list")
@ini_argument
def list_flags(ini: Ini) -> None:
    """List the flags and their current state."""
    with ini.work() as work:
        found = run_time_flags.listing(work)
    print_table(
        ("name", "now", "default", "description"),
        [(each.name, now, each.default, each.description) for each, now in found],
    )


@flags.command("set")
@click.argument("name")
@click.argument("to", type=click.Choice(["on", "off"]), metavar="on|off")
@ini_argument
def set_flag(name: str, to: str, ini: Ini) -> None:
    """Switch a flag on or off, without a restart."""
    with ini.work() as work:
        run_time_flags.switch(work, name, to == "on")
    click.echo(f"{name} is {to}.")


@click.group()
def jobs() -> None:
    """List background jobs, and run them again."""


@jobs.command("list")
@click.option(
    "--state", type=click.Choice(values_of(JobState)), help="List only jobs in this state."
)
@click.option(
    "--before",
    type=click.IntRange(min=1),
    metavar="ID",
    help="Only jobs older than the job with this id.",
)
@ini_argument
def list_jobs(state: str | None, before: int | None, ini: Ini) -> None:
    """List the newest 100 jobs, the latest last. See earlier ones with --before."""
    with ini.work() as work:
        found = job_control.newest(work, state, MOST_JOBS, before)
    print_table(
        ("id", "name", "key", "state", "attempts", "run after", "last error"),
        [
            (job.id, job.name, job.key, job.state, job.attempts, job.run_after, job.last_error)
            for job in found
        ],
    )


@jobs.command("retry")
@click.argument("job_id", metavar="ID", type=click.IntRange(min=1))
@ini_argument
def retry_job(job_id: int, ini: Ini) -> None:
    """Run a job again.

    This works for any job, unless a worker is running it.
    """
    with ini.work() as work:
        job_control.retry(work, job_id)
    click.echo(f"A worker will run job {job_id} next.")


@click.command()
@ini_argument
def routes(ini: Ini) -> None:
    """List every endpoint, and who may call it."""
    with ini.config(has_endpoints=True) as config:
        found = endpoints(config.registry)
    print_table(
        ("method", "path", "access"),
        [
            (
                each.method,
                API_PREFIX + each.path,
                each.access.description,
            )
            for each in found
        ],
    )
