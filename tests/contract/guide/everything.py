"""Everything in the guide's plugin does what the guide says. These tests run in its package, beside
the tests of the guide."""

import re

import pytest
from competition_notes import services
from competition_notes.events import NotePinned

from competition.core import flags
from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.mail import mails
from competition.core.settings import SettingsError
from competition.core.storage import files
from competition.core.users import accounts, personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.accounts.events import AccountRegistered
from competition.testing.sockets import nothing_came, receive, send

NOTES = "/notes/notes/"


@pytest.fixture
def ada(app):
    return app.candidate()


@pytest.fixture
def note(ada):
    return ada.post(NOTES, {"text": "First & foremost"}).json["id"]


@pytest.fixture
def pinned(app, admin, note):
    admin.post(f"{NOTES}{note}/pin/")
    app.run_jobs()
    return note


def code_in(app, ada):
    mail = app.mails(ada.email)[-1]
    assert mail["Subject"] == "Your note is pinned"
    return re.search(r"^ {4}(\S+)\s*$", mail.get_body(("plain",)).get_content(), re.M)[1]


class TestSettings:
    def test_an_invalid_setting_stops_the_start(self, app_with):
        with pytest.raises(SettingsError, match=r"competition\.notes\.keep_days"):
            app_with({"competition.notes.keep_days": "0"})

    def test_an_undeclared_setting_stops_the_start(self, app_with):
        with pytest.raises(SettingsError, match=r"competition\.notes\.keep_day"):
            app_with({"competition.notes.keep_day": "1"})

    def test_settings_come_from_the_environment(self, app_with, monkeypatch):
        monkeypatch.setenv("COMPETITION_NOTES_KEEP_DAYS", "none")
        with pytest.raises(SettingsError, match=r"competition\.notes\.keep_days"):
            app_with({})


class TestEndpoint:
    def test_an_unknown_note_is_not_found(self, admin):
        admin.post(f"{NOTES}7/pin/", status=404, code="not_found")

    def test_the_permission_replaces_the_role(self, app, note):
        volunteer = app.staff("volunteer")
        volunteer.post(f"{NOTES}{note}/pin/", status=403, code="permission_denied")
        with begin(app.runtime) as work:
            accounts.set_permission(work, volunteer.id, "notes.pin", True)
        volunteer.post(f"{NOTES}{note}/pin/", status=200)

    def test_pinning_has_a_rate_limit_of_its_own(self, app_with):
        app = app_with(
            {"competition.ratelimit.enabled": "true", "competition.notes.rate": "1/minute"}
        )
        admin = app.staff("admin")
        admin.post(f"{NOTES}7/pin/", status=404)
        admin.post(f"{NOTES}7/pin/", status=429, code="throttle_exceeded")

    def test_a_rejected_pin_is_rolled_back(self, app, ada, admin):
        notes = [ada.post(NOTES, {"text": "First"}).json["id"] for _ in range(4)]
        for each in notes[:3]:
            admin.post(f"{NOTES}{each}/pin/")
        admin.post(f"{NOTES}{notes[3]}/pin/", status=409, code="too_many_pinned")

    def test_pinning_by_staff_is_audited(self, app, manager, pinned):
        [entry] = manager.get("/audit/?action=notes.pin").json["results"]
        assert entry["subject"] == f"note {pinned}"

    def test_the_list_is_paged(self, ada):
        for text in ("First", "Second", "Third"):
            ada.post(NOTES, {"text": text})
        reply = ada.get(f"{NOTES}?limit=2&ordering=created_at").json
        assert len(reply["results"]) == 2 and reply["pagination"]["count"] == 3
        assert reply["pagination"]["next"].endswith("page=2")


class TestEvents:
    def test_winners_are_notified(self, app, manager):
        ada = app.candidate("final")
        manager.put(f"/candidates/{ada.id}/roles/assign/", {"role": "winner"})
        app.run_jobs()
        assert ada.get("/notifications/").json["results"][0]["subject"] == "You have won"

    def test_subscribers_handle_the_plugins_event(self, app, note, admin):
        heard = []
        app.subscribe(NotePinned, heard.append)
        admin.post(f"{NOTES}{note}/pin/")
        assert [each.note_id for each in heard] == [note]


def test_the_plugin_fills_the_slot(app, admin, ada, note):
    assert admin.get(f"/candidates/{ada.id}/").json["notes"] == 1


class TestBackgroundWork:
    def test_a_drawing_is_created_once(self, app, ada, pinned):
        with begin(app.runtime) as work:
            first = services.find(work, pinned).drawing
            jobs.enqueue(work, "notes.draw", note_id=pinned)
        app.run_jobs()
        with begin(app.runtime) as work:
            assert services.find(work, pinned).drawing == first
            link = files.link(work, first)
        svg = ada.get(link.partition("/v1")[2])
        assert svg.content_type == "image/svg+xml" and svg.text.startswith("<svg")

    def test_a_permanently_failed_job_is_recorded(self, app_with):
        app = app_with({"competition.jobs.attempts": "1"})
        with begin(app.runtime) as work:
            jobs.enqueue(work, "notes.draw", note_id=7)
        with pytest.raises(AssertionError, match=r"notes\.draw"):
            app.run_jobs()
        with begin(app.runtime) as work:
            assert [each.state for each in work.db.query(Job).filter_by(name="notes.draw")] == [
                "failed"
            ]
        found = app.staff("manager").get("/audit/?action=notes.undrawn").json["results"]
        assert [each["subject"] for each in found] == ["note 7"]

    def test_waiting_jobs_run_as_a_batch(self, app, ada):
        bob = app.candidate()
        with begin(app.runtime) as work:
            for person in (ada, bob, ada):
                jobs.enqueue(work, "notes.tell", user_id=str(person.id))
        assert app.run_jobs() == 1
        assert bob.get("/notifications/").json["stats"]["total_count"] == 1

    def test_the_periodic_task_runs(self, app, note):
        app.run_task("notes.count")
        with begin(app.runtime) as work:
            assert services.COUNTS.read(work).written == 1


def test_the_added_registration_field_is_optional(app):
    heard = []
    app.subscribe(AccountRegistered, heard.append)
    person = {"first_name": "Ada", "last_name": "Byron", "phone": "+4912345678", "school": "Hill"}
    for notes in ({"text": "Be kind."}, None):
        more = {"notes": notes} if notes else {}
        email = f"ada{len(heard)}@school.example"
        body = {**person, **more, "email": email, "generate_password": True}
        app.anonymous.post("/register/candidate/", body)
        assert heard[-1].contributed["notes"] == notes


class TestMails:
    def test_an_email_sent_again_has_another_code(self, app, ada, pinned):
        first = code_in(app, ada)
        with begin(app.runtime) as work:
            [mail] = [each for each in mails.newest(work, 9) if each.template == "notes.pinned"]
            mails.resend(work, mail.id)
        assert code_in(app, ada) != first


class TestOperators:
    def test_the_metrics_have_a_gauge_and_a_counter(self, app_with):
        app = app_with({"competition.metrics.token": "scraper"})
        ada, admin = app.candidate(), app.staff("admin")
        note = ada.post(NOTES, {"text": "First"}).json["id"]
        admin.post(f"{NOTES}{note}/pin/")
        shown = app.http.get("/v1/metrics/", headers={"Authorization": "Bearer scraper"}).text
        assert "competition_notes_written 1.0" in shown
        assert "competition_notes_pinned_total 1.0" in shown

    def test_the_readiness_check_is_shown(self, app):
        checks = {each["name"]: each for each in app.anonymous.get("/ready/").json["checks"]}
        assert checks["notes"]["status"] == "degraded"
        assert checks["notes"]["message"] == "Nobody has written a note."

    def test_the_command_and_the_flag_work(self, live, run):
        live.candidate().post(NOTES, {"text": "First"})
        assert run("notes").output.split() == ["written", "pinned", "1", "0"]
        run("flags", "set", "notes.public", "on")
        with begin(live.runtime) as work:
            assert flags.enabled(work, "notes.public")


class TestPersonalData:
    def test_notes_are_exported_and_erased_with_their_files(self, app, ada, pinned):
        with begin(app.runtime) as work:
            assert personal_data.export(work, ada.id)["notes"][0]["text"] == "First & foremost"
            assert files.files_of(work, files.of_user(ada.id))
        with begin(app.runtime) as work:
            personal_data.erase(work, ada.id)
        with begin(app.runtime) as work:
            assert personal_data.export(work, ada.id)["notes"] == []
            assert not files.files_of(work, files.of_user(ada.id))

    def test_housekeeping_deletes_old_notes(self, app, ada, pinned):
        app.clock.advance(days=366)
        app.forget("notes.notes")
        with begin(app.runtime) as work:
            assert not files.files_of(work, files.of_user(ada.id))
            assert personal_data.export(work, ada.id)["notes"] == []


class TestPages:
    def test_the_flag_opens_the_page(self, app, ada, pinned):
        path = f"/notes/pinned/{code_in(app, ada)}/"
        app.http.get(path, status=404)
        with begin(app.runtime) as work:
            flags.switch(work, "notes.public", True)
        assert "First &amp; foremost" in app.http.get(path).text
        app.http.get("/notes/pinned/nonsense/", status=404)

    def test_static_files_are_served(self, app):
        assert "font-size" in app.http.get("/notes/static/page.css").text


class TestSockets:
    def test_a_note_is_pushed_only_to_its_author(self, sockets):
        ada, ben = sockets.service.candidate(), sockets.service.candidate()
        adas, bens = sockets.open(ada), sockets.open(ben)
        note = ada.post(NOTES, {"text": "First"}).json["id"]
        assert receive(adas) == {"type": "note", "message": {"id": note}}
        nothing_came(bens)

    def test_only_the_author_can_unpin_a_note(self, sockets):
        ada, ben = sockets.service.candidate(), sockets.service.candidate()
        note = ada.post(NOTES, {"text": "First"}).json["id"]
        sockets.service.staff("admin").post(f"{NOTES}{note}/pin/")
        for person, is_pinned in ((ben, True), (ada, False)):
            client = sockets.open(person)
            send(client, "unpin_note", note)
            nothing_came(client)
            with begin(sockets.service.runtime) as work:
                assert (services.find(work, note).pinned_at is not None) == is_pinned

    def test_an_action_with_invalid_data_is_answered_with_an_error(self, sockets):
        client = sockets.open(sockets.service.candidate())
        send(client, "unpin_note", "nonsense")
        assert receive(client)["message"].startswith("Unknown action: unpin_note. ")


def test_deleting_an_account_deletes_its_notes(app, ada, pinned):
    with begin(app.runtime) as work:
        accounts.delete_all(work, User.id == ada.id)
    with begin(app.runtime) as work:
        assert not files.files_of(work, files.of_user(ada.id))
