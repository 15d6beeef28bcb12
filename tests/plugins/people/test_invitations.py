"""Inviting staff (decisions D17)."""

import pytest
from sqlalchemy import select

from competition.core import flags
from competition.core.audit import AuditEntry
from competition.core.auth.hashing import HASHES_AT_ONCE
from competition.core.mail import mails
from competition.core.users.models import Staff
from competition.core.work import begin
from competition.testing.races import together
from competition.testing.service import PASSWORD, text_of

EMAIL = "grace.hopper@school.example"
GRACE = {
    "email": EMAIL,
    "first_name": "Grace",
    "last_name": "Hopper",
    "phone": "+49123456789",
    "occupation": "Teacher",
}
CHOSEN = {**GRACE, "password": PASSWORD, "password2": PASSWORD}


def invite(person, fields=GRACE, **options):
    return person.post("/staff/invite/", fields, **{"status": 201, **options})


def account(app, email=EMAIL):
    with begin(app.runtime) as work:
        return work.db.scalar(select(Staff).where(Staff.email == email))


def mailed_password(app):
    """The password in the email: the last indented line, after the code."""
    lines = text_of(app.mails(EMAIL)[-1]).splitlines()
    return [line.strip() for line in lines if line.startswith("    ")][-1]


def test_an_invitation_creates_a_staff_account(app, manager):
    assert set(invite(manager, {**GRACE, "role": "admin"}).json) == {"message"}
    user = account(app)
    assert (user.kind, user.role, user.occupation) == ("staff", "admin", "Teacher")
    assert (user.first_name, user.last_name, user.phone) == ("Grace", "Hopper", "+49123456789")
    assert not user.is_email_verified
    assert not user.is_user_verified


def test_an_invitation_without_a_role_is_for_a_volunteer(app, manager):
    invite(manager)
    assert account(app).role == "volunteer"


@pytest.mark.parametrize(
    ("inviter", "allowed"),
    [
        ("manager", {"volunteer", "moderator", "admin", "sponsor"}),
        ("superadmin", {"volunteer", "moderator", "admin", "manager", "sponsor"}),
    ],
)
@pytest.mark.parametrize(
    "role", ["volunteer", "moderator", "admin", "manager", "superadmin", "sponsor"]
)
def test_the_inviter_can_give_only_roles_that_they_may_assign(app, inviter, allowed, role):
    if role in allowed:
        invite(app.staff(inviter), {**GRACE, "role": role})
        assert account(app).role == role
    else:
        invite(app.staff(inviter), {**GRACE, "role": role}, status=403, code="permission_denied")
        assert account(app) is None


def test_an_unknown_role_is_invalid(manager):
    reply = invite(manager, {**GRACE, "role": "king"}, status=400, code="invalid")
    assert "role" in reply.json["errors"]


@pytest.mark.parametrize("missing", ["email", "first_name", "last_name", "phone"])
def test_name_email_and_phone_are_required(manager, missing):
    fields = {name: value for name, value in GRACE.items() if name != missing}
    reply = invite(manager, fields, status=400, code="invalid")
    assert set(reply.json["errors"]) == {missing}


def test_logging_in_with_the_emailed_password_verifies_the_email(app, manager):
    invite(manager)
    password = mailed_password(app)
    profile = app.log_in(EMAIL, password, status=200).json["profile"]
    assert profile["user"]["is_email_verified"] is True
    assert account(app).is_email_verified


def test_a_wrong_password_does_not_verify_the_email(app, manager):
    invite(manager)
    app.run_jobs()
    app.log_in(EMAIL, "wrong", status=401, code="authentication_failed")
    assert not account(app).is_email_verified


def test_a_chosen_password_is_not_emailed_and_does_not_verify_the_email(app, manager):
    invite(manager, CHOSEN)
    [mail] = app.mails(EMAIL)
    assert PASSWORD not in text_of(mail)
    app.log_in(EMAIL, PASSWORD, status=200)
    assert not account(app).is_email_verified


def test_with_a_chosen_password_the_emailed_code_verifies_the_email(app, manager):
    invite(manager, CHOSEN)
    app.anonymous.post("/verify-email-otp/", {"email": EMAIL, "otp": app.otp(EMAIL)}, status=200)
    assert account(app).is_email_verified


def test_after_registration_a_generated_password_does_not_verify_the_email(app):
    app.anonymous.post("/register/staff/", {**GRACE, "generate_password": True}, status=201)
    app.log_in(EMAIL, mailed_password(app), status=200)
    assert not account(app).is_email_verified


def test_a_chosen_password_is_rejected_if_inviters_may_not_choose_it(app_with):
    service = app_with({"competition.accounts.inviters_choose_passwords": "false"})
    manager = service.staff("manager")
    reply = invite(manager, CHOSEN, status=400, code="invalid")
    assert set(reply.json["errors"]) == {"password"}
    assert account(service) is None
    invite(manager)
    service.log_in(EMAIL, mailed_password(service), status=200)


def test_the_email_says_that_the_inviter_knows_a_chosen_password(app, manager):
    invite(manager, CHOSEN)
    assert "chose your first password, and knows it" in text_of(app.mails(EMAIL)[-1])


@pytest.mark.parametrize("fields", [CHOSEN, GRACE], ids=["chosen", "generated"])
def test_no_invitation_is_sent_again_after_an_own_password_was_set(app, manager, fields):
    invite(manager, fields)
    app.run_jobs()
    app.anonymous.post("/auth/password-change/request/", {"email": EMAIL}, status=200)
    own = "an own password of Grace's aunt"
    body = {"email": EMAIL, "otp": app.otp(EMAIL), "new_password": own, "confirm_password": own}
    app.anonymous.post("/auth/password-change/", body, status=200)
    with begin(app.runtime) as work:
        mails.send(work, "accounts.invitation", EMAIL, user_id=str(account(app).id))
    # The code has proven the address (organisers O1).
    *_, changed = app.mails(EMAIL)
    assert "password" in changed["Subject"] and own not in text_of(changed)
    assert account(app).is_email_verified
    app.log_in(EMAIL, own, status=200)


def test_the_password_is_only_in_the_email(app, manager):
    reply = invite(manager)
    assert mailed_password(app) not in reply.text


@pytest.mark.parametrize("given", ["password", "password2"])
def test_both_password_fields_are_required(manager, given):
    reply = invite(manager, {**GRACE, given: PASSWORD}, status=400, code="invalid")
    [missing] = reply.json["errors"]
    assert {missing, given} == {"password", "password2"}


def test_different_passwords_are_rejected(manager):
    fields = {**CHOSEN, "password2": "another battery staple"}
    invite(manager, fields, status=400, code="passwords_do_not_match")


def test_a_weak_password_is_rejected(manager):
    fields = {**GRACE, "password": "12345678", "password2": "12345678"}
    invite(manager, fields, status=400, code="password_validation_failed")


def test_an_email_address_in_use_is_rejected(app, manager):
    invite(manager)
    reply = invite(manager, {**GRACE, "email": EMAIL.upper()}, status=400, code="invalid")
    assert "email" in reply.json["errors"]


def test_one_of_two_simultaneous_invitations_is_sent(live):
    manager = live.staff("manager")
    # With more requests than can be hashed at once, the last one might wait for too long.
    replies = together(HASHES_AT_ONCE, lambda index: invite(manager, status="any").status_int)
    assert sorted(replies) == [201, 400]
    assert len(live.mails(EMAIL)) == 1


def test_invitations_work_while_registration_is_closed(app, manager):
    with begin(app.runtime) as work:
        flags.switch(work, "staff_registration", False)
    invite(manager)


@pytest.mark.parametrize("fields", [GRACE, CHOSEN], ids=["generated", "chosen"])
def test_invited_staff_with_an_unverified_email_are_not_deleted(app, manager, fields):
    invite(manager, fields)
    password = mailed_password(app) if fields is GRACE else PASSWORD
    app.clock.advance(days=2)
    app.run_jobs()
    app.log_in(EMAIL, password, status=200)


def test_an_invitation_is_audited(app, manager):
    invite(manager, {**GRACE, "role": "admin"})
    with begin(app.runtime) as work:
        [entry] = work.db.scalars(select(AuditEntry).where(AuditEntry.action == "staff.invite"))
    assert (entry.actor_id, entry.target_id) == (manager.id, account(app).id)
    assert (entry.old, entry.new) == (None, "admin")
