"""Test which kinds of callers each endpoint admits.

The table is transcribed from the contract, not taken from the package. It is compared with the
declared access of every endpoint, for all callers. Over HTTP, each endpoint gets requests of a
caller whom it admits and of the neighbouring ones whom it rejects. The admitted caller may still
get a 400 or 404, because the ids are of objects that don't exist, and the bodies are empty.
"""

from uuid import uuid4

import pytest

from competition.core.auth.identity import Identity
from competition.core.web.service import endpoints
from competition.testing.exam_day import make_exam
from tests.support import imports
from tests.support.document import whole_document

NOBODY = "00000000-0000-4000-8000-000000000000"

# The third column names the callers whom the endpoint admits. "public": anyone. "key": with an API
# key. "user": logged in, verified or not. "candidate" and "staff": logged in, of that kind,
# verified or not. "taker": verified candidates. "reader": verified candidates, and verified staff
# who are moderators or higher. A role: verified staff with that role or a higher one.
ENDPOINTS = [
    ("GET", "/health/", "public"),
    ("GET", "/ready/", "public"),
    ("GET", "/registration/", "public"),
    # These tests set no token, so the endpoint doesn't exist for anyone.
    ("GET", "/metrics/", "public"),
    ("GET", "/docs/", "public"),
    ("GET", "/docs/spec/", "public"),
    ("GET", "/docs/events/", "public"),
    ("GET", "/docs/swagger/", "public"),
    ("GET", "/docs/redoc/", "public"),
    ("GET", "/files/{key}/", "public"),
    ("POST", "/downloads/links/", "user"),
    ("GET", "/images/{name}/", "public"),
    ("POST", "/auth/login/", "key"),
    ("POST", "/auth/token/refresh/", "key"),
    ("POST", "/auth/logout/", "key"),
    ("GET", "/schools/names/?search=hill", "key"),
    ("POST", "/register/candidate/", "key"),
    ("POST", "/register/staff/", "key"),
    ("POST", "/verify-email-otp/", "key"),
    ("POST", "/send-email-otp/", "key"),
    ("POST", "/auth/password-change/request/", "key"),
    ("POST", "/auth/password-change/confirm-otp/", "key"),
    ("POST", "/auth/password-change/", "key"),
    ("POST", "/auth/password-change/resend-otp/", "key"),
    ("POST", "/auth/login/second-factor/", "key"),
    ("GET", "/auth/second-factor/", "staff"),
    ("POST", "/auth/second-factor/", "staff"),
    ("POST", "/auth/second-factor/confirm/", "staff"),
    ("DELETE", "/auth/second-factor/", "staff"),
    ("GET", "/auth/sessions/", "user"),
    ("DELETE", "/auth/sessions/{session_id}/", "user"),
    ("GET", "/candidates/me/", "candidate"),
    ("GET", "/staff/me/", "staff"),
    ("GET", "/candidates/", "moderator"),
    ("GET", "/candidates/{candidate_id}/", "admin"),
    ("PUT", "/candidates/{candidate_id}/roles/assign/", "admin"),
    ("GET", "/candidates/{candidate_id}/scores/", "admin"),
    ("GET", "/candidates/{candidate_id}/exam-history/", "admin"),
    ("GET", "/staff/", "moderator"),
    ("POST", "/staff/invite/", "manager"),
    ("GET", "/staff/{staff_id}/", "manager"),
    ("PUT", "/staff/{staff_id}/roles/assign/", "manager"),
    # The list of all accounts is for managers: see test_user_list.py.
    ("GET", "/user/list/?profile=candidate", "moderator"),
    ("GET", "/account-management/", "user"),
    ("PATCH", "/account-management/", "user"),
    ("GET", "/account-management/{user_id}/", "manager or self"),
    ("PATCH", "/account-management/{user_id}/", "manager or self"),
    ("PUT", "/account-management/{user_id}/activation/", "manager"),
    ("GET", "/account-management/{user_id}/activation/preview/", "manager"),
    ("GET", "/audit/", "manager"),
    ("GET", "/user/verification/status/", "user"),
    ("GET", "/user/verification/status/{user_id}/", "manager or self"),
    ("POST", "/user/verification/upload/", "user"),
    ("PATCH", "/user/verification/upload/", "user"),
    ("GET", "/user/verification/list/", "manager"),
    ("POST", "/user/verification/action/{user_id}/", "manager"),
    ("GET", "/user/verification/documents/{type}/{user_id}/", "manager or self"),
    ("GET", "/exams/", "admin"),
    ("POST", "/exams/", "admin"),
    ("GET", "/exams/{exam_id}/", "admin"),
    ("PUT", "/exams/{exam_id}/", "admin"),
    ("PATCH", "/exams/{exam_id}/", "admin"),
    ("DELETE", "/exams/{exam_id}/", "admin"),
    ("POST", "/exams/{exam_id}/conclude/", "admin"),
    ("POST", "/exams/{exam_id}/copy/", "admin"),
    ("POST", "/exams/{exam_id}/attempts/{candidate_id}/reopen/", "admin"),
    ("GET", "/exams/{exam_id}/questions/", "admin"),
    ("GET", "/exams/{exam_id}/paper/", "moderator"),
    ("GET", "/exams/{exam_id}/results/", "admin"),
    ("GET", "/exams/{exam_id}/scores/", "admin"),
    ("GET", "/exams/{exam_id}/analysis/", "admin"),
    ("GET", "/exams/{exam_id}/time/", "taker"),
    ("GET", "/exams/{exam_id}/take-exam/", "taker"),
    ("GET", "/exams/{exam_id}/draft/", "taker"),
    ("PUT", "/exams/{exam_id}/draft/", "taker"),
    ("GET", "/exams/{exam_id}/drafts/{candidate_id}/", "admin"),
    ("POST", "/exams/{exam_id}/submit-exam-answers/", "taker"),
    ("GET", "/exams/{exam_id}/submitted-answers/", "candidate"),
    ("PUT", "/exams/{exam_id}/submit-exam-score/", "admin"),
    ("GET", "/exams/{exam_id}/invigilation/", "moderator"),
    ("GET", "/exams/{exam_id}/own-time/", "taker"),
    ("GET", "/exams/{exam_id}/allowances/", "moderator"),
    ("POST", "/exams/{exam_id}/allowances/", "admin"),
    ("DELETE", "/exams/{exam_id}/allowances/{allowance_id}/", "admin"),
    ("POST", "/exams/{exam_id}/allowances/preview/", "admin"),
    ("GET", "/exams/{exam_id}/conclude/preview/", "admin"),
    ("GET", "/exams/{exam_id}/announcements/preview/", "moderator"),
    ("POST", "/leaderboard/publish/preview/", "admin"),
    ("POST", "/broadcasts/preview/", "manager"),
    ("GET", "/candidates/{candidate_id}/allowance/", "admin"),
    ("PUT", "/candidates/{candidate_id}/allowance/", "admin"),
    ("GET", "/exams/{exam_id}/receipt/", "taker"),
    ("GET", "/exams/{exam_id}/receipts/", "taker"),
    ("GET", "/seasons/", "user"),
    ("POST", "/seasons/", "superadmin"),
    ("POST", "/seasons/preview/", "superadmin"),
    ("POST", "/seasons/undo/", "superadmin"),
    ("POST", "/seasons/join/", "candidate"),
    ("PATCH", "/seasons/{season_id}/", "admin"),
    # Each kind of import says which rank may import it.
    ("GET", "/imports/", "volunteer"),
    ("GET", "/imports/kinds/", "volunteer"),
    ("POST", "/imports/{kind_or_id}/", "volunteer"),
    ("GET", "/imports/{kind_or_id}/", "volunteer"),
    ("DELETE", "/imports/{kind_or_id}/", "volunteer"),
    ("GET", "/imports/{import_id}/rows/", "volunteer"),
    ("POST", "/imports/{import_id}/apply/", "volunteer"),
    ("GET", "/imports/templates/{kind}/", "volunteer"),
    ("POST", "/candidates/slips/", "manager"),
    ("GET", "/schools/", "moderator"),
    ("POST", "/schools/", "admin"),
    ("GET", "/schools/{school_id}/", "moderator"),
    ("PATCH", "/schools/{school_id}/", "admin"),
    ("DELETE", "/schools/{school_id}/", "admin"),
    ("POST", "/schools/{school_id}/merge/", "admin"),
    ("POST", "/schools/{school_id}/merge/preview/", "admin"),
    ("DELETE", "/schools/{school_id}/aliases/{alias_id}/", "admin"),
    ("GET", "/leaderboard/{stage}/{round}/schools/", "reader"),
    ("GET", "/schools/{school_id}/teachers/", "manager"),
    ("POST", "/schools/{school_id}/teachers/", "manager"),
    ("DELETE", "/schools/{school_id}/teachers/{user_id}/", "manager"),
    # Staff who are not linked to a school get 404: see test_teachers.py.
    ("GET", "/school/", "volunteer"),
    ("GET", "/school/candidates/", "volunteer"),
    ("POST", "/school/candidates/", "volunteer"),
    ("PATCH", "/school/candidates/{user_id}/", "volunteer"),
    ("DELETE", "/school/candidates/{user_id}/", "volunteer"),
    ("POST", "/school/candidates/{user_id}/confirm/", "volunteer"),
    ("POST", "/school/slips/", "volunteer"),
    ("GET", "/school/exams/", "volunteer"),
    ("GET", "/school/exams/{exam_id}/", "volunteer"),
    ("GET", "/school/exams/{exam_id}/results/", "volunteer"),
    ("GET", "/exports/school/exams/{exam_id}/results/", "volunteer"),
    ("GET", "/exports/leaderboard/{stage}/{round}/schools/", "admin"),
    ("GET", "/exams/{exam_id}/preflight/", "admin"),
    ("POST", "/exams/{exam_id}/prepare/", "admin"),
    ("DELETE", "/exams/{exam_id}/prepare/", "admin"),
    ("GET", "/exams/{exam_id}/preview/", "admin"),
    ("POST", "/receipts/verify/", "key"),
    ("GET", "/receipts/keys/", "key"),
    ("GET", "/exams/{exam_id}/regrades/", "admin"),
    ("POST", "/exams/{exam_id}/regrades/", "admin"),
    ("GET", "/exams/{exam_id}/regrades/{regrade_id}/", "admin"),
    ("DELETE", "/exams/{exam_id}/regrades/{regrade_id}/", "admin"),
    ("POST", "/exams/{exam_id}/regrades/{regrade_id}/apply/", "admin"),
    ("POST", "/exams/{exam_id}/regrades/{regrade_id}/revert/", "admin"),
    ("GET", "/exams/{exam_id}/appeals/", "reader"),
    ("POST", "/exams/{exam_id}/appeals/", "taker"),
    ("POST", "/appeals/{appeal_id}/answer/", "admin"),
    ("GET", "/appeals/", "reader"),
    ("GET", "/appeals/{appeal_id}/", "reader"),
    ("GET", "/clarifications/", "moderator"),
    ("GET", "/exams/{exam_id}/clarifications/", "reader"),
    ("POST", "/exams/{exam_id}/clarifications/", "taker"),
    ("POST", "/clarifications/{clarification_id}/answer/", "moderator"),
    ("GET", "/exams/{exam_id}/announcements/", "reader"),
    ("POST", "/exams/{exam_id}/announcements/", "moderator"),
    ("GET", "/questions/", "moderator"),
    ("POST", "/questions/", "moderator"),
    ("GET", "/questions/{question_id}/", "moderator"),
    ("PUT", "/questions/{question_id}/", "moderator"),
    ("PATCH", "/questions/{question_id}/", "moderator"),
    ("DELETE", "/questions/{question_id}/", "moderator"),
    ("GET", "/questions/{question_id}/exams/", "moderator"),
    ("POST", "/questions/{question_id}/exams/", "admin"),
    ("POST", "/questions/bulk-add-to-exams/", "admin"),
    ("POST", "/questions/bulk-archive/", "admin"),
    ("POST", "/auth/second-factor/recovery-codes/", "staff"),
    ("GET", "/flags/", "superadmin"),
    ("PUT", "/flags/{name}/", "superadmin"),
    ("GET", "/api-keys/", "superadmin"),
    ("POST", "/api-keys/", "superadmin"),
    ("GET", "/api-keys/rates/", "superadmin"),
    ("DELETE", "/api-keys/{key_id}/", "superadmin"),
    ("GET", "/jobs/", "superadmin"),
    ("POST", "/jobs/{job_id}/retry/", "superadmin"),
    ("GET", "/mails/", "superadmin"),
    ("POST", "/mails/{mail_id}/resend/", "superadmin"),
    ("GET", "/backups/", "superadmin"),
    ("GET", "/questions/answers/", "moderator"),
    ("POST", "/questions/render/", "moderator"),
    ("GET", "/questions/images/", "moderator"),
    ("POST", "/questions/images/", "moderator"),
    ("PATCH", "/questions/images/{image_id}/", "moderator"),
    ("DELETE", "/questions/images/{image_id}/", "moderator"),
    ("GET", "/dashboard/candidate/", "candidate"),
    ("GET", "/dashboard/staff/", "moderator"),
    ("GET", "/stats/overview/", "moderator"),
    ("GET", "/advancement/", "moderator"),
    ("POST", "/advancement/", "admin"),
    ("GET", "/advancement/{plan_id}/", "moderator"),
    ("PATCH", "/advancement/{plan_id}/", "admin"),
    ("DELETE", "/advancement/{plan_id}/", "admin"),
    ("GET", "/advancement/{plan_id}/preview/", "admin"),
    ("POST", "/advancement/{plan_id}/apply/", "admin"),
    ("POST", "/advancement/{plan_id}/undo/", "admin"),
    ("GET", "/advancement/{plan_id}/candidates/", "moderator"),
    ("POST", "/leaderboard/publish/", "admin"),
    ("GET", "/leaderboard/publications/", "admin"),
    ("GET", "/leaderboard/snapshots/", "moderator"),
    ("DELETE", "/leaderboard/publications/{publication_id}/", "admin"),
    ("GET", "/notifications/", "user"),
    ("PATCH", "/notifications/{notification_id}/mark-as-read/", "user"),
    ("PATCH", "/notifications/mark-all-as-read/", "user"),
    ("POST", "/ws/tickets/", "user"),
    ("POST", "/publish-scores/", "admin"),
    ("GET", "/leaderboard/", "reader"),
    ("GET", "/leaderboard/{stage}/{round}/candidate/{candidate_id}/", "reader"),
    ("GET", "/notifications/", "user"),
    ("PATCH", "/notifications/{notification_id}/mark-as-read/", "user"),
    ("PATCH", "/notifications/mark-all-as-read/", "user"),
    ("POST", "/ws/tickets/", "user"),
    ("GET", "/broadcasts/", "manager"),
    ("POST", "/broadcasts/", "manager"),
    ("GET", "/broadcasts/{broadcast_id}/", "manager"),
    ("POST", "/webhooks/db-backup/", "key"),
    ("GET", "/registration/consent/", "key"),
    ("POST", "/users/restore/", "key"),
    ("POST", "/users/me/export/", "user"),
    ("DELETE", "/users/me/", "user"),
    ("GET", "/users/deletions/", "manager"),
    ("DELETE", "/users/{user_id}/", "manager"),
    ("POST", "/users/{user_id}/restore/", "manager"),
    ("GET", "/exports/candidates/", "admin"),
    ("GET", "/exports/staff/", "manager"),
    ("GET", "/exports/audit/", "manager"),
    # With `exam`, only admins: see test_questions.py.
    ("GET", "/exports/questions/", "moderator"),
    ("GET", "/exports/exams/{exam_id}/results/", "admin"),
    ("GET", "/exports/exams/{exam_id}/answers/", "admin"),
    ("GET", "/exports/exams/{exam_id}/answer-sheet/", "admin"),
    ("GET", "/exports/exams/{exam_id}/allowances/", "admin"),
    ("GET", "/exports/leaderboard/{stage}/{round}/", "admin"),
    ("GET", "/exports/advancement/{plan_id}/", "admin"),
    # This must be last, because it logs the caller out.
    ("DELETE", "/auth/sessions/", "user"),
]
PATH_VALUES = {
    "key": "nothing.png",
    "name": "nothing.png",
    "key_id": "999999",
    "job_id": "999999",
    "mail_id": "999999",
    "image_id": "999999",
    "school_id": "999999",
    "alias_id": "999999",
    "exam_id": "999999",
    "import_id": "999999",
    "kind_or_id": "999999",
    "kind": "nothing",
    "appeal_id": "999999",
    "clarification_id": "999999",
    "allowance_id": "999999",
    "regrade_id": "999999",
    "broadcast_id": "999999",
    "plan_id": "999999",
    "season_id": "999999",
    "publication_id": "999999",
    "notification_id": "999999",
    "question_id": "999999",
    "stage": "league",
    "round": "1",
    "candidate_id": NOBODY,
    "staff_id": NOBODY,
    "session_id": NOBODY,
    "user_id": NOBODY,
    "type": "face_id",
}
RANKS = ["volunteer", "moderator", "admin", "manager", "superadmin"]
CANDIDATES = ["screening", "league", "final", "winner"]
CALLERS = [
    "no key",
    "wrong key",
    "nobody",
    "bad token",
    *(f"{verified} {role}" for role in CANDIDATES for verified in ("unverified", "verified")),
    *(f"{verified} {role}" for role in RANKS for verified in ("unverified", "verified")),
    "unverified sponsor",
    "verified sponsor",
]


def expected(access, caller):
    """The status and the code of the error, or None if the caller is authorised."""
    if access == "public":
        return None
    if caller == "no key":
        return (401, "not_authenticated")
    if caller == "wrong key":
        return (401, "authentication_failed")
    if access == "key":
        return None
    if caller == "nobody":
        return (401, "not_authenticated")
    if caller == "bad token":
        return (401, "invalid_token")
    verified, role = caller.split()
    denied = (403, "permission_denied")
    if role == "sponsor":
        return denied
    is_candidate = role in CANDIDATES
    if access in ("user", "candidate", "staff"):
        kinds = {"user": {True, False}, "candidate": {True}, "staff": {False}}
        return None if is_candidate in kinds[access] else denied
    if access in ("taker", "reader") and is_candidate:
        return None if verified == "verified" else (403, "unverified_candidate")
    lowest = {"reader": "moderator", "taker": None, "manager or self": "manager"}
    lowest = lowest.get(access, access)
    if is_candidate or lowest is None or RANKS.index(role) < RANKS.index(lowest):
        return denied
    return None if verified == "verified" else (403, "unverified_staff")


def answer(endpoint, caller):
    """What `expected` returns, as the endpoint declares it."""
    access = endpoint.access
    if not access.api_key:
        return None
    if caller in ("no key", "wrong key"):
        return expected("key", caller)
    if not access.needs_user:
        return None
    if caller in ("nobody", "bad token"):
        return expected("user", caller)
    verified, role = caller.split()
    kind = "candidate" if role in CANDIDATES else "staff"
    refusal = access.refusal(Identity(uuid4(), kind, role, "Ada", verified == "verified"))
    return refusal and (refusal.status, refusal.code)


@pytest.fixture(scope="module")
def declared(applications, base_settings):
    """Every endpoint, by its method and path."""
    application = applications.get(base_settings)
    applications.release()
    registry = application.config.registry
    return {(each.method, each.path): each for each in endpoints(registry)}


@pytest.mark.parametrize(("method", "path", "access"), ENDPOINTS)
def test_each_endpoint_declares_the_callers_of_the_table(declared, method, path, access):
    endpoint = declared[method, path.partition("?")[0]]
    found = {caller: answer(endpoint, caller) for caller in CALLERS}
    if access == "manager or self":
        # The view compares the ids: see the requests below.
        access = "user"
    assert found == {caller: expected(access, caller) for caller in CALLERS}


# The neighbours on both sides of the border of each access: the admitted caller of the lowest rank,
# the rejected callers who come closest, and nobody.
BORDERS = {
    "public": ["no key"],
    "key": ["nobody", "wrong key", "no key"],
    "user": ["unverified screening", "unverified volunteer", "bad token", "nobody"],
    "candidate": ["unverified screening", "verified superadmin", "nobody"],
    "staff": ["unverified volunteer", "verified winner", "nobody"],
    "taker": ["verified screening", "unverified winner", "verified superadmin", "nobody"],
    "reader": [
        *("verified screening", "unverified winner"),
        *("verified moderator", "unverified superadmin", "verified volunteer", "nobody"),
    ],
    "volunteer": ["verified volunteer", "unverified volunteer", "verified winner", "nobody"],
    "manager or self": ["verified manager", "verified admin", "unverified superadmin", "nobody"],
    **{
        role: [f"verified {role}", f"unverified {role}", f"verified {below}", "nobody"]
        for role, below in zip(RANKS[1:], RANKS, strict=False)
    },
}


def client_of(app, caller):
    client = app.client()
    if caller in ("no key", "wrong key"):
        client.key = None if caller == "no key" else "wrong"
    elif caller == "bad token":
        client.token = "no.token.at.all"
    elif caller != "nobody":
        verified, role = caller.split()
        state = "approved" if verified == "verified" else "not_submitted"
        person = app.candidate if role in CANDIDATES else app.staff
        client.token = person(role, verification=state).client.token
    return client


@pytest.mark.parametrize("access", BORDERS)
def test_each_endpoint_admits_and_rejects_the_callers_at_its_border(app, access):
    rows = [(method, path) for method, path, its_access in ENDPOINTS if its_access == access]
    for caller in BORDERS[access]:
        client, refusal = client_of(app, caller), expected(access, caller)
        for method, path in rows:
            check(client, method, path, caller, refusal)


@pytest.fixture
def teachers(app):
    """Teachers of two schools, West and East."""
    manager, found = app.staff("manager"), []
    for name in ("West", "East"):
        school_id = manager.post("/schools/", {"name": name}).json["id"]
        person = app.staff("volunteer")
        body = {"email": person.email, "first_name": "Ada", "last_name": "Lovelace"}
        manager.post(f"/schools/{school_id}/teachers/", body, status=201)
        found.append(person)
    return found


def test_a_link_to_a_school_admits_no_teacher_to_the_operations_of_other_ranks(teachers):
    for person in teachers:
        for method, path, access in ENDPOINTS:
            refusal = expected(access, "verified volunteer")
            check(person.client, method, path, "verified volunteer", refusal)


# Valid requests for the objects of a school. The bodies of all other operations may be empty.
BODIES = {
    "/school/candidates/{user_id}/": {"group": "8A"},
    "/school/candidates/{user_id}/confirm/": {"is_ours": True},
}


def test_objects_of_a_school_do_not_exist_for_the_teacher_of_another_school(app, teachers):
    """Each operation to which volunteers are admitted rejects the ids of another school, which an
    attacker may know."""
    west, east = teachers
    body = {"first_name": "Emmy", "last_name": "Noether", "group": "7B"}
    pupil = west.post("/school/candidates/", body, status=201).json
    del pupil["warnings"]
    found = imports.check(app, west, "pupils", "first_name,last_name\nAda,King\n")
    exam_id = make_exam(app, app.staff("admin"))
    values = {
        **PATH_VALUES,
        "user_id": pupil["user_id"],
        "exam_id": exam_id,
        "kind_or_id": found["id"],
        "import_id": found["id"],
    }
    named = ("{user_id}", "{exam_id}", "{kind_or_id}", "{import_id}")
    tried = set()
    for method, path, access in ENDPOINTS:
        if expected(access, "verified volunteer") is not None or not any(n in path for n in named):
            continue
        sent = None if method in ("GET", "DELETE") else BODIES.get(path, {})
        reply = east.request(method, path.format(**values), sent, status="any")
        assert reply.status_int in (403, 404), (method, path, reply.status_int)
        assert "Noether" not in reply.text
        tried.add(path)
    assert {path for _, path, access in ENDPOINTS if access == "volunteer" and "{" in path} <= {
        *tried,
        "/imports/templates/{kind}/",
    }
    # Nothing has changed, and the own teacher still finds all of them.
    assert west.get("/school/candidates/").json["results"] == [pupil]
    assert west.get(f"/imports/{found['id']}/").json == found
    west.get(f"/school/exams/{exam_id}/", status=200)


def check(client, method, path, caller, refusal):
    body = None if method in ("GET", "DELETE") else {}
    reply = client.request(method, path.format(**PATH_VALUES), body, status="any")
    found = (reply.status_int, reply.json["code"] if reply.status_int >= 400 else None)
    if refusal is not None:
        assert found == refusal, (method, path, caller)
    elif path == "/publish-scores/":
        # The feature is switched off, so even authorised callers are rejected.
        assert found == (403, "permission_denied")
    elif path.startswith("/leaderboard/") and caller == "verified screening":
        # The caller is authorised, but may not see another stage.
        assert found in ((404, "leaderboard_not_published"), (403, "permission_denied"))
    else:
        # Registering while logged in is an error, but not one of access rights.
        assert found[0] not in (401, 403) or found[1] == "account_already_authenticated", (
            *(method, path, caller, found),
        )


def test_every_access_has_a_border():
    for access, callers in BORDERS.items():
        refusals = {expected(access, caller) for caller in callers}
        assert access == "public" or (None in refusals and len(refusals) > 1), access
    assert {access for _, _, access in ENDPOINTS} <= BORDERS.keys()


def test_the_table_is_complete():
    paths = whole_document(only_ours=True)["paths"]
    served = {(method.upper(), path) for path, item in paths.items() for method in item}
    assert served == {(method, path.partition("?")[0]) for method, path, _ in ENDPOINTS}
