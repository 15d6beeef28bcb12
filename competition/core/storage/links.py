"""Temporary links to files that the service answers itself: signed, so that whoever has one gets
this file, for this time, and nothing else."""

from datetime import timedelta
from urllib.parse import urlencode
from uuid import UUID

from competition.core.errors import NotFound
from competition.core.work import Work

PURPOSE = "storage link"


def signed(work: Work, key: str, seconds: int, session_id: UUID | None = None) -> str:
    """A URL of the file that works for so many seconds, without headers; with a session no longer
    than that lasts."""
    expires = str(int((work.now + timedelta(seconds=seconds)).timestamp()))
    session = str(session_id or "")
    signature = work.runtime.keyring.sign(PURPOSE, _said(key, expires, session))
    query = {"expires": expires, **({"session": session} if session else {})}
    return f"{work.runtime.api_url}/files/{key}?{urlencode({**query, 'signature': signature})}"


def check(work: Work, key: str, expires: str, session: str, signature: str) -> None:
    """Refuse a link that is forged or has expired. Raises NotFound."""
    if not work.runtime.keyring.verifies(PURPOSE, _said(key, expires, session), signature):
        raise NotFound
    # The signature covers all: the key and the session are ours and the time is a number.
    if int(expires) <= work.now.timestamp():
        raise NotFound("The link has expired.")


def _said(key: str, expires: str, session: str) -> str:
    return f"{key}:{expires}:{session}"
