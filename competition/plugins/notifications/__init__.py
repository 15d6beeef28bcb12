"""Notifications: list them, mark them as read, and receive new ones over a WebSocket."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.catalogue import plugin_of
from competition.core.plugins import installed
from competition.core.settings import setting

# The topics that have names of their own. All other topics begin with the name of a plugin.
BUILT_IN = ("documents", "roles", "scores", "boards")


def is_topic(word: str, plugins: Collection[str]) -> bool:
    return word in BUILT_IN or plugin_of(word) in plugins


def _topics(text: str) -> tuple[str, ...]:
    known = installed()
    for word in text.split():
        if not is_topic(word, known):
            raise ValueError(
                f"there is no topic {word!r}: topics are {', '.join(BUILT_IN)}, and words that"
                " begin with the name of an installed plugin"
            )
    return tuple(text.split())


@dataclass(frozen=True, kw_only=True)
class NotificationSettings:
    """`on` lists the topics that users are notified of automatically.

    There are ``documents`` (a decision on identity documents, or on a changed name or school),
    ``roles`` (a new role), ``scores`` (a score was recorded), ``boards`` (a leaderboard was
    published), and the topics of other plugins, which begin with the plugin's name.

    Notifications of the topics in `emailed` are sent by email too, if the topic is also in `on`.
    """

    prefix: ClassVar[str] = "competition.notifications"
    on: tuple[str, ...] = setting((), parse=_topics)
    emailed: tuple[str, ...] = setting(("documents", "boards"), parse=_topics)


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
