"""Simulate workers that take a job and die."""

from competition.core.jobs.models import Job
from competition.core.jobs.runner import Runner
from competition.core.jobs.tasks import JobSettings
from competition.testing.service import Service


def take_and_die(service: Service, job_id: int) -> bool:
    """Claim a job and let the lease expire, so that another worker may claim it.

    Returns whether the claim was only for marking the job as failed permanently.
    """
    claim = Runner(service.runtime).claim(Job.id == job_id)
    assert claim is not None
    service.clock.advance(seconds=service.runtime.settings[JobSettings].lease + 1)
    return claim.is_hopeless


def take_and_die_until_it_is_given_up(service: Service, job_id: int) -> None:
    while not take_and_die(service, job_id):
        pass
    assert Runner(service.runtime).run(job_id)
