"""Send an authorised request to any operation of the OpenAPI document."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote

from competition.core import flags
from competition.core.plugins import installed
from competition.core.work import begin
from competition.plugins.scores.services import ending
from competition.testing.document import operations
from competition.testing.exam_day import answers, make_exam, publish, season, sit, take
from competition.testing.identity_papers import PNG, submit
from tests.support.document import whole_document

NOBODY = "00000000-0000-4000-8000-000000000000"


# Before an exam is over, these are refused.
OF_PUBLISHED_EXAMS = {
    "/exports/exams/{exam_id}/answers/",
    "/exports/school/exams/{exam_id}/results/",
    "/school/exams/{exam_id}/results/",
}
JSON = "application/json"
# These plugins serve pages, or make the operations of tables that other plugins declare.
WITHOUT_OPERATIONS = {"certificates_console", "console", "exports", "pages", "portal"}
# An operation of core has the tag `service`; all others have the name of their plugin.
OWNERS = sorted({"service", *installed()} - WITHOUT_OPERATIONS)


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    description: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def owner(self) -> str:
        owner: str = self.description["tags"][0]
        return owner

    @property
    def access(self) -> str:
        access: str = self.description["description"].rpartition("Access: ")[2]
        return access

    @property
    def needs_user(self) -> bool:
        return any("bearer" in each for each in self.description["security"])

    def documents(self, status: int) -> bool:
        return str(status) in self.description["responses"]

    @property
    def content_types(self) -> list[str]:
        return list(self.description.get("requestBody", {}).get("content", {}))

    def body(self, media_type: str = JSON) -> dict[str, Any] | None:
        """The schema of the body, or None."""
        content = self.description.get("requestBody", {}).get("content", {})
        schema: dict[str, Any] | None = content.get(media_type, {}).get("schema")
        return schema

    def parameters(self, where: str) -> list[dict[str, Any]]:
        return [each for each in self.description["parameters"] if each["in"] == where]

    @property
    def query(self) -> list[str]:
        return [each["name"] for each in self.parameters("query")]


@cache
def every_operation() -> list[Operation]:
    """Every operation of the document. Tests loop over them: parametrized tests would build the
    document while pytest collects, in each worker."""
    return [Operation(*each) for each in operations(whole_document())]


def operations_of(owner: str) -> Iterator[Operation]:
    return (each for each in every_operation() if each.owner == owner)


def is_an_end(operation):
    ends_something = operation.method == "DELETE" or operation.path.endswith("/conclude/")
    return operation.path.startswith("/auth/"), ends_something


class World:
    """Data for requests: an existing object for every id in a path."""

    def __init__(self, service):
        self.service = service
        with begin(service.runtime) as work:
            flags.switch(work, "score_publication", True)
        self.boss = service.staff("superadmin")
        # Only made for operations that need them, because their plugin may be disabled.
        self.teacher, self.school = None, {}
        self.candidate = service.candidate()
        volunteer = service.staff("volunteer")
        form = {"file": ("figure.png", PNG), "alt": "A circle"}
        image = self.boss.upload("POST", "/questions/images/", form).json
        rows = {"file": ("questions.csv", b"text\n")}
        imported = self.boss.upload("POST", "/imports/questions/", rows).json
        exam_id = make_exam(service, self.boss, key="AB")
        [answer, _] = answers(service, exam_id, "AB")["answers"]
        self.values = {
            "exam_id": exam_id,
            "question_id": answer["question"],
            "image_id": image["id"],
            "import_id": imported["id"],
            "kind": "questions",
            "name": image["url"].split("/")[-2],
            "candidate_id": self.candidate.id,
            "user_id": self.candidate.id,
            "staff_id": volunteer.id,
            "stage": "screening",
            "round": 1,
            "season_id": self.boss.get("/seasons/").json["results"][0]["id"],
        }

    def send(self, operation, body=None, query="", **options):
        """Send a request as a caller who may use the operation."""
        unknown = {"key": "nothing.png", "type": "face_id", "session_id": NOBODY}
        unknown |= {"notification_id": 999999, "broadcast_id": 999999, "allowance_id": 999999}
        values = {**unknown, **self.values}
        caller = self.service.anonymous
        if operation.path == "/user/verification/upload/":
            caller = self.unverified(submitted=operation.method == "PATCH")
        elif operation.path == "/user/verification/action/{user_id}/":
            caller, values["user_id"] = self.boss, self.unverified(submitted=True).id
        elif "staff" in operation.access:
            caller = self.boss
        elif "candidate" in operation.access:
            caller = self.candidate
        if "{school_id}" in operation.path or "/school/" in operation.path:
            teacher, of_school = self.with_a_school()
            values |= of_school
            if "{school_id}" in operation.path:
                values["user_id"] = teacher.id
            else:
                caller = teacher
        if operation.path in OF_PUBLISHED_EXAMS:
            values["exam_id"] = self.published()
        if operation.path == "/exams/{exam_id}/draft/":
            take(caller, values["exam_id"])
        if "/regrades/" in operation.path:
            values |= self.with_a_regrade()
        if "_id}/appeals/" in operation.path or "{appeal_id}" in operation.path:
            values |= self.with_an_appeal()
        if "/clarifications/" in operation.path or "/announcements/" in operation.path:
            values["clarification_id"] = self.with_a_question()
        if "{plan_id}" in operation.path:
            is_shown = operation.path.endswith("/preview/") or "/exports/" in operation.path
            values["plan_id"] = self.with_a_plan(self.published() if is_shown else None)
        if "{kind_or_id}" in operation.path:
            is_new = operation.method == "POST"
            values["kind_or_id"] = values["kind" if is_new else "import_id"]
        url = operation.path.format_map(defaultdict(lambda: 999999, values)) + query
        return caller.request(operation.method, url, body, status="any", **options)

    def with_a_school(self):
        """A teacher of a school that has another name, and the candidate as a pupil."""
        if self.teacher is None:
            name = self.service.user(self.candidate).school
            self.teacher = self.service.staff("volunteer")
            [school] = self.boss.get(f"/schools/?search={quote(name)}").json["results"]
            path = f"/schools/{school['id']}/"
            merged = {"names": ["Another name"], "reason": "-"}
            [alias] = self.boss.post(f"{path}merge/", merged).json["aliases"]
            linked = {"email": self.teacher.email, "first_name": "Ada", "last_name": "Lovelace"}
            self.boss.post(f"{path}teachers/", linked)
            path = f"/school/candidates/{self.candidate.id}/confirm/"
            self.teacher.post(path, {"is_ours": True})
            self.school = {"school_id": school["id"], "alias_id": alias["id"]}
        return self.teacher, self.school

    def with_a_regrade(self):
        exam_id, _ = season(self.service, self.boss, ["AB"], key="AB")
        self.service.clock.advance(minutes=6)
        with begin(self.service.runtime) as work:
            ending.seal_and_score(work)
        [answer, _] = answers(self.service, exam_id, "AB")["answers"]
        body = {"changes": [{"question": answer["question"], "void": True}], "reason": "-"}
        preview = self.boss.post(f"/exams/{exam_id}/regrades/", body)
        return {"exam_id": exam_id, "regrade_id": preview.json["id"]}

    def published(self):
        exam_id = make_exam(self.service, self.boss, key="AB")
        sit(self.service, self.candidate, exam_id, "AB")
        self.boss.post(f"/exams/{exam_id}/conclude/")
        publish(self.service, self.boss)
        return exam_id

    def with_an_appeal(self):
        exam_id = self.published()
        appeal = self.candidate.post(f"/exams/{exam_id}/appeals/", {"text": "Why?"})
        return {"exam_id": exam_id, "appeal_id": appeal.json["id"]}

    def with_a_question(self):
        """Create a question of a candidate, who starts the exam first."""
        exam_id = self.values["exam_id"]
        take(self.candidate, exam_id)
        path = f"/exams/{exam_id}/clarifications/"
        if not self.boss.get(path).json["results"]:
            self.candidate.post(path, {"text": "Why?"})
        return self.boss.get(path).json["results"][0]["id"]

    def with_a_plan(self, exam_id):
        exam_id = exam_id or make_exam(self.service, self.boss, key="AB", scheduled_date=None)
        plan = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}}
        return self.boss.post("/advancement/", {**plan, "exams": [exam_id]}).json["id"]

    def unverified(self, *, submitted):
        person = self.service.candidate(verification="not_submitted")
        if submitted:
            submit(person)
        return person
