"""Every operation is sorted by what it has to do with seasons.

A new operation fails these tests until somebody has decided it: whether its replies are of the
current season, of every season (it names an exam, or shows all), or not about seasons; and whether
it changes what belongs to a season.
"""

import re
from dataclasses import replace
from functools import reduce
from operator import getitem

from competition.testing.exam_day import answers, make_exam, publish, score_by_hand, sit, take
from tests.support.document import whole_document
from tests.support.every_operation import World, every_operation

# By the first part of the path. Operations in a part that is sorted otherwise are named below.
OF_EVERY_SEASON = {"exams", "seasons"}
NOT_ABOUT_SEASONS = {
    "account-management",
    "api-keys",
    "audit",
    "auth",
    "backups",
    "certificates",
    "broadcasts",
    "docs",
    "downloads",
    "mails",
    "files",
    "flags",
    "health",
    "images",
    "imports",
    "jobs",
    "metrics",
    "notifications",
    "questions",
    "ready",
    "receipts",
    "register",
    "registration",
    "schools",
    "send-email-otp",
    "staff",
    "user",
    "users",
    "verify-email-otp",
    "webhooks",
    "ws",
}
OF_THE_CURRENT_SEASON = {
    "advancement",
    "appeals",
    "candidates",
    "clarifications",
    "dashboard",
    "leaderboard",
    "school",
    "stats",
}
SORTED_ALONE = {"exports", "publish-scores"}
# The operations of the current season that read another one with `season`.
WITH_SEASON = {
    "GET /account-management/",
    "GET /advancement/",
    "GET /appeals/",
    "GET /candidates/{candidate_id}/",
    "GET /candidates/{candidate_id}/exam-history/",
    "GET /candidates/{candidate_id}/scores/",
    "GET /clarifications/",
    "GET /dashboard/candidate/",
    "GET /dashboard/staff/",
    "GET /exams/",
    "GET /exports/leaderboard/{stage}/{round}/",
    "GET /exports/leaderboard/{stage}/{round}/schools/",
    "GET /leaderboard/",
    "GET /leaderboard/publications/",
    "GET /leaderboard/snapshots/",
    "GET /leaderboard/{stage}/{round}/candidate/{candidate_id}/",
    "GET /leaderboard/{stage}/{round}/schools/",
    "GET /school/exams/",
}
# The replies of these operations have neither titles nor scores of exams. The account is that of a
# member of staff.
WITHOUT_MARKS = {
    "GET /account-management/",
    "GET /advancement/",
    "GET /clarifications/",
    "GET /leaderboard/publications/",
}
# The operations that change an exam, a plan, or what belongs to them: 400 `season_closed`.
CHANGES = {
    "DELETE /advancement/{plan_id}/",
    "DELETE /exams/{exam_id}/",
    "DELETE /exams/{exam_id}/allowances/{allowance_id}/",
    "DELETE /exams/{exam_id}/prepare/",
    "DELETE /exams/{exam_id}/regrades/{regrade_id}/",
    "PATCH /advancement/{plan_id}/",
    "PATCH /exams/{exam_id}/",
    "POST /advancement/",
    "POST /advancement/{plan_id}/apply/",
    "POST /advancement/{plan_id}/undo/",
    "POST /appeals/{appeal_id}/answer/",
    "POST /clarifications/{clarification_id}/answer/",
    "POST /exams/{exam_id}/allowances/",
    "POST /exams/{exam_id}/allowances/preview/",
    "POST /exams/{exam_id}/announcements/",
    "POST /exams/{exam_id}/appeals/",
    "POST /exams/{exam_id}/attempts/{candidate_id}/reopen/",
    "POST /exams/{exam_id}/conclude/",
    "POST /exams/{exam_id}/prepare/",
    "POST /exams/{exam_id}/regrades/",
    "POST /exams/{exam_id}/regrades/{regrade_id}/apply/",
    "POST /exams/{exam_id}/regrades/{regrade_id}/revert/",
    "POST /imports/{import_id}/apply/",
    "POST /imports/{kind_or_id}/",
    "POST /leaderboard/publish/",
    "POST /leaderboard/publish/preview/",
    "POST /questions/bulk-add-to-exams/",
    "POST /questions/{question_id}/exams/",
    "PUT /exams/{exam_id}/",
    "PUT /exams/{exam_id}/submit-exam-score/",
}
# Other operations that write, in the parts that are about seasons, and why no closed season refuses
# them.
NOT_REFUSED = {
    "DELETE /school/candidates/{user_id}/": "which school a candidate is of is of every season",
    "DELETE /leaderboard/publications/{publication_id}/": "a closed season has none to cancel",
    "PATCH /school/candidates/{user_id}/": "changes an account",
    "PATCH /seasons/{season_id}/": "a name is not read-only",
    "POST /candidates/slips/": "changes accounts",
    "POST /exams/": "creates an exam of the current season",
    "POST /exams/{exam_id}/clarifications/": "403 exam_not_open",
    "POST /exams/{exam_id}/copy/": "creates an exam of the current season",
    "POST /exams/{exam_id}/submit-exam-answers/": "403 exam_not_open",
    "POST /publish-scores/": "publishes the current season",
    "POST /school/candidates/": "is about the current season",
    "POST /school/candidates/{user_id}/confirm/": "is about the current season",
    "POST /school/slips/": "changes accounts",
    "POST /seasons/": "opens a season",
    "POST /seasons/join/": "is about the current season",
    "POST /seasons/preview/": "changes nothing",
    "POST /seasons/undo/": "opens a season again",
    "PUT /candidates/{candidate_id}/allowance/": "a percentage is of every season",
    "PUT /candidates/{candidate_id}/roles/assign/": "roles are of the current season",
    "PUT /exams/{exam_id}/draft/": "403 exam_not_open",
}


def codes(operation):
    """The codes of the errors with the status 400 that the document names for the operation."""
    response = operation.description["responses"].get("400")
    if response is None:
        return set()
    schema = resolved(resolved(response)["content"]["application/json"]["schema"])
    return set(schema["allOf"][1]["properties"]["code"]["enum"])


def resolved(value):
    while "$ref" in value:
        names = value["$ref"].removeprefix("#/").split("/")
        value = reduce(getitem, names, whole_document())
    return value


def part(operation):
    """The first part of the path."""
    return operation.path.strip("/").partition("/")[0]


def test_every_operation_is_sorted_by_what_it_has_to_do_with_seasons():
    parts = {part(each) for each in every_operation()}
    groups = (OF_EVERY_SEASON, NOT_ABOUT_SEASONS, OF_THE_CURRENT_SEASON, SORTED_ALONE)
    assert parts - set().union(*groups) == set()
    assert sum(map(len, groups)) == len(set().union(*groups))


def test_the_operations_that_read_another_season_have_the_parameter():
    assert {str(each) for each in every_operation() if "season" in each.query} == WITH_SEASON


def test_the_document_says_which_operations_a_closed_season_refuses():
    refused = {str(each) for each in every_operation() if "season_closed" in codes(each)}
    assert refused == CHANGES


def test_every_write_is_sorted():
    writes = {
        str(each)
        for each in every_operation()
        if each.method not in ("GET", "HEAD") and part(each) not in NOT_ABOUT_SEASONS
    }
    # Among the parts that are not about seasons, these change exams.
    changes = {each for each in CHANGES if each.split("/")[1] not in NOT_ABOUT_SEASONS}
    assert writes == changes | set(NOT_REFUSED)


# What only the exams of the closed season have.
TITLE, SCORE = "The exam of the first year", 37.25
CERTIFICATES = re.compile(r'"certificates": ?\[[^\]]*\]')


def test_replies_about_the_current_season_have_nothing_of_an_earlier_one(app, admin):
    """Every operation that is about the current season is called in the second year, with `season`
    where it has this parameter."""
    person = a_closed_season(app, admin)["person"]
    world = World(app)
    world.candidate = replace(person, client=app.new_session(person))
    world.candidate.post("/seasons/join/", {}, status=200)
    world.values |= {"candidate_id": person.id, "user_id": person.id}
    [_, old] = world.boss.get("/seasons/").json["results"]
    found = {"": set(), f"?season={old['id']}": set()}
    for each in every_operation():
        if each.method != "GET" or not (
            part(each) in OF_THE_CURRENT_SEASON or str(each) in WITH_SEASON
        ):
            continue
        for query, shown in found.items():
            if query and "season" not in each.query:
                continue
            text = world.send(each, query=query).text
            if str(each) == "GET /candidates/{candidate_id}/":
                # The example plugin shows the certificates of every season.
                text = CERTIFICATES.sub("", text)
            if TITLE in text or str(SCORE) in text:
                shown.add(str(each))
        if "season" in each.query:
            reply = world.send(each, query="?season=999")
            assert (reply.status_int, reply.json["code"]) == (400, "invalid"), each
    assert [*found.values()] == [set(), WITH_SEASON - WITHOUT_MARKS]


PLAN = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}, "ties": "in"}
TIME = {"everyone": True, "extra_minutes": 5, "reason": "A fan is loud."}
# The bodies of the operations that have one. `EXAM`, `QUESTION` and `CANDIDATE` stand for ids.
EXAM, QUESTION, CANDIDATE = object(), object(), object()
BODIES = {
    "PATCH /advancement/{plan_id}/": {"ties": "out"},
    "PATCH /exams/{exam_id}/": {"title": "Ideals"},
    "POST /advancement/": {**PLAN, "exams": [EXAM]},
    "POST /appeals/{appeal_id}/answer/": {"status": "rejected", "answer": "No."},
    "POST /clarifications/{clarification_id}/answer/": {"dismiss": True},
    "POST /exams/{exam_id}/allowances/": TIME,
    "POST /exams/{exam_id}/allowances/preview/": TIME,
    "POST /exams/{exam_id}/announcements/": {"text": "Question 3 is withdrawn."},
    "POST /exams/{exam_id}/appeals/": {"question": None, "text": "Why?"},
    "POST /exams/{exam_id}/attempts/{candidate_id}/reopen/": {"reason": "Sent by mistake."},
    "POST /exams/{exam_id}/regrades/": {
        "changes": [{"question": QUESTION, "void": True}],
        "reason": "Wrong.",
    },
    "POST /leaderboard/publish/": {"exams": [EXAM]},
    "POST /leaderboard/publish/preview/": {"exams": [EXAM]},
    "POST /questions/bulk-add-to-exams/": {"question_ids": [QUESTION], "exam_ids": [EXAM]},
    "POST /questions/{question_id}/exams/": {"add_to_exams": [], "remove_from_exams": [EXAM]},
    "PUT /exams/{exam_id}/": {"title": "Ideals", "stage": "screening"},
    "PUT /exams/{exam_id}/submit-exam-score/": {"candidate_id": CANDIDATE, "score": 50},
}


def test_a_closed_season_is_read_only(app, admin):
    """Every operation that can return `season_closed` is called, with rows of a closed season."""
    ids = a_closed_season(app, admin)
    person = app.new_session(ids.pop("person"))
    stand_ins = {
        EXAM: ids["exam_id"],
        QUESTION: ids["question_id"],
        CANDIDATE: str(ids["candidate_id"]),
    }
    boss = app.staff("superadmin")
    found = {}
    for each in every_operation():
        if "season_closed" not in codes(each):
            continue
        caller = boss if "staff" in each.access else person
        url = each.path.format(**ids)
        if each.path == "/imports/{kind_or_id}/":
            form = {"file": ("scores.csv", b"email,score\n"), "exam": str(ids["exam_id"])}
            reply = caller.upload("POST", url, form, status="any")
        else:
            body = filled(BODIES.get(str(each)), stand_ins)
            reply = caller.request(each.method, url, body, status="any")
        found[str(each)] = (reply.status_int, reply.json["code"])
    assert found == dict.fromkeys(CHANGES, (400, "season_closed"))


def filled(value, stand_ins):
    """The value with ids for the stand-ins."""
    if isinstance(value, dict):
        return {name: filled(each, stand_ins) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each, stand_ins) for each in value]
    return stand_ins.get(value, value)


def a_closed_season(app, admin):
    """Close a season in which everything has happened. Returns the values for paths: a row of each
    kind, which belongs to its exam."""
    exam_id, person = make_exam(app, admin, "AB", title=TITLE), app.candidate()
    exam = f"/exams/{exam_id}/"
    given = admin.post(f"{exam}allowances/", TIME, status=201).json
    sit(app, person, exam_id, "AB")
    score_by_hand(admin, exam_id, person, SCORE, status=200)
    admin.post(f"{exam}conclude/", status=200)
    plan = admin.post("/advancement/", {**PLAN, "exams": [later(app, admin)]}, status=201).json
    running_id = make_exam(app, admin, "AB", round=3, title=TITLE)
    take(person, running_id, status=200)
    asked = {"question": None, "text": "Why?"}
    asked = person.post(f"/exams/{running_id}/clarifications/", asked, status=201).json
    admin.post(f"/exams/{running_id}/conclude/", status=200)
    app.clock.advance(minutes=11)
    publish(app, admin)
    appeal = person.post(f"{exam}appeals/", {"question": None, "text": "Why?"}, status=201).json
    answer = {"status": "rejected", "answer": "No."}
    admin.post(f"/appeals/{appeal['id']}/answer/", answer, status=200)
    [question, _] = answers(app, exam_id, "AB")["answers"]
    change = {"changes": [{"question": question["question"], "void": True}], "reason": "-"}
    regrade = admin.post(f"{exam}regrades/", change, status=201).json
    file = ("scores.csv", f"candidate_id,score\n{person.id},50\n".encode())
    form = {"file": file, "exam": str(exam_id)}
    imported = admin.upload("POST", "/imports/scores/", form, status=202).json
    app.run_jobs()
    app.staff("superadmin").post("/seasons/", {"name": "2027"}, status=201)
    return {
        "person": person,
        "exam_id": exam_id,
        "candidate_id": person.id,
        "question_id": question["question"],
        "allowance_id": given["id"],
        "plan_id": plan["id"],
        "clarification_id": asked["id"],
        "appeal_id": appeal["id"],
        "regrade_id": regrade["id"],
        "import_id": imported["id"],
        "kind_or_id": "scores",
    }


def later(app, admin):
    """An exam that nobody took, and that was concluded."""
    exam_id = make_exam(app, admin, "AB", round=2, title=TITLE)
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    return exam_id
