"""The security log: events about accounts and API keys, for the operators who monitor the service.

The logger ``competition.security`` logs one line per event. docs/security-log.md describes the
events and their fields. No line contains a secret. No line contains an email address either,
because users sometimes type their password into the field for the address.
"""

import logging
from typing import Any
from uuid import UUID

from competition.core.work import Work

log = logging.getLogger("competition.security")


def record(work: Work, event: str, *, user_id: UUID | None = None, **fields: Any) -> None:
    """Log an event immediately, even if the transaction fails later. Use this for rejections.

    `user_id` is the user whose account is concerned, by default the actor.
    """
    actor_id = work.actor.user_id if work.actor else None
    values = {
        "event": event,
        "user_id": user_id or actor_id,
        "actor_id": actor_id,
        "address": work.address,
        **fields,
    }
    texts = {name: str(value) for name, value in values.items() if value is not None}
    line = " ".join(f"{name}={_word(text)}" for name, text in texts.items())
    log.info("%s", line, extra=texts)


def record_committed(work: Work, event: str, *, user_id: UUID | None = None, **fields: Any) -> None:
    """Log an event after the commit, with the fields of `record`. Use this for changes that the
    transaction makes."""
    work.after_commit(lambda: record(work, event, user_id=user_id, **fields))


def _word(text: str) -> str:
    """The text, quoted if it contains spaces or special characters, so that a value can't look like
    another field."""
    return text if text.isprintable() and not {*text} & {*' ="'} else ascii(text)
