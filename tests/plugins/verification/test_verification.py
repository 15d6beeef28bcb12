"""Identity documents: uploading them, viewing them, and deciding on them."""

from datetime import timedelta
from io import BytesIO
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import text, update

from competition.core.audit import AuditEntry
from competition.core.storage.contract import Storage
from competition.core.storage.pictures import ReceivedFile
from competition.core.users import callers, personal_data, sessions
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.verification.models import VerificationRequest
from competition.plugins.verification.services import deciding, listing, submitting
from competition.testing.identity_papers import PDF, PNG, UPLOAD, documents, image, submit
from competition.testing.races import overtaken, together
from competition.testing.service import START, each_page

FAIL_AT_COMMIT = """
create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'no commit today'; end $$;
create constraint trigger fail after insert on verification_request
    deferrable initially deferred for each row execute function fail()
"""
STATUS = "/user/verification/status/"


WRONG_TYPE = {"face_id": ("face.gif", PNG)}


def action(manager, person, decision, **expected):
    return manager.post(f"/user/verification/action/{person.id}/", decision, **expected)


@pytest.fixture
def candidate(app):
    return app.candidate(verification="not_submitted")


def stored_files(app):
    return sorted(path for path in app.file_folder.rglob("*") if path.is_file())


class TestStatus:
    def test_the_status_before_a_submission_is_not_submitted(self, candidate):
        assert candidate.get(STATUS).json == {
            "status": "not_submitted",
            "is_approved": False,
            "is_rejected": False,
            "is_pending": False,
            "rejection_reason": None,
        }

    def test_the_status_without_a_verified_email_is_email_not_verified(self, app):
        person = app.candidate(verification="not_submitted", is_email_verified=False)
        assert person.get(STATUS).json["status"] == "email_not_verified"

    def test_a_pending_status_shows_the_submitted_documents(self, app, candidate):
        submit(candidate, status=201)
        record = candidate.get(STATUS).json
        assert (record["status"], record["is_pending"]) == ("pending", True)
        assert record["verification_data"] == {
            "submitted_at": "2026-03-01T09:00:00Z",
            "updated_at": "2026-03-01T09:00:00Z",
            "documents": {"face_id": True, "id_card": True, "verification_document": True},
        }

    def test_only_managers_see_the_status_of_another_user(self, app, manager, candidate):
        path = f"{STATUS}{candidate.id}/"
        assert manager.get(path).json["status"] == "not_submitted"
        candidate.get(path, status=200)
        app.staff("admin").get(path, status=403, code="permission_denied")
        app.candidate().get(path, status=403, code="permission_denied")
        unverified = app.staff("superadmin", verification="pending")
        unverified.get(path, status=403, code="unverified_staff")
        nobody = f"{STATUS}00000000-0000-4000-8000-000000000000/"
        manager.get(nobody, status=404, code="not_found")


class TestSubmitting:
    def test_a_submission_makes_the_status_pending(self, app, candidate):
        reply = submit(candidate, status=201).json
        assert reply["status"] == "pending"
        assert reply["message"]
        profile = candidate.get("/candidates/me/").json
        assert profile["status"] == "pending"
        assert profile["face_id"].startswith("https://league.example/v1/files/verification/")

    def test_documents_need_a_verified_email(self, app):
        person = app.candidate(verification="not_submitted", is_email_verified=False)
        submit(person, status=403, code="email_not_verified")
        person.upload("PATCH", UPLOAD, documents(), status=403, code="email_not_verified")

    @pytest.mark.parametrize(
        ("state", "code"), [("pending", "pending_verification"), ("approved", "already_verified")]
    )
    def test_the_status_is_checked_before_the_files(self, app, state, code):
        person = app.candidate(verification=state)
        submit(person, WRONG_TYPE, status=400, code=code)

    @pytest.mark.parametrize(
        ("state", "status", "code"),
        [("not_submitted", 404, "not_found"), ("approved", 400, "already_verified")],
    )
    def test_the_status_is_checked_before_replacement_files(self, app, state, status, code):
        person = app.candidate(verification=state)
        person.upload("PATCH", UPLOAD, WRONG_TYPE, status=status, code=code)

    def test_all_three_documents_are_required(self, app, candidate):
        reply = submit(candidate, documents(id_card=None), status=400, code="invalid")
        assert list(reply.json["errors"]) == ["id_card"]
        assert stored_files(app) == []
        assert candidate.get(STATUS).json["status"] == "not_submitted"

    def test_a_wrong_file_type_is_reported_before_a_missing_file(self, app, candidate):
        files = {"face_id": ("face.gif", PNG)}
        submit(candidate, files, status=400, code="invalid_file_type")

    def test_json_is_an_unsupported_media_type(self, candidate):
        candidate.post(UPLOAD, {}, status=415, code="unsupported_media_type")

    def test_a_failed_request_stores_no_files(self, app, candidate, monkeypatch):
        put = app.runtime[Storage].put
        calls = []

        def fail_on_the_third(*args):
            calls.append(args)
            if len(calls) == 3:
                from competition.core.errors import StorageUnavailable

                raise StorageUnavailable
            return put(*args)

        monkeypatch.setattr(app.runtime[Storage], "put", fail_on_the_third)
        submit(candidate, status=502, code="storage_unavailable")
        assert stored_files(app) == []
        assert candidate.get(STATUS).json["status"] == "not_submitted"

    def test_a_failed_commit_stores_no_files(self, live):
        with begin(live.runtime) as work:
            work.db.execute(text(FAIL_AT_COMMIT))
        person = live.candidate(verification="not_submitted")
        submit(person, status=500, code="server_error")
        assert stored_files(live) == []
        assert live.user(person).verification == "not_submitted"

    @pytest.mark.parametrize("value", ["", "a text", ("", b"")])
    def test_a_text_field_does_not_count_as_a_file(self, app, candidate, value):
        reply = submit(candidate, documents(face_id=value), status=400, code="invalid")
        assert list(reply.json["errors"]) == ["face_id"]
        submit(candidate)
        only_text = {"face_id": value}
        candidate.upload("PATCH", UPLOAD, only_text, status=400, code="invalid")
        before = app.user(candidate).face_id
        candidate.upload("PATCH", UPLOAD, {**only_text, "id_card": ("c", PDF)}, status=200)
        assert app.user(candidate).face_id == before

    def test_simultaneous_submissions_create_one_request(self, live):
        person = live.candidate(verification="not_submitted")
        replies = together(2, lambda _: submit(person, status="any"))
        codes = sorted(reply.status_int for reply in replies)
        assert codes == [201, 400]
        assert len(stored_files(live)) == 3

    def test_submitting_while_another_submission_commits_is_rejected(self, live):
        person = live.candidate(verification="not_submitted")
        manager = live.staff("manager")

        def become_pending(work):
            work.db.execute(update(User).where(User.id == person.id).values(verification="pending"))

        reply = overtaken(live, manager, become_pending, lambda: submit(person, status=400))
        assert reply.json["code"] == "pending_verification"
        assert stored_files(live) == []


class TestResubmitting:
    def test_a_pending_file_is_replaced_and_the_old_one_deleted(self, app, candidate):
        submit(candidate)
        before = stored_files(app)
        app.clock.advance(minutes=1)
        files = {"id_card": ("card.png", PNG)}
        record = candidate.upload("PATCH", UPLOAD, files, status=200).json
        assert record["verification_data"]["updated_at"] == "2026-03-01T09:01:00Z"
        assert record["verification_data"]["submitted_at"] == "2026-03-01T09:00:00Z"
        after = stored_files(app)
        assert len(after) == 3
        assert len(set(before) & set(after)) == 2

    def test_uploading_after_a_rejection_makes_the_status_pending(self, app, manager, candidate):
        submit(candidate)
        action(manager, candidate, {"is_rejected": True, "rejection_reason": "Blurred."})
        record = candidate.get(STATUS).json
        assert (record["status"], record["rejection_reason"]) == ("rejected", "Blurred.")
        assert "verification_data" not in record
        app.clock.advance(minutes=1)
        again = candidate.upload("PATCH", UPLOAD, {"face_id": ("f.png", PNG)}, status=200).json
        assert again["verification_data"]["submitted_at"] == "2026-03-01T09:01:00Z"
        [row] = manager.get("/user/verification/list/").json["results"]
        assert (row["reviewed_by"], row["reviewed_at"]) == (None, None)
        assert row["rejection_reason"] is None
        assert (again["status"], again["rejection_reason"]) == ("pending", None)
        action(manager, candidate, {"is_rejected": True})
        one = {"id_card": ("card.pdf", PDF)}
        submit(candidate, one, status=201)

    def test_managers_see_the_rejection_before_documents_that_were_sent_again(
        self, app, manager, candidate
    ):
        submit(candidate)
        status = f"/user/verification/status/{candidate.id}/"
        assert "earlier_decision" not in manager.get(status, status=200).json
        action(manager, candidate, {"is_rejected": True, "rejection_reason": "Blurred."})
        assert "earlier_decision" not in manager.get(status, status=200).json
        app.clock.advance(minutes=1)
        candidate.upload("PATCH", UPLOAD, {"face_id": ("f.png", PNG)}, status=200)
        record = manager.get(status, status=200).json
        assert record["rejection_reason"] is None
        earlier = record["earlier_decision"]
        assert (earlier["rejection_reason"], earlier["reviewed_at"]) == (
            "Blurred.",
            "2026-03-01T09:00:00Z",
        )
        assert earlier["reviewed_by"]["user"]["id"] == str(manager.id)
        assert "earlier_decision" not in candidate.get(STATUS).json
        action(manager, candidate, {"is_approved": True})
        assert "earlier_decision" not in manager.get(status, status=200).json

    def test_replacing_needs_a_pending_request_and_a_file(self, app, candidate):
        candidate.upload("PATCH", UPLOAD, documents(), status=404, code="not_found")
        submit(candidate)
        candidate.upload("PATCH", UPLOAD, {"other": "text"}, status=400, code="invalid")
        approved = app.candidate()
        approved.upload("PATCH", UPLOAD, {}, status=400, code="already_verified")


class TestDeciding:
    def test_an_approved_user_is_verified(self, app, manager, candidate):
        submit(candidate)
        assert set(action(manager, candidate, {"is_approved": True}).json) == {"message"}
        profile = candidate.get("/candidates/me/").json
        assert (profile["is_user_verified"], profile["status"]) == (True, "active")
        assert candidate.get(STATUS).json["status"] == "verified"
        with begin(app.runtime) as work:
            [entry] = work.db.query(AuditEntry).filter_by(action="verification.decide")
        assert (entry.actor_id, entry.target_id) == (manager.id, candidate.id)
        assert (entry.old, entry.new) == ("pending", "approved")

    @pytest.mark.parametrize(
        "decision",
        [
            {},
            {"is_approved": True, "is_rejected": True},
            {"is_approved": False},
            {"is_approved": "perhaps"},
            {"is_rejected": True, "rejection_reason": "x" * 1001},
        ],
    )
    def test_a_decision_is_either_an_approval_or_a_rejection(self, manager, candidate, decision):
        submit(candidate)
        action(manager, candidate, decision, status=400, code="invalid")
        assert candidate.get(STATUS).json["status"] == "pending"

    @pytest.mark.parametrize(
        ("sent", "kept"), [(None, None), ("  ", None), ("  One:\nblurred.\t ", "One:\nblurred.")]
    )
    def test_a_rejection_reason_is_optional_and_may_have_several_lines(
        self, manager, candidate, sent, kept
    ):
        submit(candidate)
        action(manager, candidate, {"is_rejected": True, "rejection_reason": sent})
        assert candidate.get(STATUS).json["rejection_reason"] == kept

    def test_a_reason_for_an_approval_is_not_stored(self, manager, candidate):
        submit(candidate)
        action(manager, candidate, {"is_approved": True, "rejection_reason": "?"})
        assert candidate.get(STATUS).json["rejection_reason"] is None

    def test_only_a_pending_request_of_another_existing_user_can_be_decided(
        self, app, manager, candidate
    ):
        decision = {"is_approved": True}
        action(manager, candidate, decision, status=400, code="invalid")
        action(manager, app.candidate(), decision, status=400, code="already_verified")
        action(manager, manager, decision, status=403, code="permission_denied")
        path = "/user/verification/action/00000000-0000-4000-8000-000000000000/"
        manager.post(path, decision, status=404, code="not_found")

    def test_the_status_is_checked_before_the_decision(self, app, manager):
        action(manager, app.candidate(), {}, status=400, code="already_verified")
        action(manager, manager, {}, status=403, code="permission_denied")

    def test_deciding_while_another_decision_commits_returns_already_verified(self, live):
        person = live.candidate(verification="not_submitted")
        submit(person)
        one, other = live.staff("manager"), live.staff("manager")
        reply = overtaken(
            live,
            one,
            lambda work: deciding.decide(work, person.id, True, False, None),
            lambda: action(other, person, {"is_rejected": True}, status="any"),
        )
        assert (reply.status_int, reply.json["code"]) == (400, "already_verified")
        assert live.user(person).verification == "approved"

    def test_the_first_of_two_simultaneous_decisions_wins(self, live):
        person = live.candidate(verification="not_submitted")
        submit(person)
        managers = [live.staff("manager"), live.staff("manager")]
        decisions = [{"is_approved": True}, {"is_rejected": True}]

        def act(index):
            return action(managers[index], person, decisions[index], status="any")

        replies = together(2, act)
        assert sorted(reply.status_int for reply in replies) == [200, 400]
        won = live.user(person).verification
        lost = next(reply for reply in replies if reply.status_int == 400).json["code"]
        assert (won, lost) in [("approved", "already_verified"), ("rejected", "invalid")]


class TestTheList:
    def test_the_oldest_pending_request_comes_first(self, app, manager):
        people = []
        for _ in range(3):
            people.append(app.candidate(verification="not_submitted"))
            submit(people[-1])
            app.clock.advance(minutes=1)
        action(manager, people[0], {"is_approved": True})
        action(manager, people[1], {"is_rejected": True, "rejection_reason": "Blurred."})
        rows = manager.get("/user/verification/list/").json["results"]
        assert [row["user_id"] for row in rows] == [str(people[index].id) for index in (2, 0, 1)]
        assert rows[2]["rejection_reason"] == "Blurred."
        assert rows[2]["reviewed_by"]["user"]["id"] == str(manager.id)
        assert rows[0]["has_face_id"] is True
        assert rows[0]["reviewed_by"] is None

        def ids(query):
            found = manager.get(f"/user/verification/list/?{query}").json["results"]
            return [row["user_id"] for row in found]

        assert ids("is_pending=true") == [str(people[2].id)]
        assert ids("is_approved=1") == [str(people[0].id)]
        assert ids("is_rejected=yes") == [str(people[1].id)]
        assert ids("is_pending=no&is_rejected=false") == [str(people[0].id)]
        assert ids(f"search={people[1].email.upper()}") == [str(people[1].id)]
        manager.get("/user/verification/list/?is_pending=x", status=400, code="invalid")
        assert len(list(each_page(manager, "/user/verification/list/?limit=1"))) == 3

    @pytest.mark.parametrize("name", listing.ORDERING)
    def test_requests_can_be_ordered(self, app, manager, name):
        # The requests are in a different order for each field.
        for email, role, *minutes in (
            ("b", "league", 1, 4, 3),
            ("d", "screening", 2, 3, 1),
            ("a", "final", 3, 1, 4),
            ("c", "winner", 4, 2, 2),
        ):
            fields = {"email": f"{email}@x.example", "verification": "not_submitted"}
            person = app.candidate(role, **fields)
            submit(person)
            submitted, updated, reviewed = (START + timedelta(minutes=each) for each in minutes)
            times = {"submitted_at": submitted, "updated_at": updated, "reviewed_at": reviewed}
            with begin(app.runtime) as work:
                of_person = VerificationRequest.user_id == person.id
                work.db.execute(update(VerificationRequest).where(of_person).values(times))
                of_person = User.id == person.id
                work.db.execute(update(User).where(of_person).values(verification="rejected"))
        for sign in ("", "-"):
            query = f"ordering={sign}{name}"
            found = manager.get(f"/user/verification/list/?{query}").json["results"]
            values = [row[name] for row in found]
            assert values == sorted(values, reverse=sign == "-")

    def test_many_requests_take_as_many_statements_as_few(self, app, manager, statements):
        def count(people):
            for _ in range(people):
                submit(app.candidate(verification="not_submitted"))
            with statements() as executed:
                manager.get("/user/verification/list/")
            return len(executed)

        assert count(2) == count(6)


class TestDocuments:
    def link(self, person, owner, document="face_id", **expected):
        path = f"/user/verification/documents/{document}/{owner.id}/"
        return person.get(path, **expected)

    def follow(self, app, url, **expected):
        parts = urlsplit(url)
        bare = app.client()
        bare.key = None
        return bare.get(f"{parts.path.removeprefix('/v1')}?{parts.query}", **expected)

    def test_a_link_works_without_headers_for_five_minutes(self, app, candidate):
        submit(candidate)
        reply = self.link(candidate, candidate)
        assert reply.headers["Cache-Control"] == "no-store"
        url = reply.json["url"]
        file = self.follow(app, url, status=200)
        assert file.body == PNG
        assert file.content_type == "image/png"
        assert file.headers["Content-Disposition"].startswith("attachment")
        assert file.headers["Cache-Control"] == "no-store"
        app.clock.advance(minutes=4, seconds=59)
        self.follow(app, url, status=200)
        app.clock.advance(seconds=1)
        self.follow(app, url, status=404, code="not_found")

    def test_the_links_in_a_profile_expire_after_five_minutes(self, app, candidate):
        submit(candidate)
        profile = candidate.get("/candidates/me/").json
        papers = [profile[name] for name in ("face_id", "id_card", "verification_document")]
        app.clock.advance(minutes=5)
        for url in papers:
            self.follow(app, url, status=404, code="not_found")

    @pytest.mark.parametrize("ending", ["logout", "switched off", "everywhere"])
    def test_a_link_expires_with_the_session_that_requested_it(
        self, app, manager, candidate, ending
    ):
        submit(candidate)
        own, theirs = (self.link(each, candidate).json["url"] for each in (candidate, manager))
        in_profile = candidate.get("/candidates/me/").json["id_card"]
        if ending == "logout":
            app.anonymous.post("/auth/logout/", {"refresh": candidate.refresh}, status=204)
        elif ending == "switched off":
            path = f"/account-management/{candidate.id}/activation/"
            manager.put(path, {"is_active": False}, status=200)
        else:
            candidate.delete("/auth/sessions/", status=204)
        for url in (own, in_profile):
            self.follow(app, url, status=404, code="not_found")
        self.follow(app, theirs, status=200)

    def test_the_session_in_a_link_can_not_be_changed(self, app, manager, candidate):
        submit(candidate)
        own, theirs = (self.link(each, candidate).json["url"] for each in (candidate, manager))
        mine, other = (parse_qs(urlsplit(url).query)["session"][0] for url in (own, theirs))
        for forged in (own.replace(mine, other), own.replace(f"session={mine}&", "")):
            self.follow(app, forged, status=404, code="not_found")

    def test_a_profile_picture_link_works_after_logging_out(self, app, candidate):
        files = {"profile_picture": ("me.png", PNG)}
        reply = candidate.upload("PATCH", "/account-management/", files).json
        app.anonymous.post("/auth/logout/", {"refresh": candidate.refresh}, status=204)
        app.clock.advance(minutes=14, seconds=59)
        self.follow(app, reply["profile"]["user"]["profile_picture"], status=200)

    def test_a_forged_link_is_not_found(self, app, candidate):
        submit(candidate)
        url = self.link(candidate, candidate).json["url"]
        for forged in (
            url.replace("face_id", "id_card").replace(".png", ".jpg"),
            url.replace("expires=", "expires=9"),
            url.replace("signature=", "signature=0"),
            url.partition("?")[0],
        ):
            self.follow(app, forged, status=404, code="not_found")

    def test_only_managers_and_the_user_get_links(self, app, manager, candidate):
        submit(candidate)
        self.link(manager, candidate, status=200)
        self.link(app.staff("admin"), candidate, status=403, code="permission_denied")
        self.link(app.candidate(), candidate, status=403, code="permission_denied")

    def test_an_admin_gets_no_links_to_documents(self, app, manager, candidate):
        submit(candidate)
        from competition.core.users.documents import document_links

        def shown_to(person):
            with begin(app.runtime) as work:
                user = work.db.get_one(User, candidate.id)
                sessions.start(work, work.db.get_one(User, person.id))
                work.actor = callers.identify(work, person.client.token)
                return document_links(work, user)["face_id"]

        assert shown_to(manager) is not None
        assert shown_to(candidate) is not None
        assert shown_to(app.staff("admin")) is None

    def test_a_missing_document_is_not_found(self, app, manager, candidate):
        self.link(manager, candidate, status=404, code="not_found")
        submit(candidate)
        self.link(manager, candidate, "passport", status=404, code="not_found")
        with begin(app.runtime) as work:
            user = work.db.get_one(User, candidate.id)
            user.profile_picture = user.face_id
        self.link(manager, candidate, "profile_picture", status=404, code="not_found")
        for path in stored_files(app):
            path.unlink()
        self.link(manager, candidate, status=404, code="not_found")

    def test_an_unavailable_storage_returns_502(self, app, manager, candidate):
        submit(candidate)
        app.file_folder.rename(app.file_folder.with_name("away"))
        self.link(manager, candidate, status=502, code="storage_unavailable")
        app.file_folder.write_text("in the way")
        files = {"face_id": ("face.png", PNG)}
        candidate.upload("PATCH", UPLOAD, files, status=502, code="storage_unavailable")


class TestChangesAfterTheApproval:
    """With the setting ``review_changes``, a new name or school of a verified user needs a
    review.
    """

    @pytest.fixture
    def service(self, app_with):
        settings = {"competition.verification.review_changes": "true"}
        return app_with({**settings, "competition.notifications.on": "documents"})

    @pytest.fixture
    def person(self, service):
        return service.candidate(first_name="Ada", school="Hill")

    def change(self, person, **fields):
        reply = person.patch("/account-management/", fields, status=200).json
        profile = reply["profile"]
        return reply["message"], profile["user"]["first_name"], profile["school"]

    def decide(self, reader, person, **options):
        body = {"is_approved": True} if "decision" not in options else options.pop("decision")
        return reader.post(f"/user/verification/action/{person.id}/", body, **options)

    def waiting(self, person):
        record = person.get("/user/verification/status/", status=200).json
        assert (record["status"], record["is_approved"]) == ("verified", True)
        return {each["field"]: (each["old"], each["new"]) for each in record.get("changes", [])}

    def test_by_default_changes_after_the_approval_are_not_reviewed(self, app):
        person = app.candidate()
        assert self.change(person, first_name="Eve")[1] == "Eve"
        assert self.waiting(person) == {}

    @pytest.mark.parametrize("verification", ["not_submitted", "pending", "rejected"])
    def test_changes_before_the_approval_are_not_reviewed(self, service, verification):
        person = service.candidate(verification=verification)
        assert self.change(person, first_name="Eve")[1] == "Eve"

    def test_only_changes_of_name_and_school_wait_for_a_review(self, service, person):
        message, *shown = self.change(person, first_name="Eve", school="Valley", phone="+4930999")
        assert shown == ["Ada", "Hill"]
        assert "first_name, school" in message
        assert service.user(person).phone == "+4930999"
        assert self.waiting(person) == {"first_name": ("Ada", "Eve"), "school": ("Hill", "Valley")}
        # The user stays verified, and can still read leaderboards.
        person.get("/leaderboard/", status=404, code="leaderboard_not_published")

    def test_a_manager_approves_waiting_changes(self, service, person):
        self.change(person, first_name="Eve", school="Valley")
        manager = service.staff("manager")
        submit(service.candidate(verification="not_submitted"))
        [item] = manager.get("/user/verification/list/?has_changes=true").json["results"]
        assert (item["user_id"], item["is_approved"]) == (str(person.id), True)
        assert item["changes"] == [
            {"field": "first_name", "old": "Ada", "new": "Eve"},
            {"field": "school", "old": "Hill", "new": "Valley"},
        ]
        path = "/user/verification/list/"
        assert len(manager.get(f"{path}?is_waiting=true").json["results"]) == 2
        assert manager.get(f"{path}?is_waiting=false").json["results"] == []
        assert manager.get(f"{path}?user_id={person.id}").json["results"] == [item]
        reply = self.decide(manager, person, status=200).json
        assert reply == {"message": "The changes have been approved."}
        user = service.user(person)
        assert (user.first_name, user.school, user.verification) == ("Eve", "Valley", "approved")
        assert self.waiting(person) == {}
        assert manager.get("/user/verification/list/?has_changes=true").json["results"] == []
        assert len(manager.get("/user/verification/list/?has_changes=false").json["results"]) == 2
        self.decide(manager, person, status=400, code="already_verified")
        record = manager.get(f"/audit/?target_id={person.id}&ordering=action").json["results"]
        assert [(each["action"], each["old"], each["new"]) for each in record] == [
            (
                "account.change",
                {"first_name": "Ada", "school": "Hill"},
                {"first_name": "Eve", "school": "Valley"},
            ),
            ("verification.decide_changes", ["first_name", "school"], "approved"),
        ]
        assert {each["actor_id"] for each in record} == {str(manager.id)}

    def test_a_manager_rejects_waiting_changes_and_the_user_is_notified(self, service, person):
        self.change(person, first_name="Eve")
        decision = {"is_rejected": True, "rejection_reason": "The card says Ada."}
        reply = self.decide(service.staff("manager"), person, decision=decision, status=200)
        assert reply.json == {"message": "The changes have been rejected."}
        assert service.user(person).first_name == "Ada"
        assert self.waiting(person) == {}
        [notification] = person.get("/notifications/").json["results"]
        assert notification["subject"] == "Your changes were rejected"
        assert notification["message"].startswith("The card says Ada.\n\n")

    def test_later_changes_are_added_and_the_old_value_withdraws_a_change(self, service, person):
        self.change(person, first_name="Eve")
        self.change(person, school="Valley", first_name="Eva")
        assert self.waiting(person) == {"first_name": ("Ada", "Eva"), "school": ("Hill", "Valley")}
        self.change(person, school="Hill")
        assert self.waiting(person) == {"first_name": ("Ada", "Eva")}
        message, *_ = self.change(person, first_name="Ada")
        assert message == "The account has been updated."
        assert self.waiting(person) == {}
        self.decide(service.staff("manager"), person, status=400, code="already_verified")

    def test_changes_by_a_manager_apply_at_once_except_to_their_own_account(self, service, person):
        manager, other = service.staff("manager"), service.staff("manager")
        path = f"/account-management/{person.id}/"
        manager.patch(path, {"first_name": "Eve"}, status=200)
        assert service.user(person).first_name == "Eve"
        manager.patch("/account-management/", {"first_name": "Eve"}, status=200)
        assert service.user(manager).first_name == "Ada"
        self.decide(manager, manager, status=403, code="permission_denied")
        self.decide(other, manager, status=200)
        assert service.user(manager).first_name == "Eve"

    def test_an_admin_can_not_decide_on_changes(self, service, person):
        self.change(person, first_name="Eve")
        self.decide(service.staff("admin"), person, status=403, code="permission_denied")

    def test_waiting_changes_are_exported_and_erased_with_the_account(self, service, person):
        self.change(person, first_name="Eve")
        with begin(service.runtime) as work:
            exported = personal_data.export(work, person.id)["verification"]
            assert exported["changes"] == {"first_name": "Eve"}
            personal_data.erase(work, person.id)
            assert work.db.get(VerificationRequest, person.id) is None


def test_one_of_simultaneous_decisions_on_changes_wins(live_with):
    service = live_with({"competition.verification.review_changes": "true"})
    person = service.candidate(first_name="Ada")
    person.patch("/account-management/", {"first_name": "Eve"}, status=200)
    managers = [service.staff("manager") for _ in range(4)]
    path = f"/user/verification/action/{person.id}/"
    replies = together(
        4,
        lambda index: managers[index].post(
            path, {"is_approved": index % 2 == 0, "is_rejected": index % 2 == 1}, status="any"
        ),
    )
    assert sorted(reply.status_int for reply in replies) == [200, 400, 400, 400]
    [won] = [index for index, reply in enumerate(replies) if reply.status_int == 200]
    assert service.user(person).first_name == ("Eve" if won % 2 == 0 else "Ada")


def test_documents_pending_for_too_long_are_deleted_with_their_request(app_with):
    app = app_with({"competition.verification.pending_days": "60"})
    person, decided = (app.candidate(verification="not_submitted") for _ in range(2))
    submit(person)
    submit(decided)
    action(app.staff("manager"), decided, {"is_approved": True})
    app.clock.advance(days=60, seconds=-1)
    app.run_task("verification.purge_documents")
    assert app.user(person).verification == "pending"
    app.clock.advance(seconds=1)
    app.run_task("verification.purge_documents")
    assert (app.user(person).verification, app.user(decided).verification) == (
        *("not_submitted", "approved"),
    )
    assert stored_files(app) == []
    assert [mail["Subject"] for mail in app.mails(person.email)] == [
        "Competition Service: please send your documents again"
    ]
    submit(app.new_session(person))


class TestSimilarAccounts:
    """Reviewers see accounts that may belong to the same person."""

    @pytest.fixture
    def person(self, app):
        fields = {"first_name": "Ada", "last_name": "Byron", "school": "Hill", "phone": "+491"}
        person = app.candidate(verification="not_submitted", **fields)
        submit(person, self.papers("a"), status=201)
        return person

    @staticmethod
    def papers(mark):
        """Documents that differ for each `mark`."""
        sizes = {"a": 11, "b": 12}
        picture = image(size=(sizes[mark], 5))
        letters = {name: PDF + mark.encode() for name in ("id_card", "verification_document")}
        return documents(
            face_id=("face.png", picture),
            id_card=("card.pdf", letters["id_card"] + b"1"),
            verification_document=("letter.pdf", letters["verification_document"] + b"2"),
        )

    def seen(self, manager, person):
        """The ids of similar accounts and the reasons, as the list shows them. Checks that the
        details show the same.
        """
        [item] = [
            each
            for each in manager.get("/user/verification/list/", status=200).json["results"]
            if each["user_id"] == str(person.id)
        ]
        detail = manager.get(f"{STATUS}{person.id}/", status=200).json
        assert detail["similar_accounts"] == item["similar_accounts"]
        return {each["id"]: each["reasons"] for each in item["similar_accounts"]}

    @pytest.mark.parametrize(
        ("fields", "reasons"),
        [
            ({"phone": "+491"}, ["phone"]),
            (
                {"first_name": "ADA", "last_name": "byron", "school": "hill", "phone": "+492"},
                ["name_and_school"],
            ),
            (
                {"first_name": "Ada", "last_name": "Byron", "school": "Hill", "phone": "+491"},
                ["phone", "name_and_school"],
            ),
            ({"first_name": "Ada", "last_name": "Byron", "school": "Dale", "phone": "+492"}, None),
        ],
    )
    def test_similar_accounts_have_the_same_phone_or_name_and_school(
        self, app, manager, person, fields, reasons
    ):
        other = app.candidate(**fields)
        assert self.seen(manager, person) == ({str(other.id): reasons} if reasons else {})

    def test_similar_accounts_have_a_document_in_common(self, app, manager, person):
        other = app.candidate(verification="not_submitted", phone="+492")
        copied = self.papers("a")["id_card"]
        submit(other, {**self.papers("b"), "verification_document": copied}, status=201)
        assert self.seen(manager, person) == {str(other.id): ["document"]}
        assert self.seen(manager, other) == {str(person.id): ["document"]}

    def test_the_same_document_twice_in_one_account_is_not_similar(self, app, manager, person):
        files = self.papers("a")
        person.upload("PATCH", UPLOAD, {"verification_document": files["id_card"]}, status=200)
        assert self.seen(manager, person) == {}

    def test_an_erased_account_is_not_similar(self, app, manager, person):
        other = app.candidate(first_name="Ada", last_name="Byron", school="Hill", phone="+491")
        with begin(app.runtime) as work:
            personal_data.erase(work, other.id)
        assert self.seen(manager, person) == {}

    def test_users_do_not_see_similar_accounts(self, app, person):
        app.candidate(phone="+491")
        for path in (STATUS, f"{STATUS}{person.id}/"):
            assert "similar_accounts" not in person.get(path, status=200).json

    def test_at_most_ten_similar_accounts_are_shown_per_reason(self, app, manager, person):
        for _ in range(12):
            app.candidate(phone="+491")
        assert len(self.seen(manager, person)) == 10


def version_of(manager, person):
    reply = manager.get(f"/account-management/{person.id}/", status=200)
    return {"If-Match": reply.headers["ETag"]}


@pytest.mark.parametrize("changed", ["document", "name", "reviewed_name"])
def test_a_decision_on_an_earlier_version_is_rejected(app_with, changed):
    app = app_with({"competition.verification.review_changes": "true"})
    manager = app.staff("manager")
    if changed == "reviewed_name":
        person = app.candidate(first_name="Ada")
        person.patch("/account-management/", {"first_name": "Eve"}, status=200)
    else:
        person = app.candidate(verification="not_submitted")
        submit(person)
    seen = version_of(manager, person)
    app.clock.advance(seconds=1)
    if changed == "document":
        person.upload("PATCH", UPLOAD, {"face_id": ("face.png", PNG)}, status=200)
    else:
        person.patch("/account-management/", {"first_name": "Mallory"}, status=200)
    before = app.user(person)
    for decision in ({"is_approved": True}, {"is_rejected": True}):
        action(
            *(manager, person, decision),
            **{"status": 412, "code": "precondition_failed", "headers": seen},
        )
    after = app.user(person)
    assert (after.verification, after.first_name) == (before.verification, before.first_name)
    action(manager, person, {"is_approved": True}, headers=version_of(manager, person))
    # If the documents are decided already, that error comes first, even if the account has changed.
    action(
        *(manager, person, {"is_approved": True}),
        **{"status": 400, "code": "already_verified", "headers": seen},
    )


def test_replacing_a_document_while_it_is_decided_on_rejects_the_decision(live):
    person, manager = live.candidate(verification="not_submitted"), live.staff("manager")
    submit(person)
    seen = version_of(manager, person)
    live.clock.advance(seconds=1)
    reply = overtaken(
        live,
        person,
        lambda work: submitting.resubmit(work, {"face_id": ReceivedFile(BytesIO(PNG), "png")}),
        lambda: action(manager, person, {"is_approved": True}, status="any", headers=seen),
    )
    assert reply.status_int == 412
    assert live.user(person).verification == "pending"
