from competition.core import flags as run_time_flags
from competition.core.auth.access import KeyScope, StaffRole, staff
from competition.core.errors import IdempotencyKeyReused, Invalid
from competition.core.schemas import IdempotencyHeaders
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.operations import schemas
from competition.plugins.operations.presenters import operations as presenters
from competition.plugins.operations.services import operations as services

SUPERADMIN = staff(StaffRole.SUPERADMIN)

flags = Service("/flags/")
flag = Service("/flags/{name}/")
keys = Service("/api-keys/")
key = Service("/api-keys/{key_id:int}/")
jobs = Service("/jobs/")
job_retry = Service("/jobs/{job_id:int}/retry/")
rates = Service("/api-keys/rates/")
mails = Service("/mails/")
mail_resend = Service("/mails/{mail_id:int}/resend/")


@flags.get(access=SUPERADMIN)
def list_flags(request: Request) -> list[presenters.Flag]:
    """List the flags: features that can be switched without a restart."""
    return [presenters.flag(*each) for each in run_time_flags.listing(request.work)]


@flag.put(access=SUPERADMIN, body=schemas.FlagState)
def switch_flag(request: Request, name: str) -> presenters.Flag:
    """Switch a flag on or off."""
    switched = services.switch_flag(request.work, name, request.validated["enabled"])
    return presenters.flag(*switched)


@keys.get(access=SUPERADMIN, query=schemas.KeyFilters)
def list_api_keys(request: Request) -> presenters.ApiKeyList:
    """List the API keys, the newest first. Their secrets can't be shown."""
    page = services.page_of_keys(request.work, request.validated)
    return presenters.api_key_list(page, request.public_url)


@rates.get(access=SUPERADMIN)
def list_key_rates(request: Request) -> list[presenters.KeyRates]:
    """List the rate limits that an API key can have instead of those of the service."""
    return [presenters.key_rates(*each) for each in services.key_rates(request.work)]


@keys.post(
    access=SUPERADMIN,
    status=201,
    headers=IdempotencyHeaders,
    body=schemas.NewApiKey,
    errors=(IdempotencyKeyReused,),
)
def create_api_key(request: Request) -> presenters.NewApiKey:
    """Create an API key. The reply has its secret, which can't be shown again later.

    With an `Idempotency-Key`, the request can be sent again, for example if the reply was lost.
    """
    given = dict(request.validated)
    scopes = [KeyScope(each) for each in given.pop("scopes")]
    created = services.create_key(request.work, scopes=scopes, **given)
    return presenters.new_api_key(*created)


@key.delete(access=SUPERADMIN, status=204)
def revoke_api_key(request: Request, key_id: int) -> None:
    """Revoke an API key. All processes reject it within 15 seconds."""
    services.revoke_key(request.work, key_id)


@jobs.get(access=SUPERADMIN, query=schemas.JobFilters)
def list_jobs(request: Request) -> presenters.JobList:
    """List the background jobs, the newest first."""
    page = services.page_of_jobs(request.work, request.validated)
    return presenters.job_list(page, request.public_url)


@job_retry.post(access=SUPERADMIN, status=202, errors=(Invalid,))
def retry_job(request: Request, job_id: int) -> presenters.Job:
    """Run a failed job again, before all other jobs."""
    return presenters.job(services.retry_job(request.work, job_id))


@mails.get(access=SUPERADMIN, query=schemas.MailFilters)
def list_mails(request: Request) -> presenters.MailList:
    """List the emails, the newest first. Their texts are not stored."""
    page = services.page_of_mails(request.work, request.validated)
    return presenters.mail_list(page, request.public_url)


@mail_resend.post(access=SUPERADMIN, status=202, errors=(Invalid,))
def resend_mail(request: Request, mail_id: int) -> presenters.Mail:
    """Send an email again.

    A one-time password in it is replaced by a new one.
    """
    return presenters.mail(services.resend_mail(request.work, mail_id))
