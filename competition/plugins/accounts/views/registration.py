"""Registering candidates and staff."""

from typing import Any

from competition.core.auth.access import API_KEY, PUBLIC
from competition.core.errors import RateLimitExceeded, ServiceUnavailable
from competition.core.messages import Message, language_of
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters, schemas
from competition.plugins.accounts.errors import (
    AccountAlreadyAuthenticated,
    PasswordsDoNotMatch,
    PasswordValidationFailed,
    RegistrationClosed,
)
from competition.plugins.accounts.services import registration, schools

registration_state = Service("/registration/")
candidate_registration = Service("/register/candidate/")
staff_registration = Service("/register/staff/")
school_names = Service("/schools/names/")

REGISTRATION_ERRORS = (
    AccountAlreadyAuthenticated,
    RegistrationClosed,
    PasswordsDoNotMatch,
    PasswordValidationFailed,
    RateLimitExceeded,
)
REGISTERED = Message(
    "Your account has been created. You will get a code to verify your email address."
)


@registration_state.get(access=PUBLIC, errors=(ServiceUnavailable,))
def registration_status(request: Request) -> presenters.RegistrationStatus:
    """Whether candidates and staff can register at the moment."""
    return presenters.registration_status(request.work)


@school_names.get(access=API_KEY, query=schemas.SchoolSearch, limit="schools")
def suggest_schools(request: Request) -> presenters.SchoolNames:
    """Suggest names of schools to a candidate who registers, at most 20.

    A name is suggested if at least three approved candidates have it, because other names may be
    private. The names are at most a minute old. Candidates can also register with any other name.
    """
    names = schools.suggestions(request.work, request.validated["search"])
    return presenters.SchoolNames(results=names)


@candidate_registration.post(
    access=API_KEY,
    status=201,
    body=schemas.CandidateRegistration,
    guard=registration.check_candidate_may_register,
    hashes_password=True,
    errors=REGISTRATION_ERRORS,
)
def register_candidate(request: Request) -> presenters.AccountMessage:
    """Create an account as a candidate.

    With `generate_password` you can omit the passwords. The service then generates one and sends it
    by email.
    """
    registration.register_candidate(request.work, _fields(request))
    return presenters.AccountMessage(message=REGISTERED)


@staff_registration.post(
    access=API_KEY,
    status=201,
    body=schemas.StaffRegistration,
    guard=registration.check_staff_may_register,
    hashes_password=True,
    errors=REGISTRATION_ERRORS,
)
def register_staff(request: Request) -> presenters.AccountMessage:
    """Create an account as a member of staff.

    With `generate_password` you can omit the passwords. The service then generates one and sends it
    by email. If the email address is not verified within 15 minutes (by default), the account is
    deleted.
    """
    registration.register_staff(request.work, _fields(request))
    return presenters.AccountMessage(message=REGISTERED)


def _fields(request: Request) -> dict[str, Any]:
    """The validated body. If it has no language, the language of `Accept-Language` is added."""
    sent = request.validated
    return {**sent, "language": sent["language"] or language_of(request)}
