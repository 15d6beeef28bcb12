"""Play `contract.json` to the service. `model.test.js` plays the script to the pages' model."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from competition.testing.exam_day import make_exam
from competition.testing.service import Person, Service

SCRIPT = json.loads((Path(__file__).parent / "contract.json").read_text())
# The fields of the replies that depend on nothing but the script.
FIELDS = {
    *("status", "opens_at", "closes_at", "extra_minutes", "submitted", "started_at", "deadline"),
    *("hand_in_until", "seconds_remaining", "server_time", "draft", "applied", "sequence"),
    *("answered", "saved_at", "answers", "receipt", "submitted_at", "handed_in_by", "questions"),
}


class Played:
    """An exam of one candidate, in which the steps of a play happen."""

    def __init__(self, app: Service, opens_in: int) -> None:
        self._app = app
        self._admin = app.staff("admin")
        self._opens = app.clock.now + timedelta(seconds=opens_in)
        self._exam_id = make_exam(
            app,
            self._admin,
            "ABCD"[: SCRIPT["questions"]],
            scheduled_date=self._opens.isoformat(),
            countdown_minutes=SCRIPT["minutes"],
            open_duration_hours=SCRIPT["hours"],
        )
        self._ada: Person = app.candidate()
        paper = self._admin.get(f"/exams/{self._exam_id}/").json["questions"]["results"]
        self._questions = [each["id"] for each in paper]

    def do(self, act: str, given: list[Any]) -> Any:
        """Do a step. Returns the reply, with times as seconds since the exam opened, and questions
        as numbers; None if the step has no reply."""
        path = f"/exams/{self._exam_id}"
        if act == "after":
            self._app.clock.advance(seconds=given[0])
            self._app.run_task("drafts.hand_in")
            return None
        if act in ("giveTime", "conclude", "switch", "move"):
            self._organise(act, given, path)
            return None
        method, name = {
            "time": ("GET", "time"),
            "open": ("GET", "take-exam"),
            "save": ("PUT", "draft"),
            "draft": ("GET", "draft"),
            "submit": ("POST", "submit-exam-answers"),
            "receipt": ("GET", "receipt"),
        }[act]
        body, headers = None, {}
        if act == "save":
            body = {"sequence": given[0], "answers": self._answers(given[1])}
        if act == "submit":
            body = {"answers": self._answers(given[1])}
            headers = {"Idempotency-Key": given[0]} if given[0] else {}
        reply = self._ada.request(method, f"{path}/{name}/", body, status="any", headers=headers)
        if reply.status_int >= 400:
            return {"code": reply.json["code"], "http": reply.status_int}
        return self._plain(reply.json)

    def _organise(self, act: str, given: list[Any], path: str) -> None:
        if act == "giveTime":
            body = {"everyone": True, "extra_minutes": given[0], "reason": "The projector failed."}
            self._admin.post(f"{path}/allowances/", body, status="any")
        elif act == "conclude":
            self._admin.post(f"{path}/conclude/", status=200)
        elif act == "switch":
            self._admin.patch(f"{path}/", {"is_active": given[0]}, status=200)
        else:
            opens = self._app.clock.now + timedelta(seconds=given[0])
            self._admin.patch(f"{path}/", {"scheduled_date": opens.isoformat()}, status=200)

    def _answers(self, given: dict[str, str]) -> list[dict[str, Any]]:
        ids = dict(enumerate(self._questions, 1))
        return [
            {"question": ids.get(int(number), 10**6), "selected_option": option}
            for number, option in given.items()
        ]

    def _plain(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._plain(each) for each in value]
        if isinstance(value, str) and value.endswith("Z"):
            return (datetime.fromisoformat(value) - self._opens).total_seconds()
        if not isinstance(value, dict):
            return value
        if "selected_option" in value:
            number = self._questions.index(value["question"]) + 1
            return [number, value["selected_option"]]
        return {
            name: self._plain(each)
            for name, each in value.items()
            if name in FIELDS and not (name == "questions" and isinstance(each, list))
        }


@pytest.mark.parametrize("play", SCRIPT["plays"], ids=lambda play: play["name"])
def test_the_service_replies_as_the_model_of_the_pages(app: Service, play: dict[str, Any]) -> None:
    played = Played(app, play["opens_in"])
    for number, step in enumerate(play["steps"], 1):
        found = played.do(step["act"], step["given"])
        if "reply" in step:
            assert found == step["reply"], f"step {number}: {step['act']} {step['given']}"
