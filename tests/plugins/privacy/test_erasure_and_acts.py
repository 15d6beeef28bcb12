"""Erasing an account while the candidate does something, or staff or the service do something to
the candidate.

Each pair runs in both orders, and again with a pause in the middle of the transaction that comes
first. No transaction is a victim of a deadlock, and nothing personal remains.
"""

from threading import Thread, current_thread

import pytest
from sqlalchemy import event, inspect, text

from competition.core.database_errors import sqlstate
from competition.core.jobs.tasks import Task
from competition.core.users import personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.broadcasts.services import sending
from competition.testing.exam_day import answers, make_exam, publish, take
from competition.testing.identity_papers import submit
from competition.testing.waiting import wait_until
from tests.support import imports

# A text about a candidate, as staff and candidates write it.
PERSONAL = "Dyslexia, as in the letter"
LAST_NAME = "Lovelace-Byron"
DEADLOCK = "40P01"
WAITING = text(
    "select exists (select from pg_stat_activity"
    " where datname = current_database() and wait_event_type = 'Lock')"
)
# Tables in which an erasure leaves no row of the person.
EMPTIED = (
    "draft",
    "file",
    "known_network",
    "notification",
    "repeatable_request",
    "session",
    "verification_request",
)
# The beginnings of statements that change existing rows.
CHANGES = ("UPDATE", "DELETE", "WITH")


def erase(live, person):
    with begin(live.runtime) as work:
        personal_data.erase(work, person.id)


def race(live, first, second, pause):
    """Run `first`, and `second` in the middle of it: when `first` has changed a row, or just before
    its commit.

    `first` continues when `second` waits for a lock, or has ended. Returns the deadlocks.
    """
    engine = live.runtime.database.changing
    runner, deadlocks = current_thread(), []
    other = Thread(target=second)

    def let_in():
        if not other.ident:
            other.start()
            # Without a transaction, in which PostgreSQL would return the same statistics again.
            with live.runtime.database.reading.connect() as watcher:
                wait_until(lambda: not other.is_alive() or watcher.scalar(WAITING))

    def after_statement(connection, cursor, statement, *rest):
        if current_thread() is runner and pause == "change" and statement.startswith(CHANGES):
            let_in()

    def before_commit(connection):
        if current_thread() is runner:
            let_in()

    def note(context):
        if sqlstate(context.sqlalchemy_exception) == DEADLOCK:
            deadlocks.append(context.statement)

    listeners = {
        "after_cursor_execute": after_statement,
        "commit": before_commit,
        "handle_error": note,
    }
    for name, listener in listeners.items():
        event.listen(engine, name, listener)
    try:
        first()
        assert other.ident
        other.join()
    finally:
        for name, listener in listeners.items():
            event.remove(engine, name, listener)
    return deadlocks


def remains(live, person):
    """The rows, of any table, that contain something personal, and the rows of the candidate in
    tables where an erasure leaves none."""
    words = (PERSONAL, person.email, LAST_NAME)
    found = []
    with begin(live.runtime) as work:
        for table in inspect(work.db.connection()).get_table_names():
            own = (str(person.id),) if table in EMPTIED else ()
            rows = work.db.scalars(text(f'select each::text from "{table}" as each'))
            found += [(table, row) for row in rows if any(word in row for word in words + own)]
    return found


def take_and_save(live, admin, person):
    """An exam that the candidate is taking, with a saved answer."""
    exam_id = make_exam(live, admin, "AB")
    take(person, exam_id, status=200)
    body = {"sequence": 1, **answers(live, exam_id, "A")}
    person.put(f"/exams/{exam_id}/draft/", body, status=200)
    return exam_id


def take_and_publish(live, admin, person):
    """An exam with a published result of the candidate."""
    exam_id = take_and_save(live, admin, person)
    admin.post(f"/exams/{exam_id}/conclude/")
    live.clock.advance(minutes=6)
    publish(live, admin)
    return exam_id


def submitted_by_service(live, admin, person):
    exam_id = take_and_save(live, admin, person)
    live.clock.advance(minutes=66)
    live.run_task("drafts.hand_in")
    live.run_jobs()
    return exam_id


def time_for_candidate(live, admin, person):
    exam_id = submitted_by_service(live, admin, person)
    body = {"candidate_id": str(person.id), "extra_minutes": 90, "reason": PERSONAL}
    return lambda: admin.post(f"/exams/{exam_id}/allowances/", body, status="any")


def time_for_everyone(live, admin, person):
    exam_id = submitted_by_service(live, admin, person)
    body = {"everyone": True, "extra_minutes": 90, "reason": "A power cut"}
    return lambda: admin.post(f"/exams/{exam_id}/allowances/", body, status="any")


def time_taken_back(live, admin, person):
    exam_id = make_exam(live, admin, "AB")
    body = {"candidate_id": str(person.id), "extra_minutes": 90, "reason": PERSONAL}
    given = admin.post(f"/exams/{exam_id}/allowances/", body, status=201).json
    return lambda: admin.delete(f"/exams/{exam_id}/allowances/{given['id']}/", status="any")


def percentage(live, admin, person):
    body = {"percent": 25, "reason": PERSONAL}
    return lambda: admin.put(f"/candidates/{person.id}/allowance/", body, status="any")


def percentage_changed(live, admin, person):
    percentage(live, admin, person)()
    body = {"percent": 50, "reason": f"{PERSONAL}, again"}
    return lambda: admin.put(f"/candidates/{person.id}/allowance/", body, status="any")


def answer_to_appeal(live, admin, person):
    exam_id = take_and_publish(live, admin, person)
    body = {"question": None, "text": PERSONAL}
    made = person.post(f"/exams/{exam_id}/appeals/", body, status=201).json
    given = {"answer": f"About {PERSONAL}", "status": "rejected", "regrade": None}
    return lambda: admin.post(f"/appeals/{made['id']}/answer/", given, status="any")


def answer_to_question(live, admin, person):
    exam_id = take_and_save(live, admin, person)
    asked = {"text": PERSONAL}
    made = person.post(f"/exams/{exam_id}/clarifications/", asked, status=201).json
    given = {"answer": f"About {PERSONAL}", "public": False}
    return lambda: admin.post(f"/clarifications/{made['id']}/answer/", given, status="any")


def automatic_submission(live, admin, person):
    take_and_save(live, admin, person)
    live.clock.advance(minutes=66)
    hand_in = live.runtime.catalogue[Task]["drafts.hand_in"].function

    def act():
        with begin(live.runtime) as work:
            hand_in(work)

    return act


def score_by_hand(live, admin, person):
    exam_id = submitted_by_service(live, admin, person)
    body = {"candidate_id": str(person.id), "score": 50}
    return lambda: admin.put(f"/exams/{exam_id}/submit-exam-score/", body, status="any")


def role(live, admin, person):
    path = f"/candidates/{person.id}/roles/assign/"
    return lambda: admin.put(path, {"role": "league"}, status="any")


def deactivation(live, admin, person):
    path = f"/account-management/{person.id}/activation/"
    return lambda: admin.put(path, {"is_active": False}, status="any")


def new_name(live, admin, person):
    path = f"/account-management/{person.id}/"
    return lambda: admin.patch(path, {"last_name": PERSONAL}, status="any")


def rejected_documents(live, admin, person):
    submit(person)
    body = {"is_approved": False, "is_rejected": True, "rejection_reason": PERSONAL}
    return lambda: admin.post(f"/user/verification/action/{person.id}/", body, status="any")


def broadcast(live, admin, person):
    news = {
        "subject": "News",
        "message": "Read this.",
        "mediums": ["email", "platform"],
        "target_roles": {"candidate": ["screening"]},
    }
    made = admin.post("/broadcasts/", news, status=201).json
    with begin(live.runtime) as work:
        sending.choose_recipients(work, made["id"])

    def act():
        with begin(live.runtime) as work:
            while sending.send_batch(work, made["id"]):
                pass
            sending.finish(work, made["id"])

    return act


def own_first_answer(live, admin, person):
    exam_id = make_exam(live, admin, "AB")
    take(person, exam_id, status=200)
    body = {"sequence": 1, **answers(live, exam_id, "A")}
    return lambda: person.put(f"/exams/{exam_id}/draft/", body, status="any")


def own_answer(live, admin, person):
    exam_id = take_and_save(live, admin, person)
    body = {"sequence": 2, **answers(live, exam_id, "B")}
    return lambda: person.put(f"/exams/{exam_id}/draft/", body, status="any")


def own_question(live, admin, person):
    exam_id = take_and_save(live, admin, person)
    body, headers = {"text": PERSONAL}, {"Idempotency-Key": "a-question-that-is-asked-once"}
    path = f"/exams/{exam_id}/clarifications/"
    return lambda: person.post(path, body, headers=headers, status="any")


def own_appeal(live, admin, person):
    exam_id = take_and_publish(live, admin, person)
    body = {"question": None, "text": PERSONAL}
    return lambda: person.post(f"/exams/{exam_id}/appeals/", body, status="any")


def own_name(live, admin, person):
    path = f"/account-management/{person.id}/"
    return lambda: person.patch(path, {"last_name": PERSONAL}, status="any")


def own_documents(live, admin, person):
    return lambda: submit(person, status="any")


def own_login(live, admin, person):
    return lambda: live.log_in(person.email, status="any")


ACTS = [
    own_first_answer,
    own_answer,
    own_question,
    own_appeal,
    own_name,
    own_documents,
    own_login,
    time_for_candidate,
    time_for_everyone,
    time_taken_back,
    percentage,
    percentage_changed,
    answer_to_appeal,
    answer_to_question,
    automatic_submission,
    score_by_hand,
    role,
    deactivation,
    new_name,
    rejected_documents,
    broadcast,
]


@pytest.mark.long
@pytest.mark.parametrize("pause", ["change", "commit"])
@pytest.mark.parametrize("first", ["act", "erasure"])
@pytest.mark.parametrize("act", ACTS)
def test_an_erasure_is_complete_whatever_happens_to_the_candidate_then(live, act, first, pause):
    admin = live.staff("superadmin")
    is_new = act in (own_documents, rejected_documents)
    verification = "not_submitted" if is_new else "approved"
    person = live.candidate(last_name=LAST_NAME, verification=verification)
    acts = [act(live, admin, person), lambda: erase(live, person)]
    deadlocks = race(live, *(acts if first == "act" else reversed(acts)), pause)
    live.run_jobs()
    assert deadlocks == []
    assert remains(live, person) == []
    if act is broadcast:
        # The erasure has removed the email that was waiting to be sent.
        assert live.mails(person.email) == []
    if act is deactivation:
        # Whom staff have excluded stays excluded.
        assert not live.user(person).is_ranked


@pytest.mark.parametrize("pause", ["change", "commit"])
@pytest.mark.parametrize("first", ["change", "erasure"])
def test_an_unverified_candidate_who_changes_the_account_in_time_is_not_erased(
    live_with, first, pause
):
    live = live_with({"competition.privacy.unverified_days": "30"})
    person = live.candidate(verification="not_submitted")
    live.clock.advance(days=30)
    client = live.new_session(person)
    path, body = f"/account-management/{person.id}/", {"last_name": "Byron"}
    replies = []

    def change():
        replies.append(client.patch(path, body, status="any").status_int)

    acts = [change, lambda: live.forget("privacy.unverified")]
    deadlocks = race(live, *(acts if first == "change" else reversed(acts)), pause)
    assert deadlocks == []
    if first == "change":
        assert replies == [200]
        assert live.user(person).last_name == "Byron"
    else:
        assert replies == [401]
        with begin(live.runtime) as work:
            assert work.db.get(User, person.id) is None


def test_staff_write_nothing_personal_about_an_erased_candidate(app):
    admin, person = app.staff("admin"), app.candidate(last_name=LAST_NAME)
    exam_id = take_and_save(app, admin, person)
    asked = {"text": PERSONAL}
    question = person.post(f"/exams/{exam_id}/clarifications/", asked, status=201).json
    other = take_and_publish(app, admin, person)
    body = {"question": None, "text": PERSONAL}
    appeal = person.post(f"/exams/{other}/appeals/", body, status=201).json
    erase(app, person)

    given = {"candidate_id": str(person.id), "extra_minutes": 5, "reason": PERSONAL}
    admin.post(f"/exams/{exam_id}/allowances/", given, status=400, code="invalid")
    body = {"percent": 25, "reason": PERSONAL}
    admin.put(f"/candidates/{person.id}/allowance/", body, status=400, code="invalid")
    path = f"/clarifications/{question['id']}/answer/"
    admin.post(path, {"answer": PERSONAL, "public": False}, status=400, code="invalid")
    # An answer for all candidates is not about the one who asked.
    public = {"answer": "Zero is even.", "public": True}
    assert admin.post(path, public, status=200).json["answer"] == "Zero is even."
    decision = {"answer": PERSONAL, "status": "rejected", "regrade": None}
    answered = admin.post(f"/appeals/{appeal['id']}/answer/", decision, status=200).json
    assert (answered["status"], answered["answer"]) == ("rejected", None)
    assert remains(app, person) == []


def test_no_line_of_an_import_and_no_role_is_for_an_erased_account(app):
    superadmin = app.staff("superadmin")
    person, member = app.candidate(), app.staff("volunteer")
    exam_id = take_and_publish(app, superadmin, person)
    erase(app, person)
    erase(app, member)
    with begin(app.runtime) as work:
        emails = [work.db.get_one(User, each.id).email for each in (person, member)]
    superadmin = app.new_session(superadmin)
    # An export has these addresses, and may be sent back as it is.
    pupil = f"Erased,Erased,Erased,{emails[0]},+491234567"
    tables = {
        "scores": f"email,score\n{emails[0]},90\n",
        "allowances": f'email,percent,reason\n{emails[0]},25,"{PERSONAL}"\n',
        "candidates": f"first_name,last_name,school,email,phone\n{pupil}\n",
        "staff": f"first_name,last_name,email\nErased,Byron,{emails[1]}\n",
    }
    found = {}
    for kind, table in tables.items():
        fields = {"exam": exam_id} if kind == "scores" else {}
        made = imports.check(app, superadmin, kind, table, **fields)
        [row] = imports.rows(superadmin, made)
        found[kind] = (row["state"], list(row["errors"]))
    for each, kind, role in ((person, "candidates", "league"), (member, "staff", "moderator")):
        path = f"/{kind}/{each.id}/roles/assign/"
        found[f"{kind} role"] = superadmin.put(path, {"role": role}, status="any").json.get("code")
    assert found == {
        **dict.fromkeys(tables, ("invalid", ["email"])),
        "candidates role": "unverified_candidate",
        "staff role": "invalid",
    }


def test_an_erased_account_gets_no_notification(app_with):
    app = app_with({"competition.notifications.on": "boards"})
    admin, person = app.staff("admin"), app.candidate()
    exam_id = take_and_save(app, admin, person)
    admin.post(f"/exams/{exam_id}/conclude/")
    app.clock.advance(minutes=6)
    app.run_task("drafts.hand_in")
    app.run_jobs()
    erase(app, person)
    # This notifies all who are ranked.
    publish(app, admin)
    board = admin.get(f"/leaderboard/?exam_id={exam_id}").json
    assert len(board["top_three"]) == 1
    assert remains(app, person) == []
