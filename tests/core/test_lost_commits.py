"""PostgreSQL commits, and the connection ends before its reply arrives: a pooler restarts, or a
standby takes over. Nobody knows then whether the commit happened. So the service does not run the
request again, and deletes no file that a row may refer to.
"""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from competition.core.database_errors import is_outage, is_retryable, retrying
from competition.core.storage import files
from competition.core.work import begin
from competition.testing.exam_day import make_exam, take
from competition.testing.identity_papers import PDF, PNG, documents

MAIL = {"subject": "News", "message": "Bring a pen.", "mediums": ["platform"]}
QUESTION = {
    "text": "What is two and two?",
    **{f"option_{letter}": letter for letter in "abcd"},
    "correct_answer": "A",
}
INVITATION = {
    "email": "tunde@school.example",
    "first_name": "Tunde",
    "last_name": "Bello",
    "phone": "+2348012345678",
}
ALLOWANCE = {"everyone": True, "extra_minutes": 10, "reason": "A power cut"}
EXAM = {"title": "Screening", "stage": "screening"}
API_KEY = {"name": "Backups", "scopes": ["webhook"]}
PLAN = {"from_stage": "screening", "to_stage": "league", "exams": [], "rule": {"top": 3}}
# The caller, the path and the body, by the table with one more row afterwards, which a word may
# follow.
KINDS = {
    "advancement_plan": ("admin", "/advancement/", PLAN),
    "allowance": ("admin", "/exams/{exam}/allowances/", ALLOWANCE),
    "announcement": ("moderator", "/exams/{exam}/announcements/", {"text": "A fan is loud."}),
    "api_key": ("superadmin", "/api-keys/", API_KEY),
    "broadcast": ("manager", "/broadcasts/", {**MAIL, "target_roles": {"staff": ["manager"]}}),
    "clarification": ("candidate", "/exams/{exam}/clarifications/", {"text": "Is 0 a number?"}),
    "exam": ("admin", "/exams/", EXAM),
    "exam copy": ("admin", "/exams/{exam}/copy/", {"title": "Again"}),
    "question": ("moderator", "/questions/", QUESTION),
    "user": ("manager", "/staff/invite/", INVITATION),
}
UPLOADS = {
    "documents": ("POST", "/user/verification/upload/", documents()),
    "image": ("POST", "/questions/images/", {"file": ("a.png", PNG), "alt": "A square"}),
    "picture": ("PATCH", "/account-management/{own}/", {"profile_picture": ("me.png", PNG)}),
}


@pytest.fixture
def lose_reply(live, monkeypatch):
    """Function: lose the reply to the next commit."""
    dialect = live.runtime.database.changing.dialect
    commit = dialect.do_commit

    def commit_and_lose(pooled):
        monkeypatch.setattr(dialect, "do_commit", commit)
        connection = pooled.driver_connection
        connection.commit()
        connection.close()
        # psycopg raises OperationalError, as it does for any lost connection.
        connection.commit()

    return lambda: monkeypatch.setattr(dialect, "do_commit", commit_and_lose)


def count(live, table):
    with begin(live.runtime) as work:
        return work.db.scalar(text(f'select count(*) from "{table}"'))


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_takes_effect_once_and_can_be_repeated_with_its_key(live, lose_reply, kind):
    role, path, body = KINDS[kind]
    table = kind.split()[0]
    exam = make_exam(live, live.staff("admin"))
    if body is PLAN:
        body = {**PLAN, "exams": [exam]}
    person = live.candidate() if role == "candidate" else live.staff(role)
    if role == "candidate":
        take(person, exam)
    path, before = path.format(exam=exam), count(live, table)
    key = {"headers": {"Idempotency-Key": "once"}}
    lose_reply()
    person.post(path, body, status=503, code="service_unavailable", **key)
    assert count(live, table) == before + 1
    first = person.post(path, body, status=201, **key).json
    assert person.post(path, body, status=201, **key).json == first
    assert count(live, table) == before + 1
    changed = next(
        name
        for name in ("first_name", "name", "reason", "subject", "text", "title", "to_stage")
        if name in body
    )
    other = {**body, changed: "final" if changed == "to_stage" else "Another"}
    person.post(path, other, status=400, code="idempotency_key_reused", **key)


@pytest.mark.parametrize("kind", UPLOADS)
def test_files_whose_rows_were_committed_stay(live, lose_reply, kind):
    method, path, sent = UPLOADS[kind]
    status = "not_submitted" if kind == "documents" else "approved"
    person = live.staff("moderator", verification=status)
    before = count(live, "file")
    lose_reply()
    person.upload(method, path.format(own=person.id), sent, status=503)
    with begin(live.runtime) as work:
        keys = work.db.scalars(text("select key from file")).all()
        assert len(keys) == before + len(
            [each for each in sent.values() if each != sent.get("alt")]
        )
        assert all(files.exists(work, key) for key in keys)


def test_a_file_stays_if_the_reply_to_the_commit_of_a_job_is_lost(live, lose_reply):
    runs = []

    def store():
        with begin(live.runtime) as work:
            runs.append(files.store(work, PDF, "pdf", plugin="privacy", subject="exam 7"))
            lose_reply()

    with pytest.raises(OperationalError) as caught:
        retrying(store)
    assert is_outage(caught.value)
    with begin(live.runtime) as work:
        assert [files.exists(work, key) for key in runs] == [True]


def test_a_connection_that_was_lost_before_the_commit_is_retried(live):
    with pytest.raises(OperationalError) as caught, begin(live.runtime) as work:
        work.db.execute(text("select 1"))
        work.db.connection().connection.driver_connection.close()
        work.db.execute(text("select 1"))
    assert is_retryable(caught.value)
