"""The service works without each plugin, and without the plugins that require it.

Each plugin also works with only the plugins that it requires.
"""

import re
from uuid import UUID

import pytest

from competition.core.jobs.tasks import Task
from competition.core.mail.templates import MailTemplate
from competition.core.plugins import installed
from competition.testing.document import operations
from competition.testing.exam_day import (
    answers,
    make_exam,
    publish,
    submit,
    take,
)
from competition.testing.identity_papers import submit as upload_documents
from competition.testing.service import PASSWORD, Person
from tests.support.every_operation import WITHOUT_OPERATIONS

# The tests of each plugin need an application without it, and building one is slow.
pytestmark = pytest.mark.long

PLUGINS = sorted(installed())
ADA = {
    "email": "ada.lovelace@school.example",
    "first_name": "Ada",
    "last_name": "Lovelace",
    "phone": "+49123456789",
    "school": "Hillside School",
    "password": PASSWORD,
    "password2": PASSWORD,
}
QUESTION = {
    "text": "What is $1 + 1$?",
    "option_a": "1",
    "option_b": "2",
    "option_c": "3",
    "option_d": "4",
    "correct_answer": "B",
}
BROADCAST = {
    "subject": "The next exam",
    "message": "It begins on Saturday.",
    "mediums": ["email", "platform"],
    "target_roles": {"candidate": ["screening"]},
}


def operations_of(document, names):
    """The method and the path of each operation of these plugins."""
    return [
        (method, path)
        for method, path, description in operations(document)
        if description["tags"][0] in names
        # The plugin that declares a table has its operation, and `exports` makes it.
        or ("exports" in names and path.startswith("/exports/"))
    ]


def filled(path):
    """The path with ids of objects that don't exist."""
    uuid = "00000000-0000-4000-8000-000000000000"
    return re.sub(
        r"{(\w+)}", lambda name: "1" if name[1] in ("exam_id", "question_id", "id") else uuid, path
    )


def people_with_access(service, whole_document):
    """A function that returns the callers who may use an operation: a superadmin, a candidate, or
    both.
    """
    superadmin, candidate = service.staff("superadmin"), service.candidate()

    def find(method, path):
        description = whole_document["paths"][path][method.lower()]["description"]
        access = description.rpartition("Access: ")[2]
        found = [superadmin] if "staff" in access else []
        return [*found, candidate] if "candidate" in access or not found else found

    return find


def enabled_in(service):
    return {*service.runtime.packages.values()}


def with_requirements(name):
    """The plugin and all plugins that it requires, directly or indirectly."""
    required = (with_requirements(each) for each in installed()[name].requires)
    return {name}.union(*required)


@pytest.fixture(scope="session")
def whole_document(applications, base_settings):
    """The document of all plugins."""
    application = applications.get(base_settings)
    applications.release()
    return application.config.registry.document


def test_every_plugin_has_operations_except_these(whole_document):
    without = {name for name in PLUGINS if not operations_of(whole_document, {name})}
    assert without == (WITHOUT_OPERATIONS - {"exports"}) & {*PLUGINS}


@pytest.mark.parametrize("disabled", PLUGINS)
def test_the_service_works_without_a_plugin(app_with, without, whole_document, disabled):
    """And without the plugins that require it."""
    service = app_with(without(disabled))
    missing = {*PLUGINS} - enabled_in(service)
    assert disabled in missing
    check_nothing_is_registered(service, missing)
    check_operations_are_gone(service, missing, whole_document)
    check_other_operations_work(service, missing, whole_document)
    check_essentials(service)


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_works_with_only_the_plugins_that_it_requires(app_with, plugin):
    names = with_requirements(plugin)
    service = app_with({"competition.plugins": " ".join(sorted(names))})
    assert enabled_in(service) == names
    check_essentials(service)


def check_operations_are_gone(service, missing, whole_document):
    """They are neither found nor documented."""
    gone = operations_of(whole_document, missing)
    assert operations_of(service.document.document, missing) == []
    manager = service.staff("superadmin")
    for method, path in gone:
        assert path not in service.document.document["paths"]
        manager.client.request(method, filled(path), {}, status=404, code="not_found")


def check_nothing_is_registered(service, missing):
    runtime = service.runtime
    named = [
        *runtime.catalogue[Task],
        *runtime.catalogue[MailTemplate],
    ]
    assert [name for name in named if name.partition(".")[0] in missing] == []
    assert missing.isdisjoint(runtime.packages.values())


def check_other_operations_work(service, missing, whole_document):
    gone = operations_of(whole_document, missing)
    everything = operations_of(whole_document, {*PLUGINS})
    rest = [each for each in everything if each not in gone]
    assert sorted(operations_of(service.document.document, {*PLUGINS})) == sorted(rest)
    people = people_with_access(service, whole_document)
    for method, path in rest:
        for person in people(method, path):
            options = {} if method == "GET" else {"body": {}}
            reply = person.client.request(method, filled(path), status="any", **options)
            assert reply.status_int < 500, (method, path, reply.text)


# The essential features of the specification, as far as the enabled plugins provide them.


def check_essentials(app):
    enabled, admin, manager = enabled_in(app), app.staff("admin"), app.staff("manager")
    app.anonymous.get("/health/", status=200)
    ada = registered(app) if "accounts" in enabled else app.candidate(verification="not_submitted")
    if "verification" in enabled:
        upload_documents(ada, status=201)
        path = f"/user/verification/action/{ada.id}/"
        manager.post(path, {"is_approved": True}, status=200)
    else:
        # Without the plugin, nobody could approve a candidate who registers.
        ada = app.candidate()
    if "questions" in enabled:
        written = app.staff("moderator").post("/questions/", QUESTION, status=201).json
        assert admin.get(f"/questions/{written['id']}/", status=200).json == written
    if "exams" in enabled:
        sit_an_exam(app, enabled, admin, ada)
    if "broadcasts" in enabled:
        manager.post("/broadcasts/", BROADCAST, status=201)
    app.run_jobs()
    if "broadcasts" in enabled:
        [latest, *_] = ada.get("/notifications/", status=200).json["results"]
        assert latest["subject"] == BROADCAST["subject"]
    if "people" in enabled:
        found = manager.get("/candidates/?search=ada", status=200).json["results"]
        assert str(ada.id) in [each["user"]["id"] for each in found]
    if "dashboards" in enabled:
        ada.get("/dashboard/candidate/", status=200)
        admin.get("/dashboard/staff/", status=200)


def registered(app):
    """Register a candidate, verify the email address and log in."""
    app.anonymous.post("/register/candidate/", ADA, status=201)
    code = {"email": ADA["email"], "otp": app.otp(ADA["email"])}
    app.anonymous.post("/verify-email-otp/", code, status=200)
    logged_in = app.log_in(ADA["email"], status=200).json
    user_id = UUID(logged_in["profile"]["user"]["id"])
    return Person(user_id, ADA["email"], app.client(logged_in["access"]))


def sit_an_exam(app, enabled, admin, ada):
    """Create an exam, take it, submit it, score it and publish its leaderboard."""
    exam_id = make_exam(app, admin, "AB")
    if "sittings" not in enabled:
        return
    body = answers(app, exam_id, "AB")
    take(ada, exam_id, status=200)
    if "drafts" in enabled:
        ada.put(f"/exams/{exam_id}/draft/", {"sequence": 1, **body}, status=200)
    submit(ada, exam_id, body, status=201)
    submit(ada, exam_id, body, status=400, code="exam_already_submitted")
    if "receipts" in enabled:
        ada.get(f"/exams/{exam_id}/receipt/", status=200)
    app.run_jobs()
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    if "scores" in enabled:
        [result] = admin.get(f"/exams/{exam_id}/results/", status=200).json
        assert result["score"] == 100
    if "leaderboard" in enabled:
        publish(app, admin)
        board = ada.get(f"/leaderboard/?exam_id={exam_id}", status=200).json
        assert [row["score"] for row in board["top_three"]] == [100]
