"""The security policy: the first half of the order of checks (decisions A12).

After the route come these checks: API key, token, rate limit, kind of profile, role, verification.
The second half (object, state, body) is the endpoint's: see `competition.core.web.service`.

The rate limit is counted from what the token says. Only then is the caller read from the database,
so a request over its limit costs no SQL statement.
"""

from collections.abc import Callable
from typing import Any

from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError
from pyramid.interfaces import ISecurityPolicy
from pyramid.security import Allowed
from pyramid.viewderivers import INGRESS
from zope.interface import implementer

from competition.core.auth import api_keys, passwords, security_log, sessions
from competition.core.auth.access import Permission
from competition.core.auth.identity import Identity
from competition.core.auth.tokens import Claims
from competition.core.catalogue import Assembled
from competition.core.errors import (
    AuthenticationFailed,
    InvalidToken,
    NotAuthenticated,
)
from competition.core.web import limits
from competition.core.web.request import Request
from competition.core.web.service import Endpoint, endpoints

View = Callable[[Any, Request], Any]

# The lane of endpoints that hash a password.
PASSWORDS = "passwords"


@implementer(ISecurityPolicy)
class SecurityPolicy:
    def permits(self, request: Request, context: Any, endpoint: Endpoint) -> Allowed:
        """Run the checks in their order. Raises the ApiError of the first one that fails."""
        request.only_reads = endpoint.only_reads
        access = endpoint.access
        # An endpoint without a key, such as the health check, has no caller either: the database
        # may be unavailable.
        key_id = self.check_api_key(request, endpoint) if access.api_key else None
        claims = None if key_id is None else self.claims(request)
        if access.needs_user and claims is None:
            if request.bearer_token is None:
                raise NotAuthenticated
            security_log.tell(request.work, "token_refused")
            limits.count_bad_credentials(request, endpoint.limit)
            raise InvalidToken
        request.largest_json = endpoint.largest_json
        user_id = claims.user_id if claims and access.needs_user else None
        limits.count_request(request, endpoint.limit, user_id)
        identity = None
        if key_id is not None and claims is not None:
            identity = self.identity(request, key_id)
        if access.needs_user and identity is None:
            security_log.tell(request.work, "token_refused")
            raise InvalidToken
        if identity is not None:
            refusal = access.refusal(identity)
            if refusal is not None:
                security_log.tell(request.work, "access_refused", code=refusal.code)
                raise refusal
        return Allowed(access.description)

    def check_api_key(self, request: Request, endpoint: Endpoint) -> int:
        """The id of the API key. Raises NotAuthenticated, AuthenticationFailed, PermissionDenied,
        ThrottleExceeded."""
        key = request.headers.get("X-Api-Key")
        try:
            return api_keys.check(request.work, key, endpoint.access.scope)
        except AuthenticationFailed:
            limits.count_bad_credentials(request, endpoint.limit)
            raise

    def claims(self, request: Request) -> Claims | None:
        """What a valid access token says; None without one. A public endpoint ignores an invalid
        token (decisions C4)."""
        work, token = request.work, request.bearer_token
        if token is None:
            return None
        try:
            claims: Claims = work.runtime.tokens.read(token, "access", work.now)
        except InvalidToken:
            return None
        return claims

    def identity(self, request: Request, key_id: int) -> Identity | None:
        """The caller's identity; None if the session of the token has ended."""
        work, token = request.work, request.bearer_token
        if work.actor is None and token is not None:
            try:
                work.actor = sessions.identify(work, token, api_key_id=key_id)
            except InvalidToken:
                return None
        actor: Identity | None = work.actor
        return actor

    def authenticated_userid(self, request: Request) -> str | None:
        actor = request.work.actor
        return None if actor is None else str(actor.user_id)

    def remember(self, request: Request, userid: str, **kw: Any) -> list[tuple[str, str]]:
        return []

    def forget(self, request: Request, **kw: Any) -> list[tuple[str, str]]:
        return []


def hold_permit(view: View, info: Any) -> View:
    """View deriver: a request to an endpoint in the lane `passwords` holds a hashing permit, from
    before the security policy reads anything until the view has answered."""
    endpoint = info.options.get("permission")
    if not isinstance(endpoint, Endpoint) or endpoint.lane != PASSWORDS:
        return view

    def with_permit(context: Any, request: Request) -> Any:
        # A client that stalls here holds a thread, but no permit.
        request.receive_body()
        with passwords.permit(request.registry.runtime.metrics):
            return view(context, request)

    return with_permit


def check_declarations(event: Assembled) -> None:
    """Raises ConfigurationError for a permission that could not be granted, for a limit with which
    every request would fail, and for a lane that does not exist."""
    catalogue = event.registry.runtime.catalogue
    known = (limits.GENERAL, limits.REFRESH, limits.UNLIMITED, *catalogue[limits.Ceiling])
    for endpoint in endpoints(event.registry):
        what = f"{endpoint.method} {endpoint.path}"
        for rule in endpoint.access.rules:
            if rule.permission and rule.permission not in catalogue[Permission]:
                raise ConfigurationError(
                    f"{what} asks for the permission {rule.permission!r}, which no plugin declares"
                    " (config.add_staff_permission)."
                )
        if endpoint.limit not in known:
            raise ConfigurationError(
                f"{what} has the limit {endpoint.limit!r}, which no plugin declares"
                " (config.add_ceiling)."
            )
        if endpoint.lane not in (None, PASSWORDS):
            raise ConfigurationError(
                f"{what} has the lane {endpoint.lane!r}, which endpoints do not have. There is"
                f" {PASSWORDS}."
            )


def includeme(config: Configurator) -> None:
    config.set_security_policy(SecurityPolicy())
    config.add_view_deriver(hold_permit, under=INGRESS, over="secured_view")
    config.add_subscriber(check_declarations, Assembled)
