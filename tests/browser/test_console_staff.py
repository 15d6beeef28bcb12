"""Staff, invitations and deletions in the console."""

from competition.testing.service import PASSWORD, text_of
from tests.support.browser import every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


def heading(page, name):
    page.get_by_role("heading", name=name, level=1).wait_for()


def say(page, text):
    page.get_by_role("status").filter(has_text=text).wait_for()


def test_a_manager_invites_a_person_and_withdraws_the_invitation(site):
    page = site.signed_in(site.service.staff("manager"), "/console/staff")
    page.get_by_role("link", name="Invite").click()
    page.get_by_label("First name").fill("Tunde")
    page.get_by_label("Last name").fill("Bello")
    page.get_by_label("Email").fill("tunde@school.example")
    page.get_by_label("Phone number").fill("+2348012345678")
    role = page.get_by_label("Role")
    # Staff can only give roles below their own.
    assert role.locator("option[value=manager]").count() == 0
    role.select_option("moderator")
    page.get_by_role("button", name="Send invitation").click()
    say(page, "Tunde Bello is invited. The email is on its way to tunde@school.example.")
    assert len(site.service.mails("tunde@school.example")) == 1
    page.get_by_role("row", name="Tunde Bello").get_by_text("Invited").wait_for()
    page.get_by_role("link", name="Tunde Bello").click()
    page.get_by_text("has not signed in yet").wait_for()
    page.get_by_role("button", name="Withdraw invitation").click()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw invitation").click()
    say(page, "The account of Tunde Bello will be erased on")


def test_an_invitation_to_a_known_address_keeps_what_was_typed(site):
    known = site.service.staff("volunteer")
    page = site.signed_in(site.service.staff("manager"), "/console/staff/invite")
    page.get_by_label("First name").fill("Tunde")
    page.get_by_label("Last name").fill("Bello")
    page.get_by_label("Email").fill(known.email)
    page.get_by_label("Phone number").fill("+2348012345678")
    page.get_by_role("button", name="Send invitation").click()
    page.get_by_role("alert").get_by_text("An account with this email address exists").wait_for()
    assert page.get_by_label("First name").input_value() == "Tunde"
    site.tolerate("400 .*/staff/invite/")


def test_a_superadmin_sends_an_invitation_again(site):
    boss = site.service.staff("superadmin")
    body = {"email": "tunde@school.example", "first_name": "Tunde", "last_name": "Bello"}
    boss.post("/staff/invite/", {**body, "phone": "+2348012345678"}, status=201)
    (first,) = site.service.mails("tunde@school.example")
    page = site.signed_in(boss, "/console/staff")
    page.get_by_role("link", name="Tunde Bello").click()
    page.get_by_role("row").get_by_role("button", name="Send again").click()
    say(page, "The invitation is on its way to tunde@school.example again.")
    (second,) = site.service.mails("tunde@school.example")
    # The second email has a new password.
    assert text_of(second) != text_of(first)


def test_a_role_is_changed_below_ones_own_rank_only(site):
    volunteer = site.service.staff("volunteer", first_name="Tunde", last_name="Bello")
    equal = site.service.staff("manager", first_name="Femi", last_name="Ade")
    page = site.signed_in(site.service.staff("manager"), f"/console/staff/{volunteer.id}")
    page.get_by_role("button", name="Change role").click()
    page.get_by_role("dialog").get_by_label("Role").select_option("admin")
    page.get_by_role("dialog").get_by_role("button", name="Change role").click()
    say(page, "The role of Tunde Bello is now Admin.")
    assert site.service.user(volunteer).role == "admin"
    page.goto(f"/console/staff/{equal.id}")
    page.get_by_text("staff who are below you").wait_for()
    assert page.get_by_role("button", name="Change role").count() == 0


def test_a_superadmin_deactivates_another_superadmin_but_does_not_change_the_role(site):
    femi = site.service.staff("superadmin", first_name="Femi", last_name="Ade")
    page = site.signed_in(site.service.staff("superadmin"), f"/console/staff/{femi.id}")
    page.get_by_role("button", name="Deactivate").click()
    page.get_by_role("dialog").get_by_role("button", name="Deactivate").click()
    say(page, "Femi Ade is deactivated.")
    assert not site.service.user(femi).is_active
    page.get_by_role("button", name="Activate again").wait_for()
    for name in ("Change role", "Delete account"):
        assert page.get_by_role("button", name=name).count() == 0


def test_a_manager_edits_the_details_of_staff_and_keeps_the_changes_of_others(site):
    # The version that the form is based on is no longer the latest one.
    site.tolerate("status of 412")
    tunde = site.service.staff("volunteer", first_name="Tunde", last_name="Belo")
    page = site.signed_in(site.service.staff("manager"), f"/console/staff/{tunde.id}")
    page.get_by_role("button", name="Edit details").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Last name").fill("Bello")
    dialog.get_by_label("Occupation").fill("Teacher of physics")
    tunde.patch("/account-management/", {"phone": "+2348012345678"})
    dialog.get_by_role("button", name="Save", exact=True).click()
    dialog.get_by_role("button", name="Save both").click()
    say(page, "The details of Tunde Belo are saved.")
    heading(page, "Tunde Bello")
    page.get_by_text("Teacher of physics").wait_for()
    assert site.service.user(tunde).phone == "+2348012345678"


def test_only_accounts_of_a_lower_rank_can_be_restored(site):
    boss, manager = site.service.staff("superadmin"), site.service.staff("manager")
    people = {
        "Femi": site.service.staff("manager", first_name="Femi"),
        "Tunde": site.service.staff("admin", first_name="Tunde"),
        "Amara": site.service.candidate(first_name="Amara"),
    }
    for each in people.values():
        boss.delete(f"/users/{each.id}/", status=202)
    page = site.signed_in(manager, "/console/leaving")
    shown = lambda name: page.get_by_role("button", name=f"Restore the account of {name}")  # noqa: E731  # short
    for name in ("Tunde", "Amara"):
        shown(name).wait_for()
    page.get_by_role("row", name="Femi").wait_for()
    assert shown("Femi").count() == 0
    page = site.signed_in(boss, "/console/leaving")
    shown("Femi").wait_for()


def test_an_account_that_is_to_be_erased_is_restored(site):
    manager = site.service.staff("manager")
    amara = site.service.candidate(first_name="Amara", last_name="Obi")
    manager.delete(f"/users/{amara.id}/", status=202)
    page = site.signed_in(manager, "/console/leaving")
    page.get_by_role("row", name="Amara Obi").get_by_text("by a manager").wait_for()
    page.get_by_role("button", name="Restore the account of Amara Obi").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore").click()
    say(page, "The account of Amara Obi is restored.")
    page.get_by_text("No accounts are waiting to be deleted.").wait_for()
    assert site.service.user(amara).is_active


def test_several_accounts_are_restored_together(site):
    manager = site.service.staff("manager")
    people = [site.service.candidate(first_name=name) for name in ("Amara", "Ben")]
    manager.delete(f"/users/{people[0].id}/", status=202)
    people[1].request("DELETE", "/users/me/", {"password": PASSWORD}, status=202)
    page = site.signed_in(manager, "/console/leaving")
    page.get_by_role("button", name="Select this page").click()
    page.get_by_role("button", name="Restore 2 accounts").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("One of these people has asked for the deletion.").wait_for()
    dialog.get_by_role("button", name="Restore 2 accounts").click()
    say(page, "2 accounts are restored.")
    page.get_by_text("No accounts are waiting to be deleted.").wait_for()
    assert all(site.service.user(each).is_active for each in people)


def test_staff_in_every_view(site):
    boss = site.service.staff("superadmin", first_name="Maria", last_name="Okafor")
    for first, last, role, fields in (
        ("Tunde", "Bello", "manager", {}),
        ("Ines", "Duarte", "moderator", {"verification": "pending"}),
        ("Kofi", "Mensah", "volunteer", {"is_active": False}),
    ):
        site.service.staff(role, first_name=first, last_name=last, **fields)
    body = {"email": "femi@school.example", "first_name": "Femi", "last_name": "Ade"}
    boss.post("/staff/invite/", {**body, "phone": "+2348012345678", "role": "admin"}, status=201)
    amara = site.service.candidate(first_name="Amara", last_name="Obi")
    boss.delete(f"/users/{amara.id}/", status=202)
    site.service.run_jobs()

    def has(text):
        return lambda page: page.get_by_text(text).first.wait_for()

    page = site.signed_in(boss, "/console/staff")
    every_view(page, "console-staff-list", has("Femi Ade"))
    page.get_by_role("link", name="Femi Ade").click()
    page.locator("td button").wait_for()
    every_view(page, "console-staff-member", lambda page: page.locator("td button").wait_for())
    page.goto("/console/staff/invite")
    every_view(page, "console-staff-invite", lambda page: page.locator("form").first.wait_for())
    page.goto("/console/leaving")
    every_view(page, "console-staff-leaving", has("Amara Obi"))
