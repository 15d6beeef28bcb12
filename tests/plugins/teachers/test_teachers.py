"""Teachers: who is one, what they see and change, and what they never do (contract T1)."""

import io
import re
from pathlib import Path
from urllib.parse import quote

import pytest
import xlsxwriter

import competition
from competition.core.errors import Invalid
from competition.core.imports import Asked
from competition.core.mail import mails
from competition.core.work import begin
from competition.plugins.teachers.services import importing
from competition.plugins.teachers.services.importing import IN_USE
from competition.testing.exam_day import answers, make_exam, publish, submit, take
from competition.testing.identity_papers import submit as send_documents
from competition.testing.service import PASSWORD, text_of
from tests.support.exported import lines
from tests.support.imports import apply, bring, check, rows, send

EMAIL = "ada@west.example"


@pytest.fixture
def manager(app):
    return app.staff("manager")


def school(manager, name):
    return manager.post("/schools/", {"name": name}).json["id"]


def link(manager, school_id, email, **expected):
    body = {"email": email, "first_name": "Ada", "last_name": "Lovelace", "phone": ""}
    return manager.post(
        f"/schools/{school_id}/teachers/", {**body, "phone": "+44 20 1234567"}, **expected
    )


def teacher(app, manager, name):
    """A teacher of a new school."""
    person = app.staff("volunteer")
    link(manager, school(manager, name), person.email, status=201)
    return person


@pytest.fixture
def west(app, manager):
    return teacher(app, manager, "West")


@pytest.fixture
def east(app, manager):
    return teacher(app, manager, "East")


def enter(person, first_name="Emmy", last_name="Noether", status=201, **fields):
    body = {"first_name": first_name, "last_name": last_name, **fields}
    return person.post("/school/candidates/", body, status=status).json


def listed(person, query=""):
    return person.get(f"/school/candidates/{query}").json["results"]


def names(found):
    return [each["full_name"] for each in found]


def test_a_teacher_is_invited(app, manager):
    school_id = school(manager, "West")
    reply = link(manager, school_id, EMAIL, status=201).json
    assert (reply["status"], reply["school"]) == ("invited", {"id": school_id, "name": "West"})
    assert reply["invited_by"]["user"]["id"] == str(manager.id)
    again = link(manager, school_id, EMAIL.upper(), status=200).json
    assert again == reply
    [mail] = app.mails(EMAIL)
    password = next(
        line.strip()
        for line in mail.get_body(("plain",)).get_content().splitlines()
        if len(line.strip()) == 16 and " " not in line.strip()
    )
    access = app.log_in(EMAIL, password).json["access"]
    found = app.client(access).get("/school/").json
    assert found == {
        **{"id": school_id, "name": "West", "code": None, "region": ""},
        **{"candidates": 0, "verified": 0, "unconfirmed": 0, "teachers": 1},
    }
    [row] = manager.get(f"/schools/{school_id}/teachers/").json["results"]
    assert row["status"] == "active"
    # A school with teachers is not deleted.
    manager.delete(f"/schools/{school_id}/", status=400, code="invalid")
    manager.delete(f"/schools/{school_id}/teachers/{row['user']['id']}/", status=204)
    app.client(access).get("/school/", status=404)
    manager.delete(f"/schools/{school_id}/teachers/{row['user']['id']}/", status=404)
    manager.delete(f"/schools/{school_id}/", status=204)


def unwrapped(mail):
    return re.sub(r"[ \n]+", " ", text_of(mail))


@pytest.mark.parametrize(
    ("language", "named", "page"),
    [
        ("en", "as a teacher of Bell & Sons <West>.", "the page “School” shows"),
        (
            "fr",
            "établissement Bell & Sons <West>.",
            "la page «\u00a0Établissement\u00a0» montre",
        ),
    ],
)
def test_an_invitation_names_the_school_and_the_first_page(app_with, language, named, page):
    service = app_with({"competition.language": language})
    boss = service.staff("manager")
    link(boss, school(boss, "Bell & Sons <West>"), EMAIL, status=201)
    [mail] = service.mails(EMAIL)
    text = unwrapped(mail)
    assert named in text and page in text
    html = mail.get_body(("html",)).get_content()
    assert "Bell &amp; Sons &lt;West&gt;" in html and "<West>" not in html


def test_the_page_in_an_invitation_has_this_name_in_the_console():
    package = Path(competition.__file__).parent / "plugins"
    for end, language in (("", "en"), (".fr", "fr")):
        texts = (package / f"console/static/texts/{language}.js").read_text("utf-8")
        [name] = re.findall(r'"nav\.school": "(.+)"', texts)
        mail = (package / f"accounts/templates/invitation{end}.txt").read_text("utf-8")
        assert re.search(rf"[“«]\u00a0?{name}\u00a0?[”»]", mail)


def test_an_invitation_that_is_sent_again_names_the_school_of_that_moment(app, manager):
    body = {"email": EMAIL, "first_name": "Ada", "last_name": "Lovelace"}
    body = {**body, "phone": "+44 20 1234567", "occupation": "", "role": "volunteer"}
    manager.post("/staff/invite/", body, status=201)
    assert "teacher" not in text_of(app.mails(EMAIL)[-1])
    school_id = school(manager, "West")
    user = link(manager, school_id, EMAIL, status=201).json["user"]["id"]
    # A further email would only repeat the first one.
    assert len(app.mails(EMAIL)) == 1
    manager.patch(f"/schools/{school_id}/", {"name": "West Hill"})
    with begin(app.runtime) as work:
        mails.send(work, "accounts.invitation", EMAIL, user_id=user)
    assert "as a teacher of West Hill." in unwrapped(app.mails(EMAIL)[-1])
    manager.delete(f"/schools/{school_id}/teachers/{user}/", status=204)
    with begin(app.runtime) as work:
        mails.send(work, "accounts.invitation", EMAIL, user_id=user)
    assert "teacher" not in text_of(app.mails(EMAIL)[-1])


def test_only_a_proven_volunteer_of_no_other_school_becomes_a_teacher(app, manager):
    west, east = school(manager, "West"), school(manager, "East")
    wrong = [
        app.candidate().email,
        app.staff("moderator").email,
        app.staff("sponsor").email,
        app.staff("volunteer", is_active=False).email,
        # A stranger may have registered this address.
        app.staff("volunteer", is_email_verified=False).email,
    ]
    for email in wrong:
        reply = link(manager, west, email, status=400).json
        assert (reply["code"], [*reply["errors"]]) == ("invalid", ["email"])
    member = app.staff("volunteer", verification="not_submitted")
    link(manager, west, member.email, status=201)
    link(manager, east, member.email, status=400)
    # The identity is approved on the manager's word.
    assert member.get("/staff/me/").json["is_user_verified"] is True
    [entry] = manager.get("/audit/?action=identity.vouch").json["results"]
    assert entry["new"] == "approved"


def test_a_word_does_not_undo_a_rejection_of_documents(app, manager):
    west, member = school(manager, "West"), app.staff("volunteer", verification="rejected")
    refused = link(manager, west, member.email, status=400).json
    assert (refused["code"], [*refused["errors"]]) == ("invalid", ["email"])
    row = f"{member.email},Ada,Lovelace,West"
    content = f"email,first_name,last_name,school\n{row}\n"
    [found] = rows(manager, check(app, manager, "teachers", content))
    assert (found["state"], [*found["errors"]]) == ("invalid", ["email"])
    # The refusal says what comes first: other documents.
    send_documents(member)
    link(manager, west, member.email, status=201)
    assert member.get("/staff/me/").json["is_user_verified"] is True
    # A person who is already a teacher stays one.
    link(manager, west, member.email, status=200)


def test_everybody_else_gets_404(app, manager, west):
    paths = ("/school/", "/school/candidates/", "/school/exams/", "/school/exams/1/")
    for role in ("volunteer", "moderator", "admin", "manager", "superadmin"):
        for path in paths:
            app.staff(role).get(path, status=404)
    app.candidate().get("/school/", status=403)
    app.anonymous.get("/school/", status=401)
    app.staff("volunteer", verification="rejected").get("/school/", status=403)


def test_the_link_ends_with_another_role(app, manager, west):
    west.get("/school/")
    for role in ("moderator", "volunteer"):
        manager.put(f"/staff/{west.id}/roles/assign/", {"role": role})
        west.get("/school/", status=404)


def test_a_teacher_enters_a_pupil_without_email(app, west):
    row = enter(west, year=7, group="7B", external_id="n1")
    login = row["login"]
    assert row == {
        **{"user_id": row["user_id"], "full_name": "Emmy Noether", "first_name": "Emmy"},
        **{"last_name": "Noether", "year": 7, "group": "7B", "external_id": "n1"},
        **{"login": login, "has_code": False, "used": False, "state": "verified"},
        **{"fixed": [], "warnings": []},
    }
    body = {"candidates": [row["user_id"]], "renew": False}
    [slip] = west.post("/school/slips/", body).json["slips"]
    assert set(slip) == {"user_id", "full_name", "year", "group", "login", "code"}
    profile = app.log_in(login, slip["code"]).json["profile"]
    assert (profile["school"], profile["status"]) == ("West", "active")
    [after] = listed(west)
    assert (after["has_code"], after["used"]) == (True, True)
    assert west.post("/school/slips/", body).json["slips"][0]["code"] is None


def test_pupils_who_need_a_code_can_be_listed(app, west):
    """The list has pupils without a code, and pupils whose code has ended. It has nobody with an
    email address."""
    first = enter(west)
    enter(west, "Ada", "Lovelace", email="ada@home.example")
    assert names(listed(west, "?needs_code=true")) == ["Emmy Noether"]
    west.post("/school/slips/", {"candidates": [first["user_id"]], "renew": False})
    assert listed(west, "?needs_code=true") == []
    app.clock.advance(days=91)
    later = app.client(app.log_in(west.email).json["access"])
    assert names(listed(later, "?needs_code=true")) == ["Emmy Noether"]
    assert [each["has_code"] for each in listed(later)] == [False, False]


def test_entering_the_same_pupil_again_makes_nobody_twice(app, west):
    first = enter(west, group="7A")
    assert enter(west, "EMMY", "noether", group="7B")["user_id"] == first["user_id"]
    numbered = enter(west, "Ada", "King", external_id="N7A")
    again = enter(west, "Ada", "King", external_id="n7a", year=9)
    assert again["user_id"] == numbered["user_id"]
    # The number of another pupil is no way to give that pupil's results a new name.
    enter(west, "Max", "Born", external_id="n7a", status=400)
    assert names(listed(west)) == ["Ada King", "EMMY noether"] or len(listed(west)) == 2


def test_who_has_only_typed_the_name_is_hardly_seen(app, manager, west):
    child = app.candidate(school="west", phone="+4912345678", group="7B", year=7)
    app.candidate(school="West", is_email_verified=False)
    [row] = listed(west)
    assert row == {
        **dict.fromkeys(row),
        **{"user_id": str(child.id), "full_name": app.user(child).full_name, "year": 7},
        "state": "unconfirmed",
    }
    assert listed(west, "?search=person") == []
    assert listed(west, "?group=7B") == []
    assert west.get("/school/").json["unconfirmed"] == 1
    path = f"/school/candidates/{child.id}/"
    west.patch(path, {"group": "7A"}, status=404)
    west.delete(path, status=404)
    body = {"candidates": [str(child.id)]}
    west.post("/school/slips/", body, status=400, code="invalid")


def test_confirming_makes_an_own_pupil(app, west):
    child = app.candidate(school="West", verification="pending")
    rejected = app.candidate(school="West", verification="rejected")
    path = "/school/candidates/{}/confirm/"
    assert west.post(path.format(child.id), {"is_ours": True}).json["state"] == "verified"
    assert west.post(path.format(rejected.id), {"is_ours": True}).json["state"] == "not_verified"
    # What the candidate has entered alone stays the candidate's.
    reply = west.patch(f"/school/candidates/{child.id}/", {"first_name": "Max"}, status=400).json
    assert [*reply["errors"]] == ["first_name"]
    of_name = next(each for each in listed(west) if each["user_id"] == str(child.id))
    assert of_name["fixed"] == ["first_name", "last_name", "phone"]
    west.patch(f"/school/candidates/{child.id}/", {"group": "7B", "year": 8, "external_id": "n1"})
    # The tie ends with another school, and does not come back with the name.
    for name in ("East", "West"):
        app.staff("manager").patch(f"/account-management/{child.id}/", {"school": name})
        west.patch(f"/school/candidates/{child.id}/", {"group": "7C"}, status=404)


def test_refusing_takes_a_candidate_off_the_list(app, manager, west):
    child = app.candidate(school="West")
    path = f"/school/candidates/{child.id}/confirm/"
    west.post(path, {"is_ours": False})
    assert listed(west) == []
    west.post(path, {"is_ours": True}, status=404)
    assert child.get("/candidates/me/").json["school"] == "West"
    west.post(f"/school/candidates/{manager.id}/confirm/", {"is_ours": True}, status=404)


def test_an_account_that_waits_for_its_deletion_is_not_changed(app, manager, west):
    pupil = enter(west, external_id="n1")
    manager.delete(f"/users/{pupil['user_id']}/", status=202)
    path = f"/school/candidates/{pupil['user_id']}/"
    reply = west.patch(path, {"group": "7B"}, status=400, code="invalid")
    assert "waiting for its deletion" in reply.text


def test_a_removed_pupil_can_be_taken_back(app, west):
    row = enter(west, external_id="n1", group="7B")
    path = f"/school/candidates/{row['user_id']}/"
    west.delete(path, status=204)
    west.delete(path, status=404)
    assert listed(west) == []
    [removed] = listed(west, "?state=removed")
    assert (removed["state"], removed["group"]) == ("removed", None)
    assert west.post(f"{path}confirm/", {"is_ours": True}).json["state"] == "verified"
    west.delete(path, status=204)
    enter(west, status=400)
    assert enter(west, external_id="n1")["user_id"] == row["user_id"]


def test_nothing_of_another_school_is_seen_or_changed(app, west, east):
    theirs = enter(east, external_id="n1")
    path = f"/school/candidates/{theirs['user_id']}/"
    assert listed(west) == []
    west.patch(path, {"group": "7B"}, status=404)
    west.delete(path, status=404)
    west.post(f"{path}confirm/", {"is_ours": True}, status=404)
    body = {"candidates": [theirs["user_id"]], "renew": True}
    west.post("/school/slips/", body, status=400, code="invalid")
    # The same number and names are another pupil here.
    assert enter(west, external_id="n1")["user_id"] != theirs["user_id"]
    address = f"{theirs['login']}@slip.invalid"
    reply = enter(west, email="other@east.example", external_id="n2")
    # The email address is not verified yet.
    assert (reply["state"], reply["login"]) == ("not_verified", None)
    refusal = west.post(
        "/school/candidates/",
        {"first_name": "Emmy", "last_name": "Noether", "email": address},
        status=400,
    ).json
    assert [*refusal["errors"]] == ["email"]


def test_an_address_in_use_says_no_more(app, west, east):
    stranger = app.candidate(school="North", first_name="Sofia", last_name="Kowalewskaja")
    member = app.staff("moderator", first_name="Sofia")
    for email in (stranger.email, member.email):
        body = {"first_name": "A", "last_name": "B", "email": email}
        reply = west.post("/school/candidates/", body, status=400)
        assert "Sofia" not in reply.text
        assert reply.json["errors"] == {"email": [str(IN_USE)]}


def test_a_merge_gives_no_rights_that_no_manager_decided(app, manager, west):
    admin = app.staff("admin")
    app.candidate(school="Westend")
    west_id = west.get("/school/").json["id"]
    body = {"names": ["Westend"], "reason": "one school"}
    preview = admin.post(f"/schools/{west_id}/merge/preview/", {"names": ["Westend"]}).json
    assert preview["needs_manager"] is True
    admin.post(f"/schools/{west_id}/merge/", body, status=403, code="permission_denied")
    assert west.get("/school/").json["unconfirmed"] == 0
    # The other way round, too.
    [other] = admin.get("/schools/?search=westend").json["results"]
    reverse = {"names": ["West"], "reason": "one school"}
    admin.post(f"/schools/{other['id']}/merge/", reverse, status=403)
    row = enter(west, external_id="n1")
    manager.post(f"/schools/{other['id']}/merge/", reverse)
    assert west.get("/school/").json["name"] == "Westend"
    assert {each["state"] for each in listed(west)} == {"verified", "unconfirmed"}
    assert row["user_id"] in {each["user_id"] for each in listed(west, "?state=verified")}


HEADER = "first_name,last_name,email,external_id,group\n"


def test_pupils_are_imported_and_missing_ones_are_listed(app, west):
    enter(west, "Max", "Born")
    content = HEADER + "Emmy,Noether,,n1,7B\nAda,King,ada@home.example,,7A\n"
    found = check(app, west, "pupils", content)
    assert (found["counts"]["missing"], found["invitations"]) == (1, 1)
    assert {each["state"] for each in rows(west, found)} == {"new"}
    assert apply(app, west, found)["counts"]["applied"] == 2
    assert names(listed(west, f"?missing_from={found['id']}")) == ["Max Born"]
    again = rows(west, check(app, west, "pupils", content))
    assert {each["state"] for each in again} == {"unchanged"}
    assert all("school" not in each["values"] for each in again)


def test_an_import_says_that_its_school_was_merged(app):
    with begin(app.runtime) as work:
        asked = Asked(0, None, frozenset(), scope=999)
        with pytest.raises(Invalid, match="merged or deleted"):
            list(importing.check(work, asked, []))


def test_imports_of_another_school_are_404(app, manager, west, east):
    found = check(app, east, "pupils", HEADER + "Emmy,Noether,,n1,7B\n")
    path = f"/imports/{found['id']}/"
    for each in (path, f"{path}rows/"):
        west.get(each, status=404)
    west.post(f"{path}apply/", {}, status=404)
    west.delete(path, status=404)
    assert west.get("/imports/").json["results"] == []
    assert listed(west, "") == []
    west.get(f"/school/candidates/?missing_from={found['id']}", status=400)
    manager.get(path)
    manager.post(f"{path}apply/", {}, status=403)
    send(app.staff("volunteer"), "pupils", HEADER + "A,B,,,\n", status=403)
    west.get("/imports/templates/pupils/")
    assert apply(app, east, found)["status"] == "applied"


def test_a_row_with_the_address_of_who_typed_the_name_confirms(app, west):
    child = app.candidate(school="West", first_name="Emmy", last_name="Noether", phone="")
    content = HEADER + f"Emmy,Noether,{child.email},n1,7B\n"
    [row] = bring(app, west, "pupils", content)
    assert row["state"] == "changed"
    assert child.email not in str(row["before"])
    [after] = listed(west)
    assert (after["state"], after["group"], after["external_id"]) == ("verified", "", None)


def test_a_name_proves_nobody(app, west):
    app.candidate(school="West", first_name="Emmy", last_name="Noether")
    checked = rows(west, check(app, west, "pupils", HEADER + "Emmy,Noether,,,\n"))
    assert [each["state"] for each in checked] == ["invalid"]
    enter(west, status=400)


def test_before_never_has_an_address_or_a_phone_number(app, west):
    enter(west, external_id="n1")
    header = "first_name,last_name,external_id,phone\n"
    bring(app, west, "pupils", header + "Emmy,Noether,n1,+49 9131 1882\n")
    [row] = rows(west, check(app, west, "pupils", header + "Emmy,Noether,n1,+49 9131 1883\n"))
    assert (row["state"], row["before"]) == ("changed", {"phone": ""})


def test_the_row_of_a_removed_pupil_shows_only_state_and_year_before(app, manager, west):
    """Applying the row changes the other values, too, and the audit trail has the old ones."""
    header = "first_name,last_name,external_id,phone,group,year\n"
    bring(app, west, "pupils", header + "Emmy,Noether,n1,+49 9131 1882,7B,7\n")
    [pupil] = listed(west)
    west.delete(f"/school/candidates/{pupil['user_id']}/", status=204)
    content = header + "Emma,Noether,n1,+49 9131 1883,8B,8\n"
    [row] = bring(app, west, "pupils", content)
    assert (row["state"], row["before"]) == ("changed", {"state": "removed", "year": 7})
    [pupil] = listed(west)
    shown = (pupil["full_name"], pupil["group"], pupil["year"], pupil["state"])
    assert shown == ("Emma Noether", "8B", 8, "verified")
    [entry] = manager.get("/audit/?action=account.change").json["results"]
    assert (entry["old"]["phone"], entry["old"]["group"]) == ("+4991311882", "7B")


def test_a_school_enters_only_so_many_pupils(app_with):
    app = app_with({"competition.teachers.most_pupils": "2"})
    west = teacher(app, app.staff("manager"), "West")
    enter(west, "A", "A")
    checked = rows(west, check(app, west, "pupils", HEADER + "B,B,,,\nC,C,,,\n"))
    assert [each["state"] for each in checked] == ["new", "invalid"]


@pytest.mark.parametrize("came", [True, False])
def test_a_closed_season_keeps_the_exams_and_pupils_who_did_not_come(
    app, manager, west, east, came
):
    """Also an exam to which nobody came, or nobody of the teacher's school."""
    away = enter(west, "A", "A")
    enter(east, "B", "B")
    exam_id = make_exam(app, manager, "A")
    if came:
        guest = app.candidate()
        take(guest, exam_id, status=200)
        submit(guest, exam_id, answers(app, exam_id, "A"), status=201)
        app.run_jobs()
    # The pupils of this school never had the stage of the exam.
    league = make_exam(app, manager, "A", stage="league")
    app.clock.advance(hours=13)
    publish(app, app.staff("admin"))

    def shown(query):
        person = app.new_session(west)
        exams = person.get(f"/school/exams/{query}", status=200).json["results"]
        pupils = person.get(f"/school/exams/{exam_id}/", status=200).json["results"]
        states = [(each["user_id"], each["state"]) for each in pupils]
        person.get(f"/school/exams/{league}/", status=404)
        paths = (f"/school/exams/{exam_id}/results/", f"/exports/school/exams/{exam_id}/results/")
        replies = [person.get(path, status="any").status_int for path in paths]
        return exams, states, replies

    exams, states, _ = before = shown("")
    assert [each["id"] for each in exams] == [exam_id]
    assert states == [(away["user_id"], "not_started")]
    app.staff("superadmin").post("/seasons/", {"name": "Next"}, status=201)
    *_, closed = app.new_session(west).get("/seasons/").json["results"]
    assert shown(f"?season={closed['id']}") == before
    assert app.new_session(west).get("/school/exams/").json["results"] == []


def test_the_pupils_of_last_season_join_again_by_the_list(app, manager, west):
    stays = enter(west, "A", "A", external_id="1", year=5)
    later = enter(west, "B", "B", external_id="2")
    gone = enter(west, "C", "C")
    west.delete(f"/school/candidates/{gone['user_id']}/", status=204)
    exam_id = make_exam(app, manager, "A")
    [slip] = west.post("/school/slips/", {"candidates": [stays["user_id"]]}).json["slips"]
    pupil = app.client(app.log_in(slip["login"], slip["code"]).json["access"])
    take(pupil, exam_id, status=200)
    submit(pupil, exam_id, answers(app, exam_id, "A"), status=201)
    app.run_jobs()
    assert [each["fixed"] for each in listed(west)] == [["first_name", "last_name", "year"], []]
    app.clock.advance(hours=13)
    publish(app, app.staff("admin"))
    app.staff("superadmin").post("/seasons/", {"name": "Next"}, status=201)
    west = app.new_session(west)
    [season] = [each for each in west.get("/seasons/").json["results"] if each["closed_at"]]

    assert names(listed(west)) == []
    assert names(listed(west, "?state=not_joined")) == ["A A", "B B"]
    assert names(listed(west, "?state=removed")) == ["C C"]
    assert west.get("/school/").json["candidates"] == 0
    assert west.get("/school/exams/").json["results"] == []
    [exam] = west.get(f"/school/exams/?season={season['id']}").json["results"]
    assert exam["id"] == exam_id
    west.get("/school/exams/?season=999", status=400, code="invalid")

    header = "first_name,last_name,external_id,year\n"
    checked = check(app, west, "pupils", f"{header}A,A,1,6\n")
    [row] = rows(west, checked)
    assert (row["state"], row["before"]["year"]) == ("changed", 5)
    done = apply(app, west, checked)
    assert done["counts"]["missing"] == 0
    [pupil] = listed(west)
    assert (pupil["full_name"], pupil["state"], pupil["year"]) == ("A A", "verified", 6)
    # A name stays after an exam of any season.
    assert pupil["fixed"] == ["first_name", "last_name"]
    path = f"/school/candidates/{stays['user_id']}/"
    west.patch(path, {"first_name": "Z"}, status=400, code="invalid")
    west.patch(path, {"year": 7}, status=200)
    west.delete(f"/school/candidates/{later['user_id']}/", status=204)
    bring(app, west, "pupils", f"{header}B,B,2,\n")
    assert names(listed(west)) == ["A A", "B B"]
    # A pupil who was removed last season can be taken back, too. Otherwise, only a second account
    # would be possible.
    enter(west, "C", "C", status=400)
    taken_back = west.post(f"/school/candidates/{gone['user_id']}/confirm/", {"is_ours": True})
    assert taken_back.json["state"] == "verified"
    assert names(listed(west)) == ["A A", "B B", "C C"]


def test_without_the_setting_a_pupil_waits_for_a_manager(app_with):
    app = app_with({"competition.teachers.verify": "false"})
    west = teacher(app, app.staff("manager"), "West")
    assert enter(west)["state"] == "not_verified"
    child = app.candidate(school="West", verification="pending")
    path = f"/school/candidates/{child.id}/confirm/"
    assert west.post(path, {"is_ours": True}).json["state"] == "not_verified"


def test_teachers_are_imported(app, manager):
    school(manager, "West")
    content = (
        f"email,first_name,last_name,school\n{EMAIL},Ada,Lovelace,west\n"
        "max@x.example,Max,Born,South\n"
    )
    found = check(app, manager, "teachers", content)
    assert [each["state"] for each in rows(manager, found)] == ["new", "invalid"]
    manager.post(f"/imports/{found['id']}/apply/", {"invalid": "skip"}, status=202)
    app.run_jobs()
    assert len(app.mails(EMAIL)) == 1
    [row] = manager.get("/schools/?search=west").json["results"]
    assert row["teachers"] == 1
    send(app.staff("admin"), "teachers", content, status=403)


def test_a_phone_number_that_is_a_number_is_a_warning(app, manager):
    school(manager, "West")
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["E-mail", "First name", "Surname", "School", "Phone"])
        sheet.write_row(1, 0, [EMAIL, "Ada", "Lovelace", "West", 8010483043])
    [row] = rows(manager, check(app, manager, "teachers", content.getvalue(), "teachers.xlsx"))
    assert "lost a zero" in row["warnings"][0]


def exam_of(app, **fields):
    exam = {
        "title": "Round 1",
        "stage": "screening",
        "round": 1,
        "description": "",
        "scheduled_date": "2026-03-02T09:00:00Z",
        "countdown_minutes": 60,
        "open_duration_hours": 2,
        **fields,
    }
    return app.staff("admin").post("/exams/", exam).json["id"]


@pytest.mark.parametrize(
    ("search", "found"),
    [("", 2), ("noether", 1), ("emmy noe", 1), ("born emmy", 0), ("%", 0), ("Édmy", 0)],
)
def test_a_teacher_finds_a_pupil_of_an_exam_by_name(app, manager, west, search, found):
    exam_id = exam_of(app)
    ids = [enter(west, *name)["user_id"] for name in (("Emmy", "Noether"), ("Max", "Born"))]
    path = f"/school/exams/{exam_id}/"
    query = f"?search={quote(search)}"
    assert len(west.get(f"{path}{query}").json["results"]) == found
    app.clock.advance(days=3)
    admin, west = app.staff("admin"), app.new_session(west)
    for number, user_id in enumerate(ids, start=1):
        body = {"candidate_id": user_id, "score": number * 40}
        admin.put(f"/exams/{exam_id}/submit-exam-score/", body)
    admin.post("/leaderboard/publish/", status="any")
    app.run_jobs()
    results = west.get(f"{path}results/{query}").json
    # The average is that of all pupils.
    assert (len(results["results"]), results["average"]) == (found, 60.0)


def test_a_teacher_sees_exams_states_and_results_of_own_pupils(app, manager, west, east):
    exam_id = exam_of(app)
    row = enter(west, group="7B")
    enter(east, "Max", "Born")
    [exam] = west.get("/school/exams/").json["results"]
    assert (exam["id"], exam["counts"]) == (
        exam_id,
        {"not_started": 1, "sitting": 0, "submitted": 0},
    )
    [state] = west.get(f"/school/exams/{exam_id}/").json["results"]
    assert (state["user_id"], state["state"]) == (row["user_id"], "not_started")
    assert west.get(f"/school/exams/{exam_id}/?group=7A").json["results"] == []
    results = f"/school/exams/{exam_id}/results/"
    export = f"/exports{results}"
    for path in (results, export):
        west.get(path, status=403, code="permission_denied")
    west.get("/school/exams/999999/", status=404)
    app.clock.advance(days=3)
    admin, west = app.staff("admin"), app.new_session(west)
    body = {"candidate_id": row["user_id"], "score": 80}
    admin.put(f"/exams/{exam_id}/submit-exam-score/", body)
    admin.post("/leaderboard/publish/", status="any")
    app.run_jobs()
    found = west.get(results).json
    assert found["average"] == 80.0
    assert [(each["score"], each["rank"]) for each in found["results"]] == [(80.0, 1)]
    [line] = lines(west.get(export))
    assert line == {
        **{"user_id": row["user_id"], "full_name": "Emmy Noether", "year": "", "group": "7B"},
        **{"score": "80", "rank": "1"},
    }
    app.staff("volunteer").get(export, status=404)
    # No pupil of East has taken part.
    assert lines(app.new_session(east).get(export)) == []


class LastYear:
    """An exam of a closed season: Emmy (80), Max (40) and Paul (30) were pupils of West. Since then
    Emmy has moved to East, and is in a higher year."""

    def __init__(self, app, manager, west, east):
        self.app, self.teachers = app, {"west": west, "east": east}
        emmy = enter(west, "Emmy", "Noether", year=7, group="7A")
        max_ = enter(west, "Max", "Born", year=7, group="7B")
        paul = enter(west, "Paul", "Dirac")
        own = enter(east, "Sofia", "Kowalewskaja", year=7, group="7A")
        # A candidate who has only typed the name of the school counts in no average.
        stranger = app.candidate(school="West")
        exam_id = exam_of(app)
        app.clock.advance(days=3)
        admin = app.new_session(app.staff("admin"))
        scores = {emmy["user_id"]: 80, max_["user_id"]: 40, paul["user_id"]: 30}
        scores |= {own["user_id"]: 60, str(stranger.id): 1}
        for person, score in scores.items():
            body = {"candidate_id": person, "score": score}
            admin.put(f"/exams/{exam_id}/submit-exam-score/", body)
        publish(app, admin)
        self.path = f"/school/exams/{exam_id}/"
        self.before = self.averages()
        superadmin = app.staff("superadmin")
        superadmin.post("/seasons/", {"name": "Next", "join": "everybody"}, status=201)
        boss = app.new_session(app.staff("manager"))
        now = {"school": "East", "year": 8, "group": "8C"}
        boss.patch(f"/account-management/{emmy['user_id']}/", now, status=200)
        [moved] = listed(self.session("east"), "?state=unconfirmed")
        path = f"/school/candidates/{moved['user_id']}/confirm/"
        self.session("east").post(path, {"is_ours": True}, status=200)
        self.max = max_["user_id"]

    def session(self, teacher):
        return self.app.new_session(self.teachers[teacher])

    def averages(self):
        return [
            self.session(each).get(f"{self.path}results/", status=200).json["average"]
            for each in self.teachers
        ]


@pytest.fixture
def last_year(app, manager, west, east):
    return LastYear(app, manager, west, east)


def test_the_average_of_a_closed_season_is_that_of_the_pupils_of_its_end(last_year):
    assert last_year.before == [50.0, 60.0]
    assert last_year.averages() == last_year.before
    # A school removes pupils who have left it.
    last_year.session("west").delete(f"/school/candidates/{last_year.max}/", status=204)
    assert last_year.averages() == last_year.before


def test_a_merge_moves_the_pupils_of_closed_seasons_too(app, last_year):
    boss = app.new_session(app.staff("manager"))
    other = boss.post("/schools/", {"name": "North"}, status=201).json["id"]
    boss.post(f"/schools/{other}/merge/", {"names": ["West"], "reason": "one school"}, status=200)
    assert last_year.averages() == last_year.before


def test_a_teacher_sees_own_pupils_with_the_year_and_group_of_the_season(last_year):
    """The pupils are those of today. In the season of the exam, they may have been in another
    school."""
    east = last_year.session("east")
    for path in (last_year.path, f"{last_year.path}results/"):
        rows = east.get(path, status=200).json["results"]
        shown = {each["full_name"]: (each["year"], each["group"]) for each in rows}
        assert shown == {"Emmy Noether": (7, "7A"), "Sofia Kowalewskaja": (7, "7A")}, path
        assert names(east.get(f"{path}?group=8C").json["results"]) == []
        assert len(east.get(f"{path}?group=7A").json["results"]) == 2
        assert names(last_year.session("west").get(path).json["results"]) == [
            "Max Born",
            "Paul Dirac",
        ]
    exported = lines(east.get(f"/exports{last_year.path}results/", status=200))
    assert {(each["year"], each["group"]) for each in exported} == {("7", "7A")}


def test_a_teacher_reaches_nothing_else(app, west):
    child = app.candidate(school="West")
    for path in (
        "/questions/",
        "/exams/",
        "/candidates/",
        f"/candidates/{child.id}/",
        "/user/verification/list/",
        "/schools/",
        "/audit/",
        "/leaderboard/",
    ):
        west.get(path, status=403)
    app.log_in(child.email, PASSWORD)
