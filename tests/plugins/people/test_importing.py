"""Imports of candidates and of staff (organisers.md, O1)."""

import pytest
from sqlalchemy import select

from competition.core import flags
from competition.core.users import personal_data
from competition.core.users.models import Candidate, Staff, User
from competition.core.work import begin
from competition.plugins.accounts.events import AccountsRegistered
from competition.testing.service import text_of
from tests.support.imports import FILES, apply, bring, check, rows

NAMES = "first_name,last_name,school"
ADA = "Ada,Lovelace,Hillside School"
CONSENT = {"competition.privacy.consent_text": "I agree."}


def account(app, email):
    with begin(app.runtime) as work:
        return work.db.scalars(select(User).where(User.email == email)).one()


def candidates(app):
    with begin(app.runtime) as work:
        return work.db.scalars(select(Candidate).order_by(Candidate.number)).all()


def found(app, person, content, kind="candidates"):
    return rows(person, check(app, person, kind, content))


def states(listed):
    return [each["state"] for each in listed]


# New candidates.


def test_a_new_candidate_is_in_the_first_stage_without_a_password(app, manager):
    header = NAMES + ",email,external_id,phone,year,group\n"
    content = f"{header}{ADA},ADA@x.example,N-7,+44 20 7946,9,9B\n"
    registered = []
    app.subscribe(AccountsRegistered, registered.append)
    bring(app, manager, "candidates", content)
    ada = account(app, "ada@x.example")
    assert (ada.role, ada.status, ada.is_email_verified) == ("screening", "inactive", False)
    assert (ada.phone, ada.year, ada.group, ada.external_id) == ("+44207946", 9, "9B", "N-7")
    assert ada.verification == "not_submitted"
    app.log_in(ada.email, status=401)
    assert [[*each.contributed] for each in registered] == [[ada.id]]
    [entry] = manager.get(f"/audit/?target_id={ada.id}").json["results"]
    assert entry["action"] == "account.enter"


def test_each_new_candidate_with_an_address_is_invited_once(app, manager):
    header = NAMES + ",email\n"
    bring(app, manager, "candidates", f"{header}{ADA},ada@x.example\nAlan,Turing,Hillside,\n")
    [mail] = app.mails()
    assert mail["To"] == "ada@x.example"
    assert "set a password" in text_of(mail)
    app.anonymous.post("/auth/password-change/request/", {"email": "ada@x.example"})
    new = {"new_password": "other horse battery", "confirm_password": "other horse battery"}
    code = {"email": "ada@x.example", "otp": app.otp("ada@x.example")}
    app.anonymous.post("/auth/password-change/", {**code, **new})
    assert app.log_in("ada@x.example", "other horse battery").json["access"]
    assert account(app, "ada@x.example").is_email_verified


def test_nobody_is_invited_if_the_organiser_does_not_want_it(app, manager):
    checked = check(app, manager, "candidates", f"{NAMES},email\n{ADA},ada@x.example\n")
    apply(app, manager, checked, invite=False)
    assert app.mails() == []


def test_a_candidate_without_an_address_gets_a_login(app, manager):
    bring(app, manager, "candidates", f"{NAMES}\n{ADA}\nAlan,Turing,Hillside School\n")
    one, other = candidates(app)
    login, _, domain = one.email.partition("@")
    assert domain == "slip.invalid"
    assert len(login) == 6
    assert not set(login) & set("0o1ilaeu")
    assert one.email != other.email
    assert (one.is_email_verified, one.phone) == (True, "")


def test_the_league_can_vouch_for_the_identity(app, manager):
    header = f"{NAMES},email,verified\n"
    pending = app.candidate(verification="pending", first_name="Ada", last_name="B")
    rejected = app.candidate(verification="rejected", first_name="Ada", last_name="C")
    none = app.candidate(verification="not_submitted", first_name="Ada", last_name="D")
    content = (
        f"{header}{ADA},ada@x.example,Oui\n"
        f"Ada,B,Hillside School,{pending.email},TRUE\n"
        f"Ada,C,Hillside School,{rejected.email},1\n"
        f"Ada,D,Hillside School,{none.email},no\n"
    )
    listed = bring(app, manager, "candidates", content)
    assert states(listed) == ["new", "changed", "unchanged", "unchanged"]
    assert listed[1]["before"] == {"verified": False}
    assert len(listed[2]["warnings"]) == 1
    approved = [account(app, each).verification for each in ("ada@x.example", pending.email)]
    assert approved == ["approved", "approved"]
    assert app.user(rejected).verification == "rejected"
    assert app.user(none).verification == "not_submitted"
    query = f"/audit/?target_id={pending.id}&action=identity.vouch"
    [entry] = manager.get(query).json["results"]
    assert (entry["old"], entry["new"]) == ("pending", "approved")


def test_a_consent_is_needed_if_the_service_requires_one(app_with):
    app = app_with(CONSENT)
    manager = app.staff("manager")
    old = app.candidate(first_name="Old", last_name="Pupil")
    header = f"{NAMES},email,guardian_name,guardian_email\n"
    content = (
        f"{header}{ADA},ada@x.example,,\n"
        "Alan,Turing,Hillside School,alan@x.example,Julius Turing,\n"
        f"Old,Pupil,Seaside School,{old.email},,\n"
    )
    checked = check(app, manager, "candidates", content)
    listed = rows(manager, checked)
    assert states(listed) == ["invalid", "new", "changed"]
    assert [*listed[0]["errors"]] == ["guardian_name"]
    apply(app, manager, checked, invalid="skip")
    with begin(app.runtime) as work:
        alan = work.db.scalars(select(User).where(User.email == "alan@x.example")).one()
        text = str(personal_data.export(work, alan.id))
    assert "Julius Turing" in text


# How a candidate is known.


def test_known_by_the_address(app, manager):
    ada = app.candidate(first_name="Ada", last_name="Byron", school="Seaside School")
    [row] = bring(
        app, manager, "candidates", f"{NAMES},email,group\n{ADA},{ada.email.upper()},Form B\n"
    )
    assert row["state"] == "changed"
    assert row["before"] == {"last_name": "Byron", "school": "Seaside School", "group": ""}
    user = app.user(ada)
    assert (user.last_name, user.school, user.group) == ("Lovelace", "Hillside School", "Form B")
    query = f"/audit/?target_id={ada.id}&action=account.change"
    [entry] = manager.get(query).json["results"]
    assert entry["old"] == row["before"]


def test_known_by_school_and_number_in_any_spelling(app, manager):
    ada = app.candidate(first_name="Ada", last_name="Byron", external_id="n7a", school="Lycée Zola")
    content = f"{NAMES},external_id\nAda,Lovelace,LYCÉE\u00a0ZOLA,N7A\n"
    [row] = bring(app, manager, "candidates", content)
    assert (row["state"], row["before"]) == ("changed", {"last_name": "Byron"})
    user = app.user(ada)
    assert (user.external_id, user.school, user.last_name) == ("n7a", "Lycée Zola", "Lovelace")


def test_known_by_school_and_names(app, manager):
    ada = app.candidate(first_name="Ada", last_name="O'Brien", school="Hillside School")
    content = f"{NAMES},group\nADA,O’Brien,hillside  school,Form B\n"  # noqa: RUF001
    for state in ("changed", "unchanged"):
        [row] = bring(app, manager, "candidates", content)
        assert row["state"] == state
        assert row["before"] == ({"group": ""} if state == "changed" else {})
    user = app.user(ada)
    assert (user.group, user.first_name, user.last_name) == ("Form B", "Ada", "O'Brien")


def test_known_by_the_address_another_spelling_of_the_name_is_a_correction(app, manager):
    ada = app.candidate(first_name="ada", last_name="LOVELACE", school="Hillside School")
    [row] = bring(app, manager, "candidates", f"{NAMES},email\n{ADA},{ada.email}\n")
    assert row["before"] == {"first_name": "ada", "last_name": "LOVELACE"}


def test_names_that_two_candidates_have_ask_for_a_number(app, manager):
    for _ in range(2):
        app.candidate(first_name="Ada", last_name="Lovelace", school="Hillside School")
    [row] = found(app, manager, f"{NAMES}\n{ADA}\n")
    assert "external_id" in row["errors"]["line"][0]


def test_names_that_two_rows_have_ask_for_a_number(app, manager):
    listed = found(app, manager, f"{NAMES},email\n{ADA},\n{ADA},ada@x.example\n")
    assert states(listed) == ["invalid", "new"]


def test_a_row_that_makes_a_second_account_with_the_same_names_is_a_warning(app, manager):
    first = app.candidate(
        email="bcd234@slip.invalid", first_name="Ada", last_name="Lovelace", school="A"
    )
    app.candidate(first_name="Alan", last_name="Turing", school="A")
    app.candidate(first_name="Kurt", last_name="Gödel", school="B")
    header = f"{NAMES},email,external_id\n"
    content = f"{header}ADA,Lovelace,a,,N1\nAlan,Turing,A,alan@x.example,\nKurt,Gödel,A,,N3\n"
    ada, alan, kurt = found(app, manager, content)
    assert states([ada, alan, kurt]) == ["new"] * 3
    assert "Ada Lovelace" in ada["warnings"][0]
    assert first.email in ada["warnings"][0]
    assert "the email address or the number" in alan["warnings"][0]
    assert kurt["warnings"] == []
    # The address from the warning names the account, and the line adds the number to it.
    [row] = bring(app, manager, "candidates", f"{header}Ada,Lovelace,A,{first.email},N1\n")
    assert (row["state"], row["warnings"]) == ("changed", [])
    assert app.user(first).external_id == "N1"


def test_of_two_pupils_with_the_same_names_the_known_one_is_no_warning(app, manager):
    for number in ("N1", "N2"):
        app.candidate(first_name="Ada", last_name="Lovelace", school="A", external_id=number)
    lines = "".join(f"Ada,Lovelace,A,{number}\n" for number in ("N1", "N2", "N3"))
    listed = found(app, manager, f"{NAMES},external_id\n{lines}")
    assert states(listed) == ["unchanged", "unchanged", "new"]
    assert [each["warnings"] for each in listed] == [[], [], []]


@pytest.mark.parametrize(
    ("row", "field", "words"),
    [
        ("Ada,One,{school},{one},N2", "external_id", "that of Ada One, and the number"),
        ("Ada,Two,{school},new@x.example,N2", "email", "Ada Two has this number"),
        ("Eve,Nobody,{school},{one},", "email", "address of Ada One"),
        ("Eve,Nobody,{school},,N2", "external_id", "number of Ada Two"),
        ("Ada,Staff,{school},{staff},", "email", "member of staff"),
        ("Ada,X,{school},bcd234@slip.invalid,", "email", "no account with this login"),
        ("Ada,X,{school},x@erased.invalid,", "email", "Use another address"),
        (",,,,", None, None),
        (",,Total,,", "line", "If it is a total"),
        ("Ada,,{school},new@x.example,", "last_name", "required"),
        ("Ada,X,,new@x.example,", "school", "required"),
        ("Ada,X,{school},Mrs X (x@x.example),", "email", "not a valid email address"),
        ("Ada,X,{school},ada..x@x.example,", "email", "Use another address"),
        ("Ada,X,{school},ada@x.123,", "email", "Use another address"),
    ],
)
def test_rows_that_do_not_fit_are_invalid(app, manager, row, field, words):
    one = app.candidate(first_name="Ada", last_name="One")
    app.candidate(first_name="Ada", last_name="Two", external_id="N2", school="Hillside School")
    staff = app.staff("moderator")
    filled = row.format(school="Hillside School", one=one.email, staff=staff.email)
    header = f"{NAMES},email,external_id\n"
    listed = found(app, manager, f"{header}{filled}\nAlan,Turing,Hillside School,,\n")
    if field is None:
        assert states(listed) == ["new"]
        return
    assert [*listed[0]["errors"]] == [field]
    assert words in listed[0]["errors"][field][0]


def test_an_account_without_email_gets_no_address(app, manager):
    ada = app.candidate(
        email="bcd234@slip.invalid", first_name="Ada", last_name="Byron", external_id="N1"
    )
    content = f"{NAMES},email,external_id\n{ADA},ada@x.example,N1\n"
    [row] = bring(app, manager, "candidates", content)
    assert (row["state"], row["before"]) == ("changed", {"last_name": "Byron"})
    assert "an import can't add an address" in row["warnings"][0]
    assert app.user(ada).email == "bcd234@slip.invalid"
    other = f"{NAMES},email,external_id\nEve,Nobody,Hillside School,eve@x.example,N1\n"
    [row] = found(app, manager, other)
    assert row["errors"] == {
        "external_id": ["This is the number of Ada Lovelace. Correct the number or the name."]
    }
    by_login = f"{NAMES},email\n{ADA},BCD234@slip.invalid\n"
    assert states(found(app, manager, by_login)) == ["unchanged"]


def test_the_same_person_twice_names_the_earlier_line(app, manager):
    ada = app.candidate(first_name="Ada", last_name="Lovelace", external_id="N1")
    content = (
        f"{NAMES},email,external_id\n{ADA},x@x.example,\nAlan,Turing,A,X@x.example,\n"
        f"Kurt,G,B,,N9\nEmil,P,b,,n9\n{ADA},{ada.email},\n{ADA},,N1\n"
    )
    listed = found(app, manager, content)
    assert states(listed) == ["new", "invalid", "new", "invalid", "unchanged", "invalid"]
    assert listed[1]["errors"] == {
        "email": [
            "Line 2 has the same email address. Give each pupil a different address, or none."
        ]
    }
    assert listed[3]["errors"] == {
        "external_id": ["Line 4 has the same number. Correct one of the two numbers."]
    }
    assert listed[5]["errors"] == {
        "line": ["Line 6 is about the same person. Delete one of the two lines."]
    }


def test_empty_cells_and_missing_columns_change_nothing(app, manager):
    ada = app.candidate(
        first_name="Ada", last_name="Lovelace", year=9, group="9B", external_id="N1"
    )
    content = f"{NAMES},email,group,phone\n{ADA},{ada.email},,\n"
    assert states(found(app, manager, content)) == ["unchanged"]


def test_numbers_that_only_lose_their_zeros_have_warnings(app, manager):
    """A spreadsheet that opens a CSV file removes these zeros, and saves the file without them."""
    ada = app.candidate(first_name="Ada", school="A", external_id="0070", phone="08010480001")
    header = "email,first_name,last_name,school,phone,external_id\n"
    known = f"{ada.email},Ada,{account(app, ada.email).last_name},A"
    for cells, fields in {
        "08010480001,0070": [],
        "8010480001,70": ["phone", "external_id"],
        "+2348010480001,0071": [],
        "801048000,7": [],
    }.items():
        [row] = found(app, manager, f"{header}{known},{cells}\n")
        assert row["state"] == ("changed" if row["before"] else "unchanged")
        assert [each.split(" would lose the zeros")[0] for each in row["warnings"]] == fields
    bob = app.staff("moderator", phone="08010480001")
    content = f"email,first_name,last_name,phone\n{bob.email},Bob,One,8010480001\n"
    [row] = found(app, manager, content, "staff")
    assert row["warnings"][0].startswith("phone would lose the zeros")


def test_another_school_has_not_given_the_number(app, manager):
    ada = app.candidate(
        first_name="Ada", last_name="Lovelace", external_id="N1", school="Seaside School"
    )
    [row] = bring(app, manager, "candidates", f"{NAMES},email\n{ADA},{ada.email}\n")
    assert row["before"] == {"school": "Seaside School", "external_id": "N1"}
    assert app.user(ada).external_id is None


def test_the_school_that_counts_is_no_change(app, manager):
    """The candidate has typed the name of another school since staff have approved this one."""
    ada = app.candidate(
        first_name="Ada", last_name="Lovelace", school="Typed", approved_school="Hillside School"
    )
    header = f"{NAMES},email\n"
    assert states(found(app, manager, f"{header}{ADA},{ada.email}\n")) == ["unchanged"]
    assert app.user(ada).school == "Typed"
    [row] = bring(app, manager, "candidates", f"{header}Ada,Lovelace,Typed,{ada.email}\n")
    assert row["state"] == "changed"
    assert (app.user(ada).school, app.user(ada).approved_school) == ("Typed", None)


@pytest.mark.parametrize("deactivated", ["never", "before", "after"])
def test_an_account_that_waits_for_its_deletion_is_invalid(app, manager, deactivated):
    ada = app.candidate(first_name="Ada", last_name="Lovelace")
    if deactivated == "before":
        manager.put(f"/account-management/{ada.id}/activation/", {"is_active": False})
    manager.delete(f"/users/{ada.id}/")
    if deactivated == "after":
        manager.put(f"/account-management/{ada.id}/activation/", {"is_active": False})
    content = f"{NAMES},email\n{ADA},{ada.email}\n"
    [row] = found(app, manager, content)
    assert "waiting for its deletion" in row["errors"]["line"][0]


def test_years_are_taken_from_groups_that_all_begin_with_one(app, manager):
    header = f"{NAMES},group\n"
    listed = found(app, manager, f"{header}A,B,C,6B\nD,E,F,11\nG,H,I,\n")
    assert [each["values"].get("year") for each in listed] == [6, 11, None]
    assert [len(each["warnings"]) for each in listed] == [1, 0, 0]
    listed = found(app, manager, f"{header}A,B,C,6B\nD,E,F,SS1A\n")
    assert [each["values"].get("year") for each in listed] == [None, None]
    listed = found(app, manager, f"{header}A,B,C,06B\nTotal,,,25\n")
    assert listed[0]["values"]["year"] == 6
    listed = found(app, manager, f"{header}A,B,C,14\n")
    assert "year" not in listed[0]["values"]
    listed = found(app, manager, f"{NAMES},group,year\nA,B,C,6B,7\nD,E,F,6B,\n")
    assert [each["values"].get("year") for each in listed] == [7, None]


@pytest.mark.parametrize(
    ("name", "value"), [("year", "14"), ("year", "x"), ("group", "x" * 51), ("phone", "x")]
)
def test_wrong_cells_are_named(app, manager, name, value):
    [row] = found(app, manager, f"{NAMES},{name}\n{ADA},{value}\n")
    assert [*row["errors"]] == [name]
    assert row["values"][name] == value


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        *(("year", each, "Write only the number of the school year") for each in ("6th", "JSS1")),
        *(("verified", each, "Write yes or no.") for each in ("x", "Ja")),
    ],
)
def test_messages_about_cells_say_what_to_write(app, manager, name, value, message):
    [row] = found(app, manager, f"{NAMES},{name}\n{ADA},{value}\n")
    assert row["errors"][name][0].startswith(message)


def test_a_line_break_in_a_name_is_a_space(app, manager):
    content = f'{NAMES},email\n"Ada\r\nAugusta","King \nNoel",Hillside,"a@x.example\nb@x.example"\n'
    [row] = found(app, manager, content)
    assert (row["values"]["first_name"], row["values"]["last_name"]) == ("Ada Augusta", "King Noel")
    assert [*row["errors"]] == ["email"]


def test_a_closed_registration_does_not_matter(app, manager, run_flag):
    run_flag("candidate_registration", on=False)
    bring(app, manager, "candidates", f"{NAMES}\n{ADA}\n")
    assert len(candidates(app)) == 1


@pytest.fixture
def run_flag(app):
    def switch(name, *, on):
        with begin(app.runtime) as work:
            flags.switch(work, name, on)

    return switch


# Files that people really have.


def test_a_french_list(app, manager):
    content = (FILES / "excel-french-semicolon-cp1252.csv").read_bytes()
    checked = check(app, manager, "candidates", content)
    assert checked["ignored_columns"] == ["Né(e) le"]
    listed = rows(manager, checked)
    assert states(listed) == ["new"] * 25
    assert listed[0]["values"]["school"] == "Lycée Émile Zola; Cotonou"
    assert listed[0]["values"]["phone"] == "0612345678"
    assert listed[2]["values"]["phone"] == "+33612345678"


def test_a_class_list_without_a_school_names_what_is_missing(app, manager):
    content = (FILES / "school-200-merged-header.xlsx").read_bytes()
    checked = check(app, manager, "candidates", content, "class.xlsx")
    assert checked["status"] == "failed"
    assert "It has no column school." in checked["detail"]


def test_a_list_with_a_separator_line(app, manager):
    content = (FILES / "excel-sep-line.csv").read_bytes()
    listed = rows(manager, check(app, manager, "candidates", content))
    assert states(listed) == ["new"] * 10
    assert listed[2]["values"]["phone"] == "08010483043"


def test_a_registration_with_one_column_of_names_fails(app, manager):
    content = (FILES / "competition-registration.csv").read_bytes()
    checked = check(app, manager, "candidates", content)
    assert checked["status"] == "failed"
    assert "“Name” can't be split" in checked["detail"]
    checked = check(app, manager, "candidates", "NOM ET PRENOM;École\nLovelace Ada;Hillside\n")
    assert "“NOM ET PRENOM” can't be split" in checked["detail"]


# Staff.

STAFF = "email,first_name,last_name,occupation,role\n"


def test_new_staff_are_invited(app, manager):
    content = STAFF + "ada@x.example,Ada,Lovelace,Teacher,Moderator\nbob@x.example,Bob,B,,\n"
    bring(app, manager, "staff", content)
    ada, bob = account(app, "ada@x.example"), account(app, "bob@x.example")
    assert isinstance(ada, Staff)
    assert (ada.role, ada.occupation, ada.is_invited) == ("moderator", "Teacher", True)
    assert (bob.role, bob.occupation, bob.phone) == ("volunteer", "", "")
    assert {each["To"] for each in app.mails()} == {"ada@x.example", "bob@x.example"}
    assert len(manager.get("/audit/?action=staff.invite").json["results"]) == 2


def test_known_staff_are_changed_but_keep_their_rank(app, manager):
    ada = app.staff("moderator", first_name="Ada", last_name="Byron")
    content = f"{STAFF}{ada.email},Ada,Lovelace,Poet,admin\n"
    [row] = bring(app, manager, "staff", content)
    assert (row["state"], row["before"]) == (
        "changed",
        {"last_name": "Byron", "occupation": "Teacher"},
    )
    user = app.user(ada)
    assert (user.role, user.last_name, user.occupation) == ("moderator", "Lovelace", "Poet")


def test_staff_whom_the_caller_may_not_change_are_invalid(app, manager):
    chief, ada = app.staff("superadmin"), app.candidate()
    content = (
        f"{STAFF}{chief.email},X,Y,,\nnew@x.example,X,Y,,manager\nnew2@x.example,X,Y,,x\n"
        f"{ada.email},X,Y,,\nbcd@slip.invalid,X,Y,,\n,,,Total,\nz@x.example,A,B,,\n"
        "Z@x.example,A,B,,\n"
    )
    listed = found(app, manager, content, "staff")
    assert states(listed) == ["invalid"] * 6 + ["new", "invalid"]
    assert [[*each["errors"]] for each in listed if each["errors"]] == [
        *(["email"], ["role"], ["role"], ["email"], ["email"], ["line"], ["email"])
    ]


def test_staff_who_wait_for_their_deletion_are_invalid(app, manager):
    gone = app.staff("moderator")
    manager.delete(f"/users/{gone.id}/")
    content = f"{STAFF}{gone.email},X,Y,,\nx..y@x.example,X,Y,,\n"
    one, other = found(app, manager, content, "staff")
    assert "waiting for its deletion" in one["errors"]["email"][0]
    assert [*other["errors"]] == ["email"]


def test_staff_without_an_invitation_set_a_password_themselves(app, manager):
    checked = check(app, manager, "staff", STAFF + "ada@x.example,Ada,L,,\n")
    apply(app, manager, checked, invite=False)
    assert app.mails() == []
    app.anonymous.post("/auth/password-change/request/", {"email": "ada@x.example"})
    assert app.otp("ada@x.example")
