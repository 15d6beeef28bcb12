"""What happened to accounts and keys, for whoever watches over the service: one line for each
event, from the logger ``competition.security``. docs/security-log.md names the events and their
fields.

No line has a secret, nor an address of mail: somebody may have typed a password in its place.
"""

import logging
from typing import Any
from uuid import UUID

from competition.core.work import Work

log = logging.getLogger("competition.security")


def tell(work: Work, event: str, *, user_id: UUID | None = None, **fields: Any) -> None:
    """At once, also when the transaction fails: for refusals. `user_id` is whose account it is
    about, by default the actor's."""
    actor_id = work.actor.user_id if work.actor else None
    told = {
        "event": event,
        "user_id": user_id or actor_id,
        "actor_id": actor_id,
        "address": work.address,
        **fields,
    }
    texts = {name: str(value) for name, value in told.items() if value is not None}
    line = " ".join(f"{name}={_word(text)}" for name, text in texts.items())
    log.info("%s", line, extra=texts)


def tell_committed(work: Work, event: str, *, user_id: UUID | None = None, **fields: Any) -> None:
    """Once it has happened: for what the transaction does."""
    work.after_commit(lambda: tell(work, event, user_id=user_id, **fields))


def _word(text: str) -> str:
    """In quotes when it is more than one: a value can't look like another field."""
    return text if text.isprintable() and not {*text} & {*' ="'} else ascii(text)
