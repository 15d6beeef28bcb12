"""Temporary links to files that the service itself sends. The signature covers the file, the time
and the session, so none of them can be changed."""

from datetime import timedelta
from urllib.parse import urlencode
from uuid import UUID

from competition.core.errors import NotFound
from competition.core.messages import Message
from competition.core.work import Work

PURPOSE = "storage link"


def signed(work: Work, key: str, seconds: int, session_id: UUID | None = None) -> str:
    """A URL of the file that works without request headers. It is valid for `seconds`. If there is
    a `session_id`, it becomes invalid when the session ends."""
    expires = str(int((work.now + timedelta(seconds=seconds)).timestamp()))
    session = str(session_id or "")
    signature = work.runtime.keyring.sign(PURPOSE, _signed_text(key, expires, session))
    query = {"expires": expires, **({"session": session} if session else {})}
    return f"{work.runtime.api_url}/files/{key}?{urlencode({**query, 'signature': signature})}"


def check(work: Work, key: str, expires: str, session: str, signature: str) -> None:
    """Check the signature and the expiry of a link. Raises NotFound if the link is forged or has
    expired.

    The session is not checked here.
    """
    if not work.runtime.keyring.verifies(PURPOSE, _signed_text(key, expires, session), signature):
        raise NotFound
    # The signature is valid, so this service wrote the time, and it is a number.
    if int(expires) <= work.now.timestamp():
        raise NotFound(Message("The link has expired."))


def _signed_text(key: str, expires: str, session: str) -> str:
    return f"{key}:{expires}:{session}"
