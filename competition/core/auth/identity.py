"""The caller's identity. It is loaded once per request. It is not a mapped object, so changes of
the account during the request do not change it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

Kind = Literal["candidate", "staff"]


@dataclass(frozen=True)
class Identity:
    user_id: UUID
    kind: Kind
    role: str
    full_name: str
    is_verified: bool
    # The id of the season that a candidate joined last; None for staff.
    season: int | None = None
    # The permissions granted in addition to the rank (`competition.core.auth.access`).
    permissions: frozenset[str] = frozenset()
    # Whether the rank requires a second factor, and the session was started without one.
    lacks_second_factor: bool = False
    session_id: UUID | None = None
    # When the access token expires.
    expires_at: datetime | None = None
    # The API key of the client application.
    api_key_id: int | None = None
