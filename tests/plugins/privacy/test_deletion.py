"""Deleting an account: deactivated at once, erased later, and restorable until then."""

import re

import pyotp

from competition.core.audit import AuditEntry
from competition.core.users import accounts, personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.privacy.models import Deletion
from competition.plugins.privacy.services import deletion
from competition.testing.exam_day import make_exam, publish, season, sit
from competition.testing.races import overtaken
from competition.testing.service import PASSWORD, text_of

OWN = {"password": PASSWORD}


def leave(person, body=OWN, **expected):
    return person.delete("/users/me/", body, **{"status": 202, **expected}).json


def code_of(app, person):
    return re.findall(r"^    (\S{32})$", text_of(app.mails(person.email)[-1]), re.M)


def restore(app, mailed, **expected):
    return app.anonymous.post("/users/restore/", {"code": mailed}, **expected)


def waiting(app):
    with begin(app.runtime) as work:
        return work.db.query(Deletion).count()


def is_erased(app, person):
    return app.user(person).email.endswith("@erased.invalid")


def test_a_deleted_account_is_deactivated_at_once_and_erased_after_14_days(app):
    person = app.candidate(language="fr")
    elsewhere = app.new_session(person)
    wrong = leave(person, {"password": "wrong"}, status=400, code="invalid")
    assert list(wrong["errors"]) == ["password"]
    leave(person, {}, status=400, code="invalid")
    left = leave(person)
    assert left["erase_at"] == "2026-03-15T09:00:00Z"
    for client in (person, elsewhere):
        client.get("/account-management/", status=401)
    app.log_in(person.email, status=401)
    [code] = code_of(app, person)
    app.clock.advance(days=14, seconds=-1)
    app.run_jobs()
    assert not is_erased(app, person)
    app.clock.advance(seconds=1)
    app.run_jobs()
    assert (is_erased(app, person), waiting(app)) == (True, 0)
    assert app.user(person).language is None
    restore(app, code, status=400, code="invalid_otp")
    with begin(app.runtime) as work:
        acts = work.db.query(AuditEntry).filter_by(target_id=person.id).order_by(AuditEntry.id)
        assert [act.action for act in acts][-1] == "account.erase"
        assert "account.delete" in [act.action for act in acts]


def test_the_emailed_code_restores_the_account_until_it_is_erased(app):
    person = app.candidate()
    leave(person)
    [code] = code_of(app, person)
    restore(app, "x" * 32, status=400, code="invalid_otp")
    restore(app, code)
    app.log_in(person.email)
    restore(app, code, status=400, code="invalid_otp")
    app.clock.advance(days=15)
    app.run_jobs()
    assert not is_erased(app, person)
    # After a second request, the job of the first request must not erase the account too early.
    person.client = app.new_session(person)
    leave(person)
    app.clock.advance(days=13)
    app.run_task("privacy.erase", user_id=str(person.id))
    assert not is_erased(app, person)


def test_managers_delete_and_restore_accounts_of_lower_roles(app):
    boss, manager, person = app.staff("superadmin"), app.staff("manager"), app.candidate()
    account = f"/users/{person.id}/"
    first = manager.delete(account, status=202).json
    app.clock.advance(hours=1)
    assert manager.delete(account, status=202).json == first
    assert code_of(app, person) == []
    found = manager.get("/users/deletions/?search=ada").json
    assert found["deletion_days"] == 14
    [shown] = found["results"]
    assert (shown["user_id"], shown["is_own"], shown["erase_at"]) == (
        *(str(person.id), False, first["erase_at"]),
    )
    manager.post(f"{account}restore/")
    assert app.user(person).is_active
    manager.post(f"{account}restore/", status=404)
    for protected in (boss, app.staff("manager"), manager):
        manager.delete(f"/users/{protected.id}/", status=403)
    boss.delete(f"/users/{app.staff('superadmin').id}/", status=403)
    leave(boss, status=403)
    app.staff("admin").delete(account, status=403)
    # An account that was deactivated before the deletion stays deactivated when it is restored.
    # Activating an account cancels its deletion.
    gone = app.candidate(is_active=False)
    manager.delete(f"/users/{gone.id}/", status=202)
    manager.post(f"/users/{gone.id}/restore/")
    assert not app.user(gone).is_active
    manager.delete(account, status=202)
    manager.put(f"/account-management/{person.id}/activation/", {"is_active": True})
    app.clock.advance(days=15)
    app.run_jobs()
    assert (is_erased(app, person), waiting(app)) == (False, 0)


def test_activating_an_account_cancels_its_deletion_at_once(app):
    person, manager = app.candidate(), app.staff("manager")
    leave(person)
    [code] = code_of(app, person)
    activate(manager, person, True)
    assert waiting(app) == 0
    restore(app, code, status=400, code="invalid_otp")
    # A later deactivation does not reactivate the cancelled deletion.
    activate(manager, person, False)
    app.clock.advance(days=15)
    app.run_jobs()
    assert not is_erased(app, person)
    manager.client = app.new_session(manager)
    activate(manager, person, True)
    # The user requests the deletion again, and this time the account is erased.
    person.client = app.new_session(person)
    leave(person)
    app.clock.advance(days=14)
    app.run_jobs()
    assert is_erased(app, person)


def test_nobody_can_take_the_address_of_an_erased_account(app):
    person, manager = app.candidate(), app.staff("manager")
    new = {"first_name": "Eve", "last_name": "Adams", "phone": "+49123456789"}
    new |= {"email": f"{person.id}@erased.invalid", "password": PASSWORD, "password2": PASSWORD}
    for client, path, more in (
        (app.anonymous, "/register/candidate/", {"school": "Hillside School"}),
        (app.anonymous, "/register/staff/", {"occupation": "Teacher"}),
        (manager, "/staff/invite/", {"occupation": "Teacher", "role": "volunteer"}),
    ):
        reply = client.post(path, {**new, **more}, status=400, code="invalid")
        assert list(reply.json["errors"]) == ["email"]
    erase(app, person)
    assert is_erased(app, person)


def test_an_erased_account_is_neither_activated_nor_changed_nor_deleted_again(app):
    person, manager = app.candidate(), app.staff("manager")
    erase(app, person)
    account = f"/account-management/{person.id}/"
    manager.put(f"{account}activation/", {"is_active": True}, status=400, code="invalid")
    manager.patch(account, {"first_name": "Ada"}, status=400, code="invalid")
    manager.delete(f"/users/{person.id}/", status=404, code="not_found")
    assert waiting(app) == 0
    assert (app.user(person).is_active, app.user(person).first_name) == (False, "Erased")


def test_deleting_an_account_needs_its_second_factor(app):
    person = app.staff("admin")
    secret = person.post("/auth/second-factor/", status=201).json["secret"]
    person.post("/auth/second-factor/confirm/", {"code": pyotp.TOTP(secret).at(app.clock.now)})
    leave(person, status=400, code="invalid_otp")
    app.clock.advance(seconds=30)
    leave(person, {**OWN, "code": pyotp.TOTP(secret).at(app.clock.now)})
    assert not app.user(person).is_active


def test_wrong_passwords_for_a_deletion_are_rate_limited(app_with):
    app = app_with({"competition.ratelimit.enabled": "true"})
    person = app.candidate()
    for status in (400, 400, 400, 400, 400, 429):
        leave(person, {"password": "wrong"}, status=status)
        app.clock.advance(seconds=10)


def test_an_account_in_an_exam_is_not_deleted_and_a_deletion_changes_no_rank(app):
    admin, manager = app.staff("admin"), app.staff("manager")
    exam_id, people = season(app, admin, ["AB", "AC", "CC"], key="AB")
    publish(app, admin)
    running = make_exam(app, admin, "AB", round=2)
    sit(app, people[0], running, "AB")
    leave(people[0], status=409, code="account_in_use")
    manager.delete(f"/users/{people[0].id}/", status=409, code="account_in_use")
    admin.post(f"/exams/{running}/conclude/")
    leave(people[0], status=409, code="account_in_use")
    # The grace period is not over, but publishing has sealed the exam.
    publish(app, admin)
    leave(people[0])
    for days in (0, 15):
        app.clock.advance(days=days)
        app.run_jobs()
        admin = app.new_session(admin) if not days else app.staff("admin")
        publish(app, admin)
        board = admin.get(f"/leaderboard/?exam_id={exam_id}").json["top_three"]
        assert [each["rank"] for each in board] == [1, 2, 3]
    assert board[0]["candidate"]["full_name"] == "Erased"
    assert is_erased(app, people[0])


ACTS = {
    "leave": lambda app, manager, person: leave(person, status="any"),
    "deactivate": lambda app, manager, person: activate(manager, person, False),
    "take back": lambda app, manager, person: take_back(app, person),
    "restore": lambda app, manager, person: manager.post(
        f"/users/{person.id}/restore/", status="any"
    ),
    "delete": lambda app, manager, person: manager.delete(f"/users/{person.id}/", status=202),
    "erase": lambda app, manager, person: erase(app, person),
}


def activate(manager, person, active):
    path = f"/account-management/{person.id}/activation/"
    manager.put(path, {"is_active": active}, status=200)


def take_back(app, person):
    # If staff request the deletion, no code is emailed. After a restoration the code is used up.
    for code in code_of(app, person) if app.mails(person.email) else ():
        restore(app, code, status="any")


def erase(app, person):
    with begin(app.runtime) as work:
        personal_data.erase(work, person.id)


# Sequences of actions by a candidate and a manager.
DEACTIVATED = (
    ("leave", "deactivate"),
    ("leave", "deactivate", "take back"),
    ("leave", "deactivate", "restore"),
    ("leave", "deactivate", "erase"),
    ("leave", "erase", "deactivate"),
    ("leave", "take back", "deactivate", "leave"),
    ("delete", "deactivate", "restore"),
    ("deactivate", "leave", "take back"),
    ("deactivate", "delete", "restore"),
    ("deactivate", "delete", "erase"),
    ("deactivate", "erase"),
)


def test_an_account_deactivated_by_staff_stays_deactivated(app):
    admin, manager = app.staff("admin"), app.staff("manager")
    exam_id, people = season(app, admin, [*["AB"] * len(DEACTIVATED), "AC"], key="AB")
    *best, second = people
    app.clock.advance(minutes=6)
    publish(app, admin)
    for person, acts in zip(best, DEACTIVATED, strict=True):
        for act in acts:
            ACTS[act](app, manager, person)
    publish(app, admin)
    [left] = admin.get(f"/leaderboard/?exam_id={exam_id}").json["top_three"]
    assert (left["candidate"]["user_id"], left["rank"]) == (str(second.id), 1)
    for person, acts in zip(best, DEACTIVATED, strict=True):
        assert not app.user(person).is_active, acts
        with begin(app.runtime) as work:
            found = work.db.query(AuditEntry).filter_by(
                target_id=person.id, action="user.activation"
            )
            by_manager = [entry for entry in found if entry.actor_id == manager.id]
        assert False in [entry.new for entry in by_manager], acts


def test_a_restoration_code_does_not_undo_a_simultaneous_deactivation(live):
    person, manager = live.candidate(), live.staff("manager")
    leave(person)
    [code] = code_of(live, person)

    def put_out(work):
        accounts.set_active(work, person.id, False)

    overtaken(live, manager, put_out, lambda: restore(live, code, status=200))
    live.log_in(person.email, status=401)
    assert live.user(person).left_at is None


def test_the_first_of_two_simultaneous_restorations_wins(live):
    person, manager = live.candidate(), live.staff("manager")
    leave(person)
    [code] = code_of(live, person)

    def take_back(work):
        deletion.restore(work, accounts.locked(work, User, person.id))

    reply = overtaken(live, manager, take_back, lambda: restore(live, code, status="any"))
    assert (reply.status_int, reply.json["code"]) == (400, "invalid_otp")
