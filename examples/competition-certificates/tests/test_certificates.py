"""Certificates, as candidates, staff and the public use them."""

from importlib import resources

import pytest
from click.testing import CliRunner
from competition.core.audit import AuditEntry
from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.leaderboard.services import publishing
from competition.testing.exam_day import publish, score_by_hand, season
from competition.testing.races import together
from competition.testing.service import text_of
from competition.testing.sockets import nothing_came, receive
from sqlalchemy import select

from competition_certificates import REVOKE, services
from competition_certificates.commands import certificates
from competition_certificates.models import Certificate

# Ranks 1, 2, 3, 3 and 5.
SHEETS = ["ABCDABCDAB", "ABCDABCDA", "ABCD", "ABCD", "A"]


@pytest.fixture
def best(app, admin):
    """Five candidates of an exam whose leaderboard is published."""
    _, people = season(app, admin, SHEETS)
    publish(app, admin)
    return people


def own(person):
    return person.get("/certificates/").json["results"]


def code_of(person):
    return own(person)[0]["code"]


# --- Awarding


def test_the_best_of_a_leaderboard_get_a_certificate(best):
    assert [[each["rank"] for each in own(person)] for person in best] == [[1], [2], [3], [3], []]


def test_a_setting_limits_the_ranks(app_with):
    app = app_with({"competition.certificates.ranks": "1"})
    admin = app.staff("admin")
    _, people = season(app, admin, SHEETS)
    publish(app, admin)
    assert [len(own(person)) for person in people] == [1, 0, 0, 0, 0]


def test_a_second_publication_awards_no_second_certificate(app, admin, best):
    before = own(best[0])
    publish(app, admin)
    after = own(best[0])
    assert after[0]["code"] == before[0]["code"]
    assert len(after) == len(app.mails(best[0].email)) == 1


def test_a_changed_rank_is_drawn_again_with_the_same_code(app, admin, best):
    [before] = own(best[1])
    score_by_hand(admin, before["exam_id"], best[1], 100)
    publish(app, admin)
    [after] = own(best[1])
    assert (after["rank"], after["code"]) == (1, before["code"])
    assert "rank 1 in" in drawing(app, best[1])


def test_without_a_leaderboard_there_is_no_certificate(app, admin):
    publish(app, admin)
    assert own(app.candidate()) == []


def test_staff_download_the_certificates_as_a_table(app, admin, best):
    [header, *rows] = admin.get("/exports/certificates/").text.splitlines()
    assert header.lstrip("\ufeff").startswith("code,exam_title,rank,candidate_id,")
    assert [row.split(",")[2] for row in rows].count("3") == 2
    admin.post(f"/certificates/{code_of(best[0])}/revoke/")
    assert len(admin.get("/exports/certificates/").text.splitlines()) == len(rows)
    assert admin.get("/exports/certificates/?per_school=true").content_type == "application/zip"


def test_certificates_of_a_closed_season_have_the_schools_of_that_season(app, admin, best):
    app.staff("superadmin").post("/seasons/", {"name": "2027"}, status=201)
    path = f"/account-management/{best[0].id}/"
    app.new_session(app.staff("manager")).patch(path, {"school": "Valley School"}, status=200)
    exported = app.new_session(admin).get("/exports/certificates/", status=200).text
    assert str(best[0].id) in exported
    assert "Valley School" not in exported


# --- The drawing


def drawing(app, person):
    [certificate] = own(person)
    path = certificate["drawing"].partition("/v1")[2]
    reply = app.client().get(path)
    assert reply.content_type == "image/svg+xml"
    return reply.text


def test_the_drawing_shows_name_rank_exam_and_settings(app_with):
    app = app_with(
        {
            "competition.certificates.text": "for <all> & everything",
            "competition.certificates.signed_by": "Emmy Noether",
        }
    )
    admin = app.staff("admin")
    _, [person] = season(app, admin, ["ABCD"], title="Rings")
    publish(app, admin)
    svg = drawing(app, person)
    for text in (app.user(person).full_name, "rank 1 in Rings", "Emmy Noether", code_of(person)):
        assert text in svg
    assert "for &lt;all&gt; &amp; everything" in svg


def test_two_workers_at_once_draw_it_once(live):
    _, [person] = season(live, live.staff("admin"), ["ABCD"])
    with begin(live.runtime) as work:
        publishing.publish(work)
        certificate_id = work.db.scalar(select(Certificate.id))

    def draw(_):
        with begin(live.runtime) as work:
            services.draw(work, certificate_id)

    together(2, draw)
    assert len(live.mails(person.email)) == 1


# --- Notifying


def test_the_candidate_gets_an_email(app, best):
    [mail] = app.mails(best[0].email)
    assert mail["Subject"] == "Your certificate for Screening"
    assert f"https://league.example/certificates/{code_of(best[0])}/" in text_of(mail)


def test_the_candidate_is_notified(app, best):
    app.run_jobs()
    [notification] = best[0].get("/notifications/").json["results"]
    assert notification["message"] == "You have a certificate for rank 1 in Screening."


def test_the_notification_is_pushed_to_open_sockets(sockets):
    service = sockets.service
    admin = service.staff("admin")
    _, people = season(service, admin, ["ABCD", "A"])
    clients = [sockets.open(person) for person in people]
    publish(service, admin)
    for rank, client in enumerate(clients, 1):
        message = receive(client)["message"]["message"]
        assert message == f"You have a certificate for rank {rank} in Screening."
        nothing_came(client)


# --- Checking


def test_the_code_shows_whose_certificate_it_is(app, best):
    code = code_of(best[0])
    for written in (code, code.lower()):
        found = app.anonymous.get(f"/certificates/{written}/").json
        assert found["full_name"] == app.user(best[0]).full_name
        assert (found["rank"], found["is_valid"]) == (1, True)


def test_an_unknown_code_is_not_found(app):
    app.anonymous.get("/certificates/0000000000/", status=404)
    # If the portal is enabled, it shows that there is no such page.
    page = app.http.get("/certificates/0000000000/", status="*")
    assert "ertificate" not in page.text


def test_the_page_needs_no_api_key(app, best):
    page = app.http.get(f"/certificates/{code_of(best[0])}/")
    assert app.user(best[0]).full_name in page.text
    assert "is valid" in page.text


def test_staff_see_the_certificates_of_a_candidate(admin, best):
    first, last = (admin.get(f"/candidates/{best[at].id}/").json for at in (0, -1))
    assert [each["rank"] for each in first["certificates"]] == [1]
    assert last["certificates"] == []


# --- Revoking


def revoke(person, certificate, **expected):
    return person.post(f"/certificates/{certificate}/revoke/", **expected)


def test_a_revoked_certificate_is_not_valid(app, admin, best):
    code = code_of(best[0])
    assert revoke(admin, code).json["is_valid"] is False
    assert app.anonymous.get(f"/certificates/{code}/").json["is_valid"] is False
    assert "not valid" in app.http.get(f"/certificates/{code}/").text
    assert own(best[0]) == []
    with begin(app.runtime) as work:
        entry = work.db.scalar(select(AuditEntry).where(AuditEntry.action == "certificates.revoke"))
        assert (entry.actor_id, entry.target_id) == (admin.id, best[0].id)


def test_another_publication_does_not_restore_a_revoked_certificate(app, admin, best):
    code = code_of(best[0])
    revoke(admin, code)
    publish(app, admin)
    revoke(admin, code, status=409, code="certificate_revoked")
    french = {"Accept-Language": "fr"}
    reply = revoke(admin, code, headers=french, status=409, code="certificate_revoked")
    assert reply.json["detail"] == "Ce diplôme a déjà été révoqué."


def test_staff_below_admin_need_the_permission_to_revoke(app, moderator, best):
    code = code_of(best[0])
    revoke(moderator, code, status=403)
    revoke(best[0], code, status=403)
    revoke(app.staff("moderator", permissions=[REVOKE]), code)


def test_revoking_an_unknown_code_is_not_found(admin):
    revoke(admin, "0000000000", status=404)


# --- Operating


def test_the_command_lists_certificates(app, best):
    result = CliRunner().invoke(certificates, ["list"], obj=app.runtime)
    assert result.exit_code == 0
    assert code_of(best[0]) in result.output


def test_the_gauge_counts_certificates_that_are_not_drawn(app, admin):
    _, [person] = season(app, admin, ["ABCD"])
    with begin(app.runtime) as work:
        publishing.publish(work)
        assert services.waiting(work) == 1
    assert own(person)[0]["drawing"] is None
    app.run_jobs()
    with begin(app.runtime) as work:
        assert services.waiting(work) == 0


def test_erasing_an_account_deletes_its_certificates(app, best):
    code = code_of(best[0])
    with begin(app.runtime) as work:
        exported = personal_data.export(work, best[0].id)
        assert [each["code"] for each in exported["certificates"]] == [code]
        personal_data.erase(work, best[0].id)
    app.anonymous.get(f"/certificates/{code}/", status=404)


def test_a_disabled_plugin_has_no_endpoints(app_with, without):
    app = app_with(without("certificates"))
    assert "ertificate" not in str(app.document.document)
    app.candidate().get("/certificates/", status=404)
    # If the portal is enabled, it shows that there is no such page.
    page = app.http.get("/certificates/0000000000/", status="*")
    assert "ertificate" not in page.text


# --- The console


def test_the_console_loads_the_pages_of_the_plugin(app):
    [module] = app.http.get("/pages/config.json").json["modules"]["console"]
    assert module.endswith("/certificates_console/static/pages.js")
    folder = resources.files("competition_certificates") / "console/static"
    for file in ("pages.js", "words.js", "search.js", "candidate.js", "texts/en.js", "texts/fr.js"):
        assert (folder / file).is_file()
        served = app.http.get(module.replace("pages.js", file), status=200)
        assert served.content_type == "text/javascript"


def test_without_the_console_certificates_are_awarded_as_before(app_with, without):
    app = app_with(without("pages"))
    admin = app.staff("admin")
    _, [person] = season(app, admin, ["ABCD"])
    publish(app, admin)
    assert own(person)[0]["rank"] == 1
    app.http.get("/pages/config.json", status=404)


def test_certificates_that_are_not_drawn_for_an_hour_are_a_to_do(app, admin):
    season(app, admin, ["ABCD"])
    with begin(app.runtime) as work:
        publishing.publish(work)
        assert services.overdue(work).count == 0
    app.clock.advance(hours=2)
    with begin(app.runtime) as work:
        assert services.overdue(work).count == 1
