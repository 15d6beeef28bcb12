"""Export a user's data as a ZIP file, which is downloaded by an emailed link."""

import io
import json
import re
from zipfile import ZipFile

import pytest

from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.storage.contract import Storage
from competition.core.storage.models import File
from competition.core.users import accounts, personal_data, sessions
from competition.core.work import begin
from competition.plugins.privacy.models import Export
from competition.plugins.privacy.services import exports
from competition.testing.exam_day import make_exam, sit
from competition.testing.identity_papers import submit
from competition.testing.races import together
from competition.testing.service import text_of


def fetched(app, mail):
    """The response for the link in an email. The request needs no headers."""
    url = re.findall(r"https?://\S+", text_of(mail))[0]
    return app.http.get(url[url.index("/v1/") :], expect_errors=True)


def zips(app):
    with begin(app.runtime) as work:
        return work.db.query(File).filter_by(plugin="privacy").count()


def test_an_export_is_a_zip_file_until_its_link_expires(app):
    person = app.candidate(verification="not_submitted")
    submit(person)
    person.post("/users/me/export/", status=202)
    person.post("/users/me/export/", status=202)
    [mail] = app.mails(person.email)
    reply = fetched(app, mail)
    assert (reply.status_int, reply.content_type) == (200, "application/zip")
    with ZipFile(io.BytesIO(reply.body)) as zipped:
        data = json.loads(zipped.read("data.json"))
        papers = [name for name in zipped.namelist() if name.startswith("files/verification/")]
        assert all(zipped.read(name) for name in papers)
    assert len(papers) == 3
    assert data["account"]["user"]["email"] == person.email
    assert {"privacy", "records", "verification", "sessions"} <= data.keys()
    # A job may run twice.
    with begin(app.runtime) as work:
        exports.make(work, work.db.query(Export).one().id)
    assert (zips(app), len(app.mails(person.email))) == (1, 1)
    app.clock.advance(hours=2)
    assert fetched(app, mail).status_int == 404
    app.forget("privacy.exports")
    assert zips(app) == 0
    # The link in this email has expired. So a resend sends nothing.
    with begin(app.runtime) as work:
        [row] = work.db.query(Mail).filter_by(template="privacy.export_ready")
        mails.resend(work, row.id)
    assert len(app.mails(person.email)) == 1


@pytest.mark.parametrize("backend", ["local", "with links of its own"])
@pytest.mark.parametrize("end", ["end of all sessions", "deactivation", "erasure"])
def test_the_link_is_invalid_after_the_session_has_ended(app, monkeypatch, end, backend):
    if backend != "local":
        storage = app.runtime[Storage]
        monkeypatch.setattr(storage, "link", lambda *_: "https://bucket.example/x", raising=False)
    person = app.candidate()
    person.post("/users/me/export/", status=202)
    [mail] = app.mails(person.email)
    app.clock.advance(minutes=59)
    assert fetched(app, mail).status_int == 200
    with begin(app.runtime) as work:
        match end:
            case "deactivation":
                accounts.set_active(work, person.id, False)
            case "erasure":
                personal_data.erase(work, person.id)
            case _:
                sessions.end_all(work, person.id)
    assert fetched(app, mail).status_int == 404


def test_an_export_contains_the_candidates_exams(app):
    admin, person = app.staff("admin"), app.candidate()
    exam_id = make_exam(app, admin, "AB")
    sit(app, person, exam_id, "AC")
    app.run_jobs()
    with begin(app.runtime) as work:
        found = personal_data.export(work, person.id)
    [sat] = found["records"]
    assert (sat["exam"], sat["answers"], sat["handed_in_by"]) == (exam_id, "AC", "candidate")
    assert sat["score"] == 50
    # An export does not reveal hidden scores.
    admin.patch(f"/exams/{exam_id}/", {"scores_visible": "at_publication"})
    with begin(app.runtime) as work:
        assert personal_data.export(work, person.id)["records"][0]["score"] is None


def test_three_exports_a_day_are_allowed_and_an_erased_user_gets_none(app_with):
    app = app_with(
        {"competition.ratelimit.enabled": "true", "competition.privacy.export_hours": "1"}
    )
    person = app.candidate()
    for status in (202, 202, 202, 429):
        person.post("/users/me/export/", status=status)
        app.clock.advance(minutes=1)
    with begin(app.runtime) as work:
        [waiting] = work.db.query(Export)
        assert exports.link(work, waiting.id) is None
        personal_data.erase(work, person.id)
    # The user is erased, so the job does nothing.
    app.run_jobs()
    assert zips(app) == 0


def test_simultaneous_requests_create_one_export(live):
    person = live.candidate()
    clients = [live.new_session(person) for _ in range(4)]
    together(4, lambda at: clients[at].post("/users/me/export/", status=202))
    live.run_jobs()
    with begin(live.runtime) as work:
        assert work.db.query(Export).filter_by(user_id=person.id).count() == 1


def test_an_export_contains_the_audit_trail_without_hidden_scores(app):
    admin, person = app.staff("admin"), app.candidate()
    exam_id = make_exam(app, admin, "AB", scores_visible="at_publication")
    person.patch("/account-management/", {"phone": "+49 9131 1882"})
    score = {"candidate_id": str(person.id), "score": 87.5}
    admin.put(f"/exams/{exam_id}/submit-exam-score/", score)
    with begin(app.runtime) as work:
        changed, scored = personal_data.export(work, person.id)["audit"]
    assert (changed["old"], changed["new"]) == ({"phone": "+4912345678"}, {"phone": "+4991311882"})
    assert "address" in changed and "address" not in scored
    assert "87.5" not in str(scored)


def test_an_account_without_email_can_not_request_an_export(app):
    person = app.candidate(email="bcd234@slip.invalid")
    reply = person.post("/users/me/export/", status=400, code="invalid")
    assert "Ask the organisers" in reply.json["detail"]
