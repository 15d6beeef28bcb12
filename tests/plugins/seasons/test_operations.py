"""Every operation is sorted by what it has to do with seasons.

A new operation fails these tests until somebody has decided it: whether its replies are of the
current season, of every season (it names an exam, or shows all), or not about seasons; and whether
it changes what belongs to a season.
"""

from functools import reduce
from operator import getitem

from tests.support.document import whole_document
from tests.support.every_operation import every_operation

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
    "dashboard",
    "leaderboard",
    "stats",
}
SORTED_ALONE = {"clarifications", "exports", "publish-scores"}
# The operations of the current season that read another one with `season`.
WITH_SEASON = {
    "GET /advancement/",
    "GET /appeals/",
    "GET /candidates/{candidate_id}/exam-history/",
    "GET /candidates/{candidate_id}/scores/",
    "GET /exams/",
    "GET /exports/leaderboard/{stage}/{round}/",
    "GET /leaderboard/",
    "GET /leaderboard/publications/",
    "GET /leaderboard/snapshots/",
    "GET /leaderboard/{stage}/{round}/candidate/{candidate_id}/",
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
    "POST /exams/{exam_id}/appeals/",
    "POST /exams/{exam_id}/attempts/{candidate_id}/reopen/",
    "POST /exams/{exam_id}/conclude/",
    "POST /exams/{exam_id}/prepare/",
    "POST /exams/{exam_id}/regrades/",
    "POST /exams/{exam_id}/regrades/{regrade_id}/apply/",
    "POST /exams/{exam_id}/regrades/{regrade_id}/revert/",
    "POST /imports/{kind_or_id}/",
    "POST /leaderboard/publish/",
    "POST /leaderboard/publish/preview/",
    "POST /questions/bulk-add-to-exams/",
    "POST /questions/{question_id}/exams/",
    "PUT /exams/{exam_id}/",
    "PUT /exams/{exam_id}/submit-exam-score/",
}
# Operations under an exam that change nothing of it, or that its status refuses with the code that
# the specification names: a closed season has no open exam.
UNDER_EXAMS = {
    "POST /exams/": "creates an exam of the current season",
    "POST /exams/{exam_id}/announcements/": "needs an exam that is not published",
    "POST /exams/{exam_id}/clarifications/": "403 exam_not_open",
    "POST /exams/{exam_id}/copy/": "creates an exam of the current season",
    "POST /exams/{exam_id}/submit-exam-answers/": "403 exam_not_open",
    "PUT /exams/{exam_id}/draft/": "403 exam_not_open",
}


def codes(operation):
    """The codes of the errors with the status 400 that the document names for the operation."""
    response = operation.description["responses"].get("400")
    if response is None:
        return set()
    schema = resolved(resolved(response)["content"]["application/json"]["schema"])
    return set(schema["allOf"][1]["properties"]["code"]["enum"])


def resolved(part):
    while "$ref" in part:
        names = part["$ref"].removeprefix("#/").split("/")
        part = reduce(getitem, names, whole_document())
    return part


def test_every_operation_is_sorted_by_what_it_has_to_do_with_seasons():
    parts = {each.path.strip("/").partition("/")[0] for each in every_operation()}
    groups = (OF_EVERY_SEASON, NOT_ABOUT_SEASONS, OF_THE_CURRENT_SEASON, SORTED_ALONE)
    assert parts - set().union(*groups) == set()
    assert sum(map(len, groups)) == len(set().union(*groups))


def test_the_operations_that_read_another_season_have_the_parameter():
    assert {str(each) for each in every_operation() if "season" in each.query} == WITH_SEASON


def test_the_document_says_which_operations_a_closed_season_refuses():
    refused = {str(each) for each in every_operation() if "season_closed" in codes(each)}
    assert refused == CHANGES


def test_every_write_under_an_exam_is_sorted():
    writes = {
        str(each)
        for each in every_operation()
        if each.method not in ("GET", "HEAD") and each.path.startswith("/exams/")
    }
    assert writes == {each for each in CHANGES if " /exams/" in each} | set(UNDER_EXAMS)
