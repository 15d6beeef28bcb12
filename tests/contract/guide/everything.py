"""Check that all parts of the guide's plugin do what the guide says. These tests run in the
plugin's package, beside the tests from the guide.
"""

import pytest
from competition_notes import services
from competition_notes.events import NotePinned

from competition.core.jobs import jobs
from competition.core.settings import SettingsError
from competition.core.storage import files
from competition.core.users import accounts, personal_data
from competition.core.users.models import User
from competition.core.work import begin

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


def test_the_email_about_a_pinned_note_has_its_text(app, ada, pinned):
    mail = app.mails(ada.email)[-1]
    assert mail["Subject"] == "Your note is pinned"
    assert "First & foremost" in mail.get_body(("plain",)).get_content()


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


def test_deleting_an_account_deletes_its_notes(app, ada, pinned):
    with begin(app.runtime) as work:
        accounts.delete_all(work, User.id == ada.id)
    with begin(app.runtime) as work:
        assert not files.files_of(work, files.of_user(ada.id))
