"""Every refusal of the service, and the one place that builds ``{detail, code}``.

A rule raises an ApiError. Raising aborts the transaction; an error class that sets `keep` commits
what was written on the way to it (a wrong guess that was counted, a session that was revoked).
"""

from typing import Any, ClassVar, NotRequired, TypedDict

import msgspec
from pyramid.config import Configurator
from pyramid.httpexceptions import (
    HTTPException,
    HTTPForbidden,
    HTTPMethodNotAllowed,
    HTTPNotFound,
)
from pyramid.request import Request
from pyramid.response import Response

Messages = dict[str, Any]

# Seconds that PostgreSQL takes to restart: asking earlier is in vain.
RETRY_AFTER = 5


class ErrorBody(TypedDict):
    """The envelope of every error. `errors` maps a field to its messages; items of a list are
    keyed by their index."""

    detail: str
    code: str
    errors: NotRequired[dict[str, Any]]


class ApiError(Exception):
    """`shape` is that of its body: the envelope, or one that adds fields to it."""

    status: ClassVar[int]
    code: ClassVar[str]
    detail: str
    keep: ClassVar[bool] = False
    shape: ClassVar[type[Any]] = ErrorBody

    def __init__(
        self,
        detail: str | None = None,
        *,
        errors: Messages | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        if detail is not None:
            self.detail = detail
        self.errors = errors
        self.headers = headers or {}
        super().__init__(self.detail)

    @property
    def body(self) -> ErrorBody:
        body = ErrorBody(detail=self.detail, code=self.code)
        if self.errors is not None:
            body["errors"] = self.errors
        return body


class Invalid(ApiError):
    status = 400
    code = "invalid"
    detail = "The request is not valid."

    @classmethod
    def field(cls, name: str, message: str) -> "Invalid":
        """Of ``"guardian.name"`` it is the field `name` in `guardian`."""
        errors: Any = [message]
        for each in reversed(name.split(".")):
            errors = {each: errors}
        return cls(message, errors=errors)


class IdempotencyKeyReused(ApiError):
    status = 400
    code = "idempotency_key_reused"
    detail = "Something else was sent under this Idempotency-Key."


class NotAuthenticated(ApiError):
    status = 401
    code = "not_authenticated"
    detail = "Credentials were not provided."


class AuthenticationFailed(ApiError):
    status = 401
    code = "authentication_failed"
    detail = "Incorrect credentials."


class InvalidToken(ApiError):
    status = 401
    code = "invalid_token"
    detail = "The token is invalid or has expired."


class PermissionDenied(ApiError):
    status = 403
    code = "permission_denied"
    detail = "You are not allowed to do this."


class EmailNotVerified(ApiError):
    status = 403
    code = "email_not_verified"
    detail = "Verify your email address first."


class UnverifiedCandidate(ApiError):
    status = 403
    code = "unverified_candidate"
    detail = "The candidate has to be verified first."


class UnverifiedStaff(ApiError):
    status = 403
    code = "unverified_staff"
    detail = "The staff member has to be verified first."


class SecondFactorRequired(ApiError):
    """The rank wants a second factor, and the session was opened without one."""

    status = 403
    code = "second_factor_required"
    detail = "Set up a second factor first, or log in with it."


class InvalidOtp(ApiError):
    """Wrong, used or expired, or for an unknown address. A wrong try stays counted."""

    status = 400
    code = "invalid_otp"
    detail = "The code is invalid or has expired."
    keep = True


class NotFound(ApiError):
    status = 404
    code = "not_found"
    detail = "Not found."


class MethodNotAllowed(ApiError):
    status = 405
    code = "method_not_allowed"
    detail = "This method is not allowed here."


class UnsupportedMediaType(ApiError):
    status = 415
    code = "unsupported_media_type"
    detail = "This content type is not supported here."


class ThrottleExceeded(ApiError):
    """Too many requests of a client, whatever they ask for (decisions H3)."""

    status = 429
    code = "throttle_exceeded"
    detail = "Too many requests. Try again later."


class RateLimitExceeded(ApiError):
    """Too many of one action, such as sending codes."""

    status = 429
    code = "rate_limit_exceeded"
    detail = "Too many tries. Try again later."


class ServerError(ApiError):
    status = 500
    code = "server_error"
    detail = "Something went wrong on our side."


class StorageUnavailable(ApiError):
    status = 502
    code = "storage_unavailable"
    detail = "The file storage can't be reached."


class ServiceUnavailable(ApiError):
    """The database is away, or too busy. Nothing was done: the same request may be sent again."""

    status = 503
    code = "service_unavailable"
    detail = "The service is not available just now. Try again a little later."

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": str(RETRY_AFTER)})


def error_response(error: ApiError) -> Response:
    response = Response(
        status=error.status,
        body=msgspec.json.encode(error.body),
        content_type="application/json",
        charset=None,
    )
    response.headers.update(error.headers)
    if error.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if error.keep:
        response.headers["X-Tm"] = "commit"
    return response


def api_error(error: ApiError, request: Request) -> Response:
    return error_response(error)


def http_error(error: HTTPException, request: Request) -> Response:
    """The reply to an error that Pyramid or Cornice raises by itself."""
    if isinstance(error, HTTPNotFound):
        return error_response(NotFound())
    if isinstance(error, HTTPForbidden):
        return error_response(PermissionDenied())
    if isinstance(error, HTTPMethodNotAllowed):
        allow = {"Allow": ", ".join(sorted({*(error.allow or ()), "OPTIONS"}))}
        if request.method == "OPTIONS":
            return Response(status=204, headers=allow)
        return error_response(MethodNotAllowed(headers=allow))
    if error.status_int >= 500:
        return error_response(ServerError())
    return error_response(Invalid())


def includeme(config: Configurator) -> None:
    config.add_exception_view(api_error, context=ApiError)
    config.add_exception_view(http_error, context=HTTPException)
