"""Send a broadcast by email and on the platform, and check that it arrives."""

import re
from dataclasses import dataclass
from typing import Any

from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import DemoError
from tools.demo.mailbox import Mailbox
from tools.demo.waiting import wait_for


@dataclass(frozen=True)
class News:
    """The announcement of a season. `tag` distinguishes it from those of earlier seasons."""

    tag: str

    @property
    def subject(self) -> str:
        return f"You are in the league ({self.tag})"

    @property
    def message(self) -> str:
        return f"Congratulations!\n\nThe league exam of season {self.tag} is open.\nGood luck."


def broadcast(manager: Client, news: News) -> None:
    """Send the news to all candidates in the league, and wait until they are sent."""
    asked = manager.post(
        "/broadcasts/",
        {
            "subject": news.subject,
            "message": news.message,
            "mediums": ["email", "platform"],
            "target_roles": {"candidate": ["league"]},
        },
    )

    def sent() -> Any:
        found = manager.get(f"/broadcasts/{asked['id']}/")
        return None if found["status"] == "pending" else found

    found = wait_for(sent, "The broadcast was not sent")
    logs = [(log["medium"], log["status"]) for log in found["logs"]]
    if logs != [("email", "sent"), ("platform", "sent")]:
        raise DemoError(f"The broadcast was not sent by both mediums: {logs}.")


def check_received(candidate: Candidate, news: News, mailbox: Mailbox) -> None:
    """Check that the news arrived once on the platform, and by email."""
    notification_of(candidate, news)
    mailbox.wait_for(candidate.email, re.compile(f"season ({news.tag}) is open"))


def notification_of(candidate: Candidate, news: News) -> Any:
    """The candidate's notification of the news. Raises DemoError unless there is exactly one."""
    pages = candidate.client.pages("/notifications/")
    found = [each for page in pages for each in page["results"] if each["subject"] == news.subject]
    if len(found) != 1:
        raise DemoError(f"{candidate.full_name} was notified {len(found)} times.")
    return found[0]
