"""Decide who may call an endpoint: the first half of the order of checks (decisions A12).

The checks after the route are: API key, token, rate limit, kind of profile, role, verification. The
second half (path, object, state, body) is in `competition.core.web.checks`.

The token alone names the user for the rate limit. The caller is read from the database after that,
so a request over its limit costs no SQL statement.
"""

from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any

from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError
from pyramid.interfaces import ISecurityPolicy
from pyramid.security import Denied
from pyramid.viewderivers import INGRESS
from zope.interface import implementer

from competition.core.audit import security_log
from competition.core.auth import hashing
from competition.core.auth.access import Permission
from competition.core.auth.identity import Identity
from competition.core.auth.tokens import Claims
from competition.core.catalogue import ApiAssembled
from competition.core.errors import (
    AuthenticationFailed,
    InvalidToken,
    NotAuthenticated,
)
from competition.core.users import api_keys, callers
from competition.core.web import counting, download_links
from competition.core.web.endpoint import Endpoint
from competition.core.web.request import Request
from competition.core.web.service import endpoints

View = Callable[[Any, Request], Any]


def secured_endpoint(view: View, info: Any) -> View:
    """View deriver: let a request reach the view of an endpoint only if the endpoint admits it.

    It reads the view option `endpoint`. Views without that option, such as pages, are not changed.
    """
    endpoint: Endpoint | None = info.options.get("endpoint")
    if endpoint is None:
        return view

    def secured(context: Any, request: Request) -> Any:
        with _permit(request, endpoint):
            admit(request, endpoint)
            return view(context, request)

    return secured


# Pyramid reads here which options of a view belong to a deriver.
secured_endpoint.options = ("endpoint",)  # type: ignore[attr-defined]  # an attribute of a function


def _permit(request: Request, endpoint: Endpoint) -> Any:
    """Context manager: hold a hashing permit if the endpoint hashes a password."""
    if not endpoint.hashes_password:
        return nullcontext()
    # Read the body first: a client that stalls here holds a thread, but no permit.
    request.receive_body()
    return hashing.permit(request.registry.runtime.metrics)


def admit(request: Request, endpoint: Endpoint) -> None:
    """Check the API key, the token, the rate limit and the access, in this order, and set
    ``work.actor`` to the caller. Raises the ApiError of the first check that fails."""
    request.only_reads = endpoint.only_reads
    access, work = endpoint.access, request.work
    if _admit_by_link(request, endpoint):
        return
    # An endpoint that needs no key, such as the health check, reads no caller either: it has to
    # work while the database is unavailable.
    key = check_api_key(request, endpoint) if access.api_key else None
    claims = None if key is None else _claims(request)
    if access.needs_user and claims is None:
        if request.bearer_token is None:
            raise NotAuthenticated
        security_log.record(work, "token_refused")
        counting.count_bad_credentials(request, endpoint.limit)
        raise InvalidToken
    request.largest_json = endpoint.largest_json
    user_id = claims.user_id if claims and access.needs_user else None
    key_rates = key.rates if key else None
    names_account = endpoint.names_account
    counting.count_request(request, endpoint.limit, user_id, key_rates, names_account=names_account)
    if key is not None and claims is not None:
        # The session of the token may have ended. A public endpoint ignores that.
        with suppress(InvalidToken):
            work.actor = callers.identify(work, request.bearer_token, api_key_id=key.id)
    if access.needs_user and work.actor is None:
        security_log.record(work, "token_refused")
        raise InvalidToken
    if work.actor is not None:
        _check_access(request, endpoint, work.actor)


def _admit_by_link(request: Request, endpoint: Endpoint) -> bool:
    """Run the checks for a request that comes by a one-use link. Returns False for other requests.

    The ticket of the link replaces the key and the token. It is used up even if a later check
    fails. The rate limit is checked after that, because only the ticket names the user.
    """
    work = request.work
    try:
        used = download_links.used_by(request, endpoint)
        if used is None:
            return False
        work.actor = callers.resume(
            work,
            used.session_id,
            expires_at=used.token_expires_at,
            api_key_id=used.api_key_id,
        )
        key = used.api_key_id and api_keys.check_id(work, used.api_key_id, endpoint.access.scope)
    except (AuthenticationFailed, InvalidToken):
        security_log.record(work, "token_refused")
        counting.count_bad_credentials(request, endpoint.limit)
        raise
    counting.count_request(request, endpoint.limit, work.actor.user_id, key.rates if key else None)
    _check_access(request, endpoint, work.actor)
    return True


def _check_access(request: Request, endpoint: Endpoint, identity: Identity) -> None:
    """Check that the endpoint's access admits the caller. Otherwise record this in the security
    log, and raise the ApiError that `Access.refusal` returns."""
    refusal = endpoint.access.refusal(identity)
    if refusal is not None:
        security_log.record(request.work, "access_refused", code=refusal.code)
        raise refusal


def check_api_key(request: Request, endpoint: Endpoint) -> api_keys.KnownKey:
    """The request's API key.

    Raises NotAuthenticated if there is none, AuthenticationFailed if it is not valid,
    PermissionDenied if it does not have the endpoint's scope, and ThrottleExceeded if the address
    has sent too many invalid keys or tokens.
    """
    key = request.headers.get("X-Api-Key")
    try:
        return api_keys.check(request.work, key, endpoint.access.scope)
    except AuthenticationFailed:
        counting.count_bad_credentials(request, endpoint.limit)
        raise


def _claims(request: Request) -> Claims | None:
    """The claims of the access token, or None if it is missing or invalid. A public endpoint
    ignores an invalid token (decisions C4)."""
    work, token = request.work, request.bearer_token
    if token is None:
        return None
    try:
        claims: Claims = work.runtime.tokens.read(token, "access", work.now)
    except InvalidToken:
        return None
    return claims


@implementer(ISecurityPolicy)
class SecurityPolicy:
    """Pyramid's security policy. It returns the caller of the request.

    Only endpoints decide who may call them: a plain Pyramid view with a permission is denied to all
    callers.
    """

    def identity(self, request: Request) -> Identity | None:
        actor: Identity | None = request.work.actor
        return actor

    def authenticated_userid(self, request: Request) -> str | None:
        actor = self.identity(request)
        return None if actor is None else str(actor.user_id)

    def permits(self, request: Request, context: Any, permission: str) -> Denied:
        return Denied("Only endpoints decide who may call them (competition.core.web.service).")

    def remember(self, request: Request, userid: str, **kw: Any) -> list[tuple[str, str]]:
        return []

    def forget(self, request: Request, **kw: Any) -> list[tuple[str, str]]:
        return []


def check_declarations(event: ApiAssembled) -> None:
    """Check the permission and the limit of each endpoint. Raises ConfigurationError if one of them
    does not exist."""
    catalogue = event.registry.runtime.catalogue
    known = (counting.GENERAL, counting.REFRESH, counting.UNLIMITED, *catalogue[counting.Ceiling])
    for endpoint in endpoints(event.registry):
        what = f"{endpoint.method} {endpoint.path}"
        for rule in endpoint.access.rules:
            if rule.permission and rule.permission not in catalogue[Permission]:
                raise ConfigurationError(
                    f"{what} requires the permission {rule.permission!r}, which no plugin declares"
                    " (config.add_staff_permission)."
                )
        if endpoint.limit not in known:
            raise ConfigurationError(
                f"{what} has the limit {endpoint.limit!r}, which no plugin declares"
                " (config.add_ceiling)."
            )


def includeme(config: Configurator) -> None:
    config.set_security_policy(SecurityPolicy())
    config.add_view_deriver(secured_endpoint, under=INGRESS, over="secured_view")
    config.add_subscriber(check_declarations, ApiAssembled)
