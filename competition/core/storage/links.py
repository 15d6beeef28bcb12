"""Temporary links to files that the service answers itself: signed, so that whoever has one gets
this file, for this time, and nothing else."""

from datetime import timedelta
from urllib.parse import urlencode

from competition.core.errors import NotFound
from competition.core.work import Work

PURPOSE = "storage link"


def signed(work: Work, key: str, seconds: int) -> str:
    """A URL of the file that works for so many seconds, without headers."""
    expires = str(int((work.now + timedelta(seconds=seconds)).timestamp()))
    signature = work.runtime.keyring.sign(PURPOSE, f"{key}:{expires}")
    query = urlencode({"expires": expires, "signature": signature})
    return f"{work.runtime.api_url}/files/{key}?{query}"


def check(work: Work, key: str, expires: str, signature: str) -> None:
    """Refuse a link that is forged or has expired. Raises NotFound."""
    if not work.runtime.keyring.verifies(PURPOSE, f"{key}:{expires}", signature):
        raise NotFound
    # The signature covers both: the key is one of ours and the time is a number.
    if int(expires) <= work.now.timestamp():
        raise NotFound("The link has expired.")
