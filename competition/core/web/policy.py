"""The security policy: the first half of the order of checks (decisions A12).

Route, then here: API key, token, rate limit, kind of profile, role, verification. The second half
(object, state, body) is the endpoint's: see `competition.core.web.service`.
"""

from typing import Any

from pyramid.config import Configurator
from pyramid.interfaces import ISecurityPolicy
from pyramid.security import Allowed
from zope.interface import implementer

from competition.core.auth import api_keys, sessions
from competition.core.auth.identity import Identity
from competition.core.errors import InvalidToken, NotAuthenticated
from competition.core.web import limits
from competition.core.web.request import Request
from competition.core.web.service import Endpoint


@implementer(ISecurityPolicy)
class SecurityPolicy:
    def permits(self, request: Request, context: Any, endpoint: Endpoint) -> Allowed:
        """Run the checks in their order. Raises the ApiError of the first one that fails."""
        access = endpoint.access
        if access.api_key:
            api_keys.check(request.work, request.headers.get("X-Api-Key"))
        # What needs no key, such as the health check, has nobody to know, and maybe no database.
        identity = self.identity(request) if access.api_key else None
        if access.needs_user and identity is None:
            if request.bearer_token is None:
                raise NotAuthenticated
            raise InvalidToken
        limits.check(request, endpoint.limit, identity if access.needs_user else None)
        if identity is not None:
            refusal = access.refusal(identity)
            if refusal is not None:
                raise refusal
        return Allowed(access.describe())

    def identity(self, request: Request) -> Identity | None:
        """The caller's identity, or None. A token that is no good counts as none: a public endpoint
        ignores it (decisions C4)."""
        if request.work.actor is None and request.bearer_token is not None:
            try:
                request.work.actor = sessions.identify(request.work, request.bearer_token)
            except InvalidToken:
                return None
        actor: Identity | None = request.work.actor
        return actor

    def authenticated_userid(self, request: Request) -> str | None:
        identity = self.identity(request)
        return None if identity is None else str(identity.user_id)

    def remember(self, request: Request, userid: str, **kw: Any) -> list[tuple[str, str]]:
        return []

    def forget(self, request: Request, **kw: Any) -> list[tuple[str, str]]:
        return []


def includeme(config: Configurator) -> None:
    config.set_security_policy(SecurityPolicy())
