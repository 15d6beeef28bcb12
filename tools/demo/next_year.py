"""The next season: finish the year, let candidates join again, copy an exam, and read last year's
board."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tools.demo import exams
from tools.demo.accounts import Consent
from tools.demo.boards import Board
from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import DemoError, WrongBoard
from tools.demo.exams import Exam
from tools.demo.waiting import wait_for

Blocker = Mapping[str, Any]


def name_after(client: Client) -> str:
    """A name that no season has: the next year."""
    names = {season["name"] for season in client.get("/seasons/", limit=100)["results"]}
    year = datetime.fromisoformat(client.get("/health/")["timestamp"]).year + 1
    while str(year) in names:
        year += 1
    return str(year)


def finish(superadmin: Client, admin: Client, name: str) -> bool:
    """Conclude exams that are open, and wait until nothing is being sent. Returns whether the
    season can be opened: on a service that others use, it may have other unfinished business."""
    for blocker in _blockers(superadmin, name):
        if blocker["kind"] == "exams":
            exam = admin.get(f"/exams/{blocker['id']}/")
            if exam["status"] == "ongoing":
                admin.post(f"/exams/{blocker['id']}/conclude/")
    wait_for(lambda: not _are_sent(superadmin, name) or None, "The broadcasts were not sent")
    return not _blockers(superadmin, name)


def _blockers(superadmin: Client, name: str) -> list[Blocker]:
    found: list[Blocker] = superadmin.post("/seasons/preview/", {"name": name})["blockers"]
    return found


def _are_sent(superadmin: Client, name: str) -> bool:
    """Whether broadcasts are still being sent."""
    return any(each["kind"] == "broadcasts" for each in _blockers(superadmin, name))


def join(candidate: Candidate, consent: Consent | None) -> None:
    """Join the current season. Raises DemoError if the candidate does not begin in screening."""
    body = {} if consent is None else {"guardian_consent": consent}
    joined = candidate.client.post("/seasons/join/", body)
    me = candidate.client.get("/candidates/me/")
    if (me["role"], me["season"]) != ("screening", joined["season"]):
        raise DemoError(f"{candidate.full_name} is not in the screening of the new season.")


def copy(admin: Client, exam: Exam) -> Exam:
    """Copy an exam of last year as the first screening of this year, which is open now."""
    made = admin.post(
        f"/exams/{exam.id}/copy/",
        {
            "title": "Screening round 1",
            "stage": "screening",
            "round": 1,
            "scheduled_date": exams.opening_time(admin),
        },
    )
    if made["left_out"] or set(made["questions"]) != set(exam.problems):
        raise DemoError(f"Exam {made['id']} does not have the questions of exam {exam.id}.")
    return Exam(made["id"], "screening", 1, exam.problems, exam.wrong_keys)


def check_last_year(candidate: Candidate, exam: Exam, board: Board) -> None:
    """Read the board of an exam of last year. Raises WrongBoard if it has changed."""
    shown = candidate.client.get("/leaderboard/", exam_id=exam.id)
    found = [(each["rank"], each["candidate"]["user_id"]) for each in shown["top_three"]]
    if found != [(row.rank, row.user_id) for row in board.rows[: len(found)]]:
        raise WrongBoard(f"The leaderboard of {exam.name} of last year has changed.")
