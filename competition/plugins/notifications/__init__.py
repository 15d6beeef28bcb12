"""Notifications: what users are told; kept, listed, marked as read, and pushed to open sockets."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.plugins import installed
from competition.core.settings import setting

# What the service tells of; what a plugin tells of is named after that, as all it brings.
OURS = ("documents", "roles", "scores", "boards")


def is_topic(word: str, plugins: Collection[str]) -> bool:
    return word in OURS or word.partition(".")[0] in plugins


def _topics(text: str) -> tuple[str, ...]:
    known = installed()
    for word in text.split():
        if not is_topic(word, known):
            raise ValueError(
                f"nobody tells of {word!r}: there are {', '.join(OURS)}, and what begins with the"
                " name of an installed plugin"
            )
    return tuple(text.split())


@dataclass(frozen=True, kw_only=True)
class NotificationSettings:
    """`on` names what users are notified of without anybody asking for it: ``documents`` (a
    decision on theirs, or on a change of the identity that they prove), ``roles`` (a promotion),
    ``scores`` (one was recorded), ``boards`` (one was published), or what another plugin tells of,
    named after it."""

    prefix: ClassVar[str] = "competition.notifications"
    on: tuple[str, ...] = setting((), parse=_topics)


SETTINGS = NotificationSettings


def includeme(config: Configurator) -> None:
    config.add_examples(
        subject="The second round",
        message="The second round begins on Saturday at ten.",
        read=False,
        ticket="q3Zk0vXJ1m",
        expires_in=30,
    )
    config.scan()
