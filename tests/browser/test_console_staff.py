"""Staff, invitations and deletions in the console."""

from competition.testing.service import PASSWORD
from tests.support.browser import arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff-Montmorency"


def say(page, text):
    page.get_by_role("status").filter(has_text=text).wait_for()


def test_a_manager_invites_a_person_and_withdraws_the_invitation(site):
    boss = site.service.staff("manager", first_name="Maria", last_name="Okafor")
    for first, last, role, fields in (
        ("Tunde", LONG_NAME, "moderator", {"verification": "pending"}),
        ("Kofi", "Mensah", "volunteer", {"is_active": False}),
    ):
        site.service.staff(role, first_name=first, last_name=last, **fields)
    page = site.signed_in(boss, "/console/staff")
    arrived(page, "Staff")
    every_view(page, "console-staff-list", lambda it: it.get_by_text("Kofi Mensah").wait_for())
    page.get_by_role("link", name="Invite").click()
    arrived(page, "Invite to the staff")
    every_view(page, "console-staff-invite", lambda page: page.locator("form").first.wait_for())
    page.get_by_label("First name").fill("Tunde")
    page.get_by_label("Last name").fill("Bello")
    page.get_by_label("Email").fill("tunde@school.example")
    page.get_by_label("Phone number").fill("+2348012345678")
    page.get_by_label("Role").select_option("moderator")
    page.get_by_role("button", name="Send invitation").click()
    say(page, "Tunde Bello is invited.")
    assert len(site.service.mails("tunde@school.example")) == 1
    page.get_by_role("row", name="Tunde Bello").get_by_text("Invited").wait_for()
    page.get_by_role("link", name="Tunde Bello").click()
    arrived(page, "Tunde Bello")
    page.get_by_role("button", name="Withdraw invitation").click()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw invitation").click()
    say(page, "The account of Tunde Bello will be erased on")


def test_the_details_and_the_role_of_a_member_are_changed(site):
    boss = site.service.staff("superadmin", first_name="Maria", last_name="Okafor")
    body = {"email": "femi@school.example", "first_name": "Femi", "last_name": LONG_NAME}
    invitation = {**body, "phone": "+2348012345678", "role": "admin"}
    boss.post("/staff/invite/", invitation, status=201)
    site.service.run_jobs()
    [mail] = boss.get("/mails/?recipient=femi@school.example", status=200).json["results"]
    assert mail["state"] == "sent"
    page = site.signed_in(boss, "/console/staff")
    arrived(page, "Staff")
    page.get_by_role("link", name=f"Femi {LONG_NAME}").click()
    arrived(page, f"Femi {LONG_NAME}")
    every_view(page, "console-staff-member", lambda page: page.locator("td button").wait_for())
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Edit details").click()
    dialog.get_by_label("Last name").fill("Ade")
    dialog.get_by_role("button", name="Save", exact=True).click()
    arrived(page, "Femi Ade")
    page.get_by_role("button", name="Change role").click()
    dialog.get_by_label("Role").select_option("manager")
    dialog.get_by_role("button", name="Change role").click()
    say(page, "The role of Femi Ade is now Manager.")
    found = boss.get("/staff/?search=femi", status=200).json["results"]
    assert [(each["user"]["last_name"], each["role"]) for each in found] == [("Ade", "manager")]


def test_accounts_that_are_to_be_erased_are_restored(site):
    manager = site.service.staff("manager")
    people = [
        site.service.candidate(first_name=first, last_name=last)
        for first, last in (("Amara", "Obi"), ("Ben", LONG_NAME), ("Chloé", "Martin"))
    ]
    manager.delete(f"/users/{people[0].id}/", status=202)
    people[1].request("DELETE", "/users/me/", {"password": PASSWORD}, status=202)
    manager.delete(f"/users/{people[2].id}/", status=202)
    page = site.signed_in(manager, "/console/leaving")
    arrived(page, "Deletions")
    every_view(page, "console-staff-leaving", lambda it: it.get_by_text("Amara Obi").wait_for())
    page.get_by_role("button", name="Restore the account of Amara Obi").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore").click()
    say(page, "The account of Amara Obi is restored.")
    # Before the list is read again, "this page" has her row too.
    page.get_by_text("2 accounts", exact=True).wait_for()
    page.get_by_role("button", name="Select this page").click()
    page.get_by_role("button", name="Restore 2 accounts").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore 2 accounts").click()
    page.get_by_text("No accounts are waiting to be deleted.").wait_for()
    assert all(site.service.user(each).is_active for each in people)
