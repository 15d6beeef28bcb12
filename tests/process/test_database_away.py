"""Stop PostgreSQL under a worker: it waits without flooding its log."""

from sqlalchemy import select

from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.work import begin
from competition.embedded.binaries import binaries
from competition.testing.waiting import wait_until


def test_a_worker_waits_for_the_database_with_few_log_lines(own_servers, live_with, start_worker):
    url = own_servers.addresses.database_url
    live = live_with({"competition.database.url": url})

    def states():
        with begin(live.runtime) as work:
            return set(work.db.scalars(select(Job.state)))

    worker = start_worker(COMPETITION_DATABASE_URL=url)
    wait_until(lambda: states() == {"done"})
    own_servers.postgres.stop()
    wait_until(lambda: worker.says("no job can be run"))
    own_servers.postgres.start(binaries(own_servers.place))
    live.runtime.database.dispose()
    with begin(live.runtime) as work:
        jobs.enqueue(work, "core.housekeeping")
    wait_until(lambda: states() == {"done"})
    assert "Traceback" not in worker.output
    # The worker's three threads log this once, not three times.
    assert worker.complains_at_most_once_a_minute("no job can be run")
