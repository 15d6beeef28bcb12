"""All kinds of objects that a third-party plugin may add, each with one directive or
declaration.
"""

import json

import pytest
from pyramid.exceptions import ConfigurationError
from sqlalchemy import select

from competition.cli import main
from competition.core.audit import AuditEntry
from competition.core.errors import NotFound
from competition.core.plugins import build
from competition.core.storage import files
from competition.core.users import accounts, personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.identity_papers import PNG

SHOUT = "/external/shouts/"
GREETINGS = "/external/greetings/"
BODY = {"email": "guest@elsewhere.example"}


@pytest.fixture
def with_external(install, base_settings):
    """Install the plugin `external`, and return the settings that enable it."""
    install(external="tests.contract.external_plugin")
    return {
        **base_settings,
        "competition.plugins": base_settings["competition.plugins"] + " external",
    }


@pytest.fixture
def external(app_with, with_external):
    return lambda **settings: app_with({**with_external, **settings})


@pytest.fixture
def done(external):
    from tests.contract.external_plugin import services

    services.done.clear()
    return services.done


def permit(service, person, granted=True):
    with begin(service.runtime) as work:
        accounts.set_permission(work, person.id, "external.shout", granted)


class TestPermissions:
    def test_staff_of_a_lower_role_are_admitted_with_the_permission(self, external):
        service = external()
        volunteer = service.staff("volunteer")
        volunteer.post(SHOUT, status=403, code="permission_denied")
        permit(service, volunteer)
        volunteer.post(SHOUT, status=201)
        permit(service, volunteer, granted=False)
        volunteer.post(SHOUT, status=403, code="permission_denied")

    @pytest.mark.parametrize("end", ["demotion", "deactivation"])
    def test_a_permission_ends_with_the_rank_and_with_the_account(self, external, end):
        service = external()
        superadmin, member = service.staff("superadmin"), service.staff("moderator")
        permit(service, member)
        # Neither the same role nor a promotion revokes it.
        for role in ("moderator", "admin"):
            superadmin.put(f"/staff/{member.id}/roles/assign/", {"role": role}, status=200)
            member.post(SHOUT, status=201)
        if end == "demotion":
            # Giving the rank back does not grant the permission again.
            for role in ("moderator", "admin"):
                superadmin.put(f"/staff/{member.id}/roles/assign/", {"role": role}, status=200)
        else:
            for active in (False, True):
                body = {"is_active": active}
                superadmin.put(f"/account-management/{member.id}/activation/", body, status=200)
        service.new_session(member).post(SHOUT, status=403, code="permission_denied")
        with begin(service.runtime) as work:
            revoked = select(AuditEntry.subject, AuditEntry.target_id, AuditEntry.actor_id).where(
                AuditEntry.action == "permission.revoke"
            )
            entries = work.db.execute(revoked).all()
        assert entries == [("external.shout", member.id, superadmin.id)]

    def test_staff_of_the_role_need_no_permission(self, external):
        external().staff("manager").post(SHOUT, status=201)

    def test_a_permission_does_not_admit_a_sponsor(self, external):
        service = external()
        sponsor = service.staff("sponsor")
        permit(service, sponsor)
        sponsor.post(SHOUT, status=403, code="permission_denied")

    def test_a_permission_does_not_replace_the_verification(self, external):
        service = external()
        volunteer = service.staff("volunteer", verification="pending")
        permit(service, volunteer)
        volunteer.post(SHOUT, status=403, code="unverified_staff")

    def test_a_permission_opens_no_other_endpoint(self, external):
        service = external()
        volunteer = service.staff("volunteer")
        permit(service, volunteer)
        volunteer.get("/candidates/", status=403, code="permission_denied")

    def test_the_document_names_the_permission(self, external):
        described = external().document.document["paths"][SHOUT]["post"]["description"]
        assert "manager or higher, or with the permission external.shout" in described

    def test_granting_and_revoking_is_audited_once(self, external):
        service = external()
        volunteer, manager = service.staff("volunteer"), service.staff("manager")
        for granted in (True, True, False, False):
            permit(service, volunteer, granted)
        found = manager.get(f"/audit/?target_id={volunteer.id}").json["results"]
        assert [each["action"] for each in found] == ["permission.revoke", "permission.grant"]

    def test_an_undeclared_permission_can_not_be_granted(self, external):
        service = external()
        volunteer = service.staff("volunteer")
        with begin(service.runtime) as work, pytest.raises(NotFound, match="external"):
            accounts.set_permission(work, volunteer.id, "external.nonsense", True)

    def test_an_endpoint_with_an_unknown_permission_stops_the_start(
        self, with_external, monkeypatch
    ):
        from competition.core.auth.access import Permission
        from competition.core.catalogue import Catalogue

        add = Catalogue.add

        def leave_out(self, kind, name, thing):
            if (kind, name) != (Permission, "external.shout"):
                add(self, kind, name, thing)

        monkeypatch.setattr(Catalogue, "add", leave_out)
        with pytest.raises(ConfigurationError, match=r"external\.shout"):
            build(with_external)


class TestLimits:
    def test_an_endpoint_can_have_its_own_rate_limit(self, external):
        service = external(**{"competition.ratelimit.enabled": "true"})
        for left in ("1", "0"):
            reply = service.anonymous.post(GREETINGS, BODY, status=201)
            assert reply.headers["X-RateLimit-Remaining"] == left
        service.anonymous.post(GREETINGS, BODY, status=429, code="throttle_exceeded")
        # The general rate limits are not affected.
        service.anonymous.post("/auth/login/", {**BODY, "password": "x"}, status=401)

    def test_an_endpoint_with_an_unknown_rate_limit_stops_the_start(
        self, with_external, monkeypatch
    ):
        from competition.core.catalogue import Catalogue
        from competition.core.web.counting import Ceiling

        add = Catalogue.add

        def leave_out(self, kind, name, thing):
            if kind is not Ceiling:
                add(self, kind, name, thing)

        monkeypatch.setattr(Catalogue, "add", leave_out)
        with pytest.raises(ConfigurationError, match="add_ceiling"):
            build(with_external)


class TestPages:
    def test_a_page_is_outside_the_prefix_and_needs_no_key(self, external):
        reply = external().http.get("/external/Ada/")
        assert (reply.content_type, reply.status_int) == ("text/html", 200)
        assert "Hello, Ada!" in reply.text
        assert "default-src 'none'" in reply.headers["Content-Security-Policy"]

    def test_a_page_is_found_without_its_slash(self, external):
        assert external().http.get("/external/Ada").status_int == 200

    def test_errors_of_a_page_are_html(self, external):
        reply = external().http.get("/external/nobody/", status=404)
        assert (
            reply.content_type == "text/html"
            and "<p>Not found. Check the address and the ids.</p>" in reply.text
        )
        assert "default-src 'none'" in reply.headers["Content-Security-Policy"]

    def test_path_parameters_of_a_page_are_typed(self, external):
        service = external()
        assert "The next one is 8." in service.http.get("/external/rooms/7/").text
        for path in ("rooms/0/", "rooms/99999999999999999999/", "%00/"):
            reply = service.http.get(f"/external/{path}", status=404)
            assert "<p>Not found. Check the address and the ids.</p>" in reply.text

    def test_a_page_can_only_read(self, external):
        reply = external().http.get("/external/page/changing/", status=500)
        assert "Changed" not in reply.text

    def test_a_page_is_counted_for_its_address(self, external):
        service = external(
            **{
                "competition.ratelimit.enabled": "true",
                "competition.ratelimit.address": "2/minute",
            }
        )
        for _ in range(2):
            service.http.get("/external/Ada/")
        reply = service.http.get("/external/Ada/", status=429)
        assert int(reply.headers["Retry-After"]) > 0

    def test_static_files_can_be_cached(self, external):
        reply = external().http.get("/external/static/hello.txt")
        assert reply.text == "Hello\n"
        assert "max-age=86400" in reply.headers["Cache-Control"]


def test_a_missing_file_is_none_and_sent_files_are_validated(external):
    client = external().anonymous
    sent = client.upload(
        "POST", "/external/pictures/", {"picture": ("a.png", PNG), "other": "text"}
    )
    assert sent.json == {"greeting": "png, None"}
    for content, code in (
        (b"text", "invalid_file_type"),
        (PNG + bytes(2**19), "file_size_exceeded"),
    ):
        files = {"picture": ("a.png", content)}
        client.upload("POST", "/external/pictures/", files, status=400, code=code)
    form = client.get("/docs/spec").json["components"]["schemas"]["ExternalLookAtForm"]
    assert [each["description"] for each in form["properties"].values()] == [
        "A file of at most 512 kB.",
        "A file of at most 1 MB.",
    ]


class TestWatching:
    def scrape(self, service):
        headers = {"Authorization": "Bearer scraper"}
        return service.http.get("/v1/metrics/", headers=headers).text

    def test_the_metrics_show_gauges_and_counters(self, external):
        service = external(**{"competition.metrics.token": "scraper"})
        assert "competition_external_guests 0.0" in self.scrape(service)
        service.staff("manager").post(SHOUT)
        service.anonymous.post(GREETINGS, BODY)
        service.run_jobs()
        shown = self.scrape(service)
        assert "competition_external_guests 1.0" in shown
        assert "competition_external_shouts_total 1.0" in shown

    def test_events_are_counted_when_they_are_committed(self, external):
        from tests.contract.external_plugin.events import Greeted

        service = external(**{"competition.metrics.token": "scraper"})
        service.anonymous.post(GREETINGS, BODY)
        with pytest.raises(ZeroDivisionError), begin(service.runtime) as work:
            work.emit(Greeted(work, "nobody@elsewhere.example"))
            raise ZeroDivisionError
        assert 'competition_events_total{event="Greeted"} 1.0' in self.scrape(service)

    def test_readiness_names_its_check(self, external):
        service = external()
        [check] = [
            each
            for each in service.anonymous.get("/ready/").json["checks"]
            if each["name"] == "external"
        ]
        assert (check["status"], check["message"]) == ("degraded", "Nobody was greeted yet.")


class TestKeeping:
    def test_housekeeping_calls_the_plugin(self, external, done):
        service = external()
        service.run_task("core.housekeeping")
        assert [what for what, _ in done] == ["forgotten"]

    def test_an_export_includes_the_plugins_data(self, external):
        service = external()
        person = service.candidate()
        with begin(service.runtime) as work:
            found = personal_data.export(work, person.id)
        assert found["external"] == {"greeted": "Ada"}
        assert found["account"]["user"]["email"] == person.email
        assert {"sessions", "mails", "one-time passwords", "verification"} <= set(found)

    def test_erasing_calls_the_plugin_before_the_name_is_removed(self, external, done):
        service = external()
        person = service.candidate()
        with begin(service.runtime) as work:
            personal_data.erase(work, person.id)
        assert done == [("erased", "Ada")]


class TestErasing:
    def test_no_personal_data_remains_after_an_erasure(self, app):
        person = app.candidate(phone="+4999", school="Hillside School")
        app.anonymous.post("/send-email-otp/", {"email": person.email})
        app.run_jobs()
        with begin(app.runtime) as work:
            personal_data.erase(work, person.id)
        user = app.user(person)
        kept = json.dumps([str(value) for value in vars(user).values()])
        for word in ("Ada", "Number", person.email, "+4999", "Hillside"):
            assert word not in kept
        with begin(app.runtime) as work:
            found = personal_data.export(work, person.id)
        assert found["sessions"] == found["mails"] == found["one-time passwords"] == []
        person.get("/candidates/me/", status=401, code="invalid_token")

    def test_an_erasure_deletes_the_plugins_files(self, app):
        person = app.candidate()
        subject = files.of_user(person.id)
        with begin(app.runtime) as work:
            files.store(work, b"%PDF", "pdf", plugin="external", subject=subject)
        with begin(app.runtime) as work:
            personal_data.erase(work, person.id)
        with begin(app.runtime) as work:
            assert files.files_of(work, subject) == []

    def test_an_erased_email_address_can_register_again(self, app):
        person = app.candidate()
        with begin(app.runtime) as work:
            personal_data.erase(work, person.id)
            assert work.db.get_one(User, person.id).email.endswith("@erased.invalid")
        other = app.candidate(email=person.email)
        assert other.id != person.id

    def test_operators_can_export_and_erase(self, run, live):
        person = live.candidate()
        exported = json.loads(run("user", "export", person.email).output)
        assert exported["account"]["user"]["first_name"] == "Ada"
        run("user", "erase", person.email, given="n\n", status=1)
        assert live.user(person).first_name == "Ada"
        run("user", "erase", person.email, "--yes")
        assert live.user(person).first_name == "Erased"


def test_a_mistake_in_a_test_is_reported(app):
    with pytest.raises(ValueError, match=r"no role 'voluntee'\. The roles are volunteer"):
        app.staff("voluntee")
    with pytest.raises(LookupError, match=r"no Retention named 'accounts\.nothing'"):
        app.forget("accounts.nothing")


def test_names_of_views_and_shapes_from_outside_have_a_prefix(external):
    """Two third-party plugins may both have a view `greet` and a shape `Greeting`."""
    document = external().document.document
    assert document["paths"][GREETINGS]["post"]["operationId"] == "external_greet"
    assert "ExternalGreeting" in document["components"]["schemas"]
    assert "Greeting" not in document["components"]["schemas"]
    assert document["paths"]["/exams/"]["get"]["operationId"] == "list_exams"


def test_permissions_are_for_operators_to_grant(run, live):
    assert main.commands["user"].commands.keys() >= {"grant", "revoke", "export", "erase"}
    person = live.staff("volunteer")
    said = run("user", "grant", person.email, "nonsense", status=1).output
    assert "There is no permission 'nonsense'" in said
    # A permission of a removed plugin can be revoked once. A second revocation reports that it was
    # not granted.
    with begin(live.runtime) as work:
        work.db.get_one(User, person.id).permissions = ["gone.see"]
    for said in ("no longer has", "had not been granted"):
        output = run("user", "revoke", person.email, "gone.see").output
        assert output == f"{person.email} {said} the permission gone.see.\n"
