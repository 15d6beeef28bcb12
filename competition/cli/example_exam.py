"""An open exam of a development service, for the candidate whose login `competition up` prints.

The command line must not import plugins, so this module is a client of the API. It creates an exam
only if the candidate has none to sit, so that a restart does not add another exam.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPException
from typing import Any
from urllib.request import Request, urlopen

TITLE = "An exam to try"
DESCRIPTION = "Every question has one right answer. No points are taken off."
# The roles whose candidates can take exams. Winners take none.
STAGES = ("screening", "league", "final")
HOURS = 24
TIMEOUT_SECONDS = 10
# Each question, its options, the letter of the correct option, and its difficulty.
QUESTIONS = (
    (
        r"What is the value of \(\frac{1}{2}+\frac{1}{3}\)?",
        (r"\(\frac{1}{5}\)", r"\(\frac{2}{5}\)", r"\(\frac{5}{6}\)", r"\(1\)"),
        "C",
        "easy",
    ),
    (
        r"The numbers \(x\) and \(y\) satisfy \(x+y=10\) and \(xy=24\). What is \(x^2+y^2\)?",
        (r"\(48\)", r"\(52\)", r"\(76\)", r"\(100\)"),
        "B",
        "moderate",
    ),
    (
        r"What is the sum of all positive divisors of \(28\)?",
        (r"\(28\)", r"\(29\)", r"\(55\)", r"\(56\)"),
        "D",
        "easy",
    ),
    (
        r"For which \(x>0\) is \(\sqrt{x+\sqrt{x}}=\sqrt{6}\)?",
        (r"\(4\)", r"\(6\)", r"\(9\)", r"\(36\)"),
        "A",
        "hard",
    ),
)


@dataclass(frozen=True)
class Caller:
    """A client of the API. Its `headers` have the API key and, after a login, the access token."""

    base_url: str
    headers: Mapping[str, str]

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return the JSON of the reply. Raises OSError or HTTPException if the
        service does not answer or rejects the request."""
        request = Request(
            self.base_url + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **self.headers},
            method=method,
        )
        with urlopen(request, timeout=TIMEOUT_SECONDS) as reply:
            return json.load(reply)

    def logged_in(self, email: str, password: str) -> "Caller":
        login = self.call("POST", "/auth/login/", {"email": email, "password": password})
        return Caller(self.base_url, {**self.headers, "Authorization": f"Bearer {login['access']}"})


def ensure(content: Mapping[str, Any]) -> str | None:
    """The title of an exam that the candidate of dev.json can sit. Creates an exam if there is
    none.

    Returns None if the candidate is in a stage without exams, or if a request fails. A failure is
    not always an error: the settings can require a second factor of staff, for example.
    """
    password = content["superadmin"]["password"]
    visitor = Caller(content["base_url"], {"X-Api-Key": content["api_key"]})
    try:
        candidate = visitor.logged_in(content["logins"]["candidate"], password)
        if title := _to_sit(candidate):
            return title
        # A developer may have moved the candidate to another stage.
        stage = candidate.call("GET", "/candidates/me/")["role"]
        if stage not in STAGES:
            return None
        _create(visitor.logged_in(content["superadmin"]["email"], password), stage)
        return _to_sit(candidate)
    except (OSError, HTTPException, KeyError, ValueError):
        return None


def _to_sit(candidate: Caller) -> str | None:
    exams = candidate.call("GET", "/dashboard/candidate/")["available_exams"]
    titles = (str(each["title"]) for each in exams if each["enrollment"] == "not_done")
    return next(titles, None)


def _create(superadmin: Caller, stage: str) -> None:
    questions = [
        superadmin.call(
            "POST",
            "/questions/",
            {
                "text": text,
                "option_a": a,
                "option_b": b,
                "option_c": c,
                "option_d": d,
                "correct_answer": correct,
                "difficulty": difficulty,
            },
        )["id"]
        for text, (a, b, c, d), correct, difficulty in QUESTIONS
    ]
    # A leaderboard shows only the latest exam of a round, so this exam has a round of its own.
    newest = superadmin.call("GET", f"/exams/?stage={stage}&limit=100")["results"]
    # The service's clock may differ from this machine's.
    now = datetime.fromisoformat(superadmin.call("GET", "/health/")["timestamp"])
    superadmin.call(
        "POST",
        "/exams/",
        {
            "title": TITLE,
            "description": DESCRIPTION,
            "stage": stage,
            "round": 1 + max((each["round"] for each in newest), default=0),
            "scheduled_date": now.isoformat(),
            "open_duration_hours": HOURS,
            "questions": questions,
        },
    )
