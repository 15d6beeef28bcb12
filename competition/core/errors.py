"""The errors of the API, and the only place that builds their body, ``{detail, code}``.

Code that rejects a request raises an ApiError, which aborts the transaction. An error class that
sets `keep` commits the transaction instead, so that earlier changes, such as a revoked session, are
not lost.
"""

from typing import Any, ClassVar, NotRequired, Self, TypedDict, TypeVar

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

from competition.core.messages import Language, Message, language_of, rules, translate_for, worded

T = TypeVar("T")
Messages = dict[str, Any]

# How long PostgreSQL takes to restart, in seconds. An earlier retry would fail.
RETRY_AFTER = 5


class ErrorBody(TypedDict):
    """The body of every error. `errors` maps each invalid field to its messages. Items of a list
    are identified by their index. `rules` has the same fields, with an object ``{rule, …limits}``
    for each message."""

    detail: str
    code: str
    errors: NotRequired[dict[str, Any]]
    rules: NotRequired[dict[str, Any]]


class ApiError(Exception):
    """An error that the client gets as a JSON response.

    `shape` is the TypedDict of its body: ErrorBody, or one that adds fields. If `keep` is true, the
    transaction is committed. `advice` says what a client should do; the reference of error codes
    shows it.
    """

    status: ClassVar[int]
    code: ClassVar[str]
    advice: ClassVar[str] = ""
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
        super().__init__(worded(self.detail))

    @classmethod
    def field(cls, name: str, message: str) -> Self:
        """An error about one field. ``"guardian.name"`` is the field `name` of the object
        `guardian`."""
        errors: Any = [message]
        for each in reversed(name.split(".")):
            errors = {each: errors}
        return cls(message, errors=errors)

    @property
    def body(self) -> ErrorBody:
        body = ErrorBody(detail=self.detail, code=self.code)
        if self.errors is not None:
            body["errors"] = self.errors
            body["rules"] = rules(self.errors)
        return body


class Invalid(ApiError):
    status = 400
    code = "invalid"
    advice = (
        "Show each message of `errors` beside its field. Correct the request: the same"
        " request fails again."
    )
    detail = Message("The request is not valid.")


class IdempotencyKeyReused(ApiError):
    status = 400
    code = "idempotency_key_reused"
    advice = "Create a new key for each new action, and repeat a key only with the same request."
    detail = Message(
        "This Idempotency-Key was already used for a request with other content. Send a new key."
    )


class NotAuthenticated(ApiError):
    status = 401
    code = "not_authenticated"
    advice = (
        "Send the API key in `X-Api-Key` or, for a user, the access token in"
        " `Authorization: Bearer`."
    )
    detail = Message("Credentials were not provided. Log in first.")


class AuthenticationFailed(ApiError):
    status = 401
    code = "authentication_failed"
    advice = "Check the API key, or ask the user to type the email address and the password again."
    detail = Message("Incorrect credentials. Check them, and try again.")


class InvalidToken(ApiError):
    status = 401
    code = "invalid_token"
    advice = (
        "Refresh the tokens once, and repeat the request. If that fails too, ask the"
        " user to log in."
    )
    detail = Message("The token is invalid or has expired. Log in again.")


class PermissionDenied(ApiError):
    status = 403
    code = "permission_denied"
    advice = (
        "Don't repeat the request. Hide the action: this caller's role, rank or API key"
        " doesn't allow it."
    )
    detail = Message("You are not allowed to do this. If you need to, ask the organisers.")


class UnverifiedCandidate(ApiError):
    status = 403
    code = "unverified_candidate"
    advice = (
        "Show the candidate how to verify the email address and send documents, then"
        " wait for the decision."
    )
    detail = Message("The candidate's email address and identity must be verified first.")


class UnverifiedStaff(ApiError):
    status = 403
    code = "unverified_staff"
    advice = "Show the member of staff how to verify the email address and send documents."
    detail = Message(
        "The email address and identity of the member of staff must be verified first."
    )


class SecondFactorRequired(ApiError):
    """The caller's rank requires a second factor, and the session was started without one."""

    status = 403
    code = "second_factor_required"
    advice = "Ask the user to set up a second factor, or to log in with its code."
    detail = Message("Your role requires a second factor. Set one up, or log in with it.")


class NotFound(ApiError):
    status = 404
    code = "not_found"
    advice = "Check the path and the ids. The object was deleted, or the caller may not know of it."
    detail = Message("Not found. Check the address and the ids.")


def existing(found: T | None) -> T:
    """The same object, such as a row that was looked up. Raises NotFound if it is None."""
    if found is None:
        raise NotFound
    return found


class MethodNotAllowed(ApiError):
    status = 405
    code = "method_not_allowed"
    advice = "Use a method that the header `Allow` lists."
    detail = Message("This method is not allowed here. The header Allow lists the allowed methods.")


class PreconditionFailed(ApiError):
    """The current version of the object is not a version that the client named in If-Match."""

    status = 412
    code = "precondition_failed"
    advice = (
        "Read the object again, show the changes to the user, and send the request with"
        " the new ETag."
    )
    detail = Message(
        "Another person has changed this in the meantime. Read it again before you change it."
    )


class UnsupportedMediaType(ApiError):
    status = 415
    code = "unsupported_media_type"
    advice = "Send a media type that the API reference lists for this operation."
    detail = Message(
        "This content type is not supported here. The API reference lists the supported types."
    )


class ThrottleExceeded(ApiError):
    """A client sent too many requests, of any kind (decisions H3)."""

    status = 429
    code = "throttle_exceeded"
    advice = "Wait for the number of seconds in `Retry-After`, then repeat the request."
    detail = Message("Too many requests. Try again later.")


class RateLimitExceeded(ApiError):
    """One action, such as sending a code, was requested too often."""

    status = 429
    code = "rate_limit_exceeded"
    advice = (
        "Wait for the number of seconds in `Retry-After`. Don't repeat the request automatically."
    )
    detail = Message("You have done this too often. Try again later.")


class ServerError(ApiError):
    status = 500
    code = "server_error"
    advice = (
        "Repeat the request once. If it fails again, report the value of `X-Request-Id`"
        " to the operator."
    )
    detail = Message("Something went wrong on our side. Try again later.")


class StorageUnavailable(ApiError):
    status = 502
    code = "storage_unavailable"
    advice = "Repeat the request after some seconds. Nothing was changed."
    detail = Message("The file storage can't be reached. Try again in a few seconds.")


class ServiceUnavailable(ApiError):
    """The database is unavailable, or the service is overloaded. Nothing was changed, so the client
    may send the same request again."""

    status = 503
    code = "service_unavailable"
    advice = (
        "Repeat the same request after the number of seconds in `Retry-After`. Nothing was changed."
    )
    detail = Message("The service is temporarily unavailable. Try again in a few seconds.")

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": str(RETRY_AFTER)})


def error_response(error: ApiError, request: Request) -> Response:
    """The response for an error, in the language that the request asks for."""
    return response_in(language_of(request), request.registry.runtime, error)


def response_in(language: Language | None, runtime: Any, error: ApiError) -> Response:
    """The response for an error in this language. None is English, for a client that asks for no
    language. If the error sets `keep`, a header of the response makes pyramid_tm commit the
    transaction."""
    translate = translate_for(runtime, language)
    response = Response(
        status=error.status,
        body=msgspec.json.encode(worded(error.body, translate)),
        content_type="application/json",
        charset=None,
    )
    response.headers.update(error.headers)
    if error.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if error.keep:
        response.headers["X-Tm"] = "commit"
    if language is not None:
        response.headers["Content-Language"] = language
        response.vary = ("Accept-Language",)
    return response


def http_error(error: HTTPException, request: Request) -> Response:
    """The response to an error that Pyramid or Cornice raises. For an OPTIONS request, if the path
    exists, it is a 204 response that lists the allowed methods."""
    if isinstance(error, HTTPNotFound):
        return error_response(NotFound(), request)
    if isinstance(error, HTTPForbidden):
        return error_response(PermissionDenied(), request)
    if isinstance(error, HTTPMethodNotAllowed):
        allow = {"Allow": ", ".join(sorted({*(error.allow or ()), "OPTIONS"}))}
        if request.method == "OPTIONS":
            return Response(status=204, headers=allow)
        return error_response(MethodNotAllowed(headers=allow), request)
    if error.status_int >= 500:
        return error_response(ServerError(), request)
    return error_response(Invalid(), request)


def includeme(config: Configurator) -> None:
    config.add_exception_view(error_response, context=ApiError)
    config.add_exception_view(http_error, context=HTTPException)
