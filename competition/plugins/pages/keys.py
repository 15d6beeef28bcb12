"""The API key that the pages send with their requests.

The key is no secret, because everyone who opens a page gets it. It only selects the rate limits of
the pages (setting `competition.pages.rates`), which are counted per user and per address. The first
request for the configuration creates the key. All processes read it from the database.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import select, update

from competition.core.auth.access import KeyScope
from competition.core.users import api_keys
from competition.core.users.credentials import ApiKey
from competition.core.work import Work, changing
from competition.plugins.pages.models import PagesKey

# The name of the set of rate limits (KeyRates) for the pages, and the first word of the names of
# their API keys.
NAME = "pages"
CACHED_FOR = timedelta(seconds=15)


@dataclass
class CachedKey:
    """The API key of the pages, as this process has cached it. There is one object per process.
    From `until` on, the process reads the key from the database again."""

    key: str = ""
    until: datetime | None = None


def current(work: Work) -> str:
    """The API key that the pages use now. If there is no valid key, because none was created or an
    operator revoked it, this creates one."""
    cached = work.runtime.part(CachedKey)
    if cached.until is None or cached.until <= work.now:
        found = _newest(work)
        if found is None:
            with changing(work) as other:
                # Several processes may reach this line at once: the first one creates the key.
                other.lock("pages.key")
                found = _newest(other) or _create(other)
        # Two threads may write here at once. Either value is right, because both have read valid
        # keys.
        cached.key, cached.until = found, work.now + CACHED_FOR
    return cached.key


def rotate(work: Work, grace: timedelta) -> str:
    """Create a new API key for the pages and return it. Earlier keys stay valid for at most
    `grace`, for pages that are already open."""
    work.lock("pages.key")
    earlier = select(PagesKey.api_key_id)
    work.db.execute(
        update(ApiKey)
        .where(ApiKey.id.in_(earlier), api_keys.is_good(work))
        .where(ApiKey.expires_at.is_(None) | (ApiKey.expires_at > work.now + grace))
        .values(expires_at=work.now + grace)
    )
    return _create(work)


def _newest(work: Work) -> str | None:
    return work.db.scalar(
        select(PagesKey.key)
        .join(ApiKey, ApiKey.id == PagesKey.api_key_id)
        .where(api_keys.is_good(work))
        .order_by(PagesKey.id.desc())
        .limit(1)
    )


def _create(work: Work) -> str:
    name = f"{NAME} {uuid4().hex[:8]}"
    key = api_keys.create(work, name, scopes=[KeyScope.CLIENT], rates=NAME)
    row = work.db.execute(select(ApiKey.id).where(ApiKey.name == name)).one()
    work.db.add(PagesKey(api_key_id=row.id, key=key, created_at=work.now))
    work.db.flush()
    return key
