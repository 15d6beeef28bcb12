"""Versions of objects, so that two people who edit the same object notice each other.

The ETag of a reply is the version of the object in it. If a client sends this version as
``If-Match``, its change takes effect only if nobody else has changed the object in the meantime.
"""

from datetime import datetime

from competition.core.errors import PreconditionFailed


def tag(updated_at: datetime) -> str:
    """The ETag of an object that was last changed at this time."""
    return f'"{updated_at.timestamp():.6f}"'


def check(updated_at: datetime, if_match: str | None) -> None:
    """Check that the client has seen the latest version of an object. The object must be locked.

    `if_match` is the header, or None if the client does not send it. Raises PreconditionFailed if
    the header does not name the latest version (RFC 9110, section 13.1.1).
    """
    if if_match is None or if_match.strip() == "*":
        return
    # A proxy that compresses a reply marks its ETag as weak. The version is the same.
    named = [each.strip().removeprefix("W/") for each in if_match.split(",")]
    if tag(updated_at) not in named:
        raise PreconditionFailed
