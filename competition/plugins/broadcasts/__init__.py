"""Broadcasts: messages to all users with certain roles, by email and on the platform.

A job sends a broadcast in batches, and records each batch in the transaction that sends it. So the
progress of a broadcast is visible, and after a crash another worker continues with the next batch.
Replies are not cached, although the specification allows it: three queries by primary key
are as fast as a cache.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting

REQUIRES = ("notifications",)


@dataclass(frozen=True, kw_only=True)
class BroadcastSettings:
    """Settings of broadcasts. `batch`: how many recipients one transaction notifies. The
    transaction locks their accounts."""

    prefix: ClassVar[str] = "competition.broadcasts"
    batch: int = setting(1000, minimum=1)


SETTINGS = BroadcastSettings


def includeme(config: Configurator) -> None:
    config.add_examples(
        subject="The second round",
        message="The second round begins on Saturday at ten.",
        mediums=["email", "platform"],
        target_role="league",
        target_roles={"candidate": ["league"]},
        task_id="b6f1c1d2-7c1b-4f0e-9d51-0a2b3c4d5e6f",
        total=120,
        done=120,
    )
    config.scan()
