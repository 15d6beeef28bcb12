"""Acts that are sent twice at the same moment, such as by a double click, or from two devices. Both
requests are answered as if one came after the other, and never with 500.
"""

import pytest

from competition.plugins.operations.services import operations
from competition.plugins.privacy.services import deletion
from competition.testing.exam_day import make_exam, make_questions, sit, take
from competition.testing.identity_papers import PNG, documents
from competition.testing.races import overtaken, together
from competition.testing.service import PASSWORD

OWN = {"password": PASSWORD}


@pytest.mark.parametrize("first", ["the user", "a manager"])
@pytest.mark.parametrize("second", ["the user", "a manager"])
def test_two_deletions_of_one_account_are_answered_one_after_the_other(live, first, second):
    person, manager = live.candidate(), live.staff("manager")

    def delete(work):
        if first == "the user":
            return deletion.request_own(work, PASSWORD, None)
        return deletion.request(work, deletion.deletable(work, person.id))

    def delete_again():
        if second == "the user":
            return person.delete("/users/me/", OWN, status=401, code="invalid_token")
        return manager.delete(f"/users/{person.id}/", status=202)

    overtaken(live, person if first == "the user" else manager, delete, delete_again)
    [row] = manager.get("/users/deletions/", status=200).json["results"]
    assert row["email"] == person.email


def test_of_two_requests_to_send_an_email_again_the_second_finds_it_waiting(live):
    boss = live.staff("superadmin")
    live.candidate().delete("/users/me/", OWN, status=202)
    live.run_jobs()
    [mail] = boss.get("/mails/").json["results"]

    def resend(work):
        operations.resend_mail(work, mail["id"])

    overtaken(
        *(live, boss, resend),
        lambda: boss.post(f"/mails/{mail['id']}/resend/", status=400, code="invalid"),
    )


def acts(live):
    """Acts by their names: each sends one request."""
    admin, boss = live.staff("admin"), live.staff("superadmin")
    manager, moderator = live.staff("manager"), live.staff("moderator")
    ada, leaving = live.candidate(), live.candidate()
    new = live.candidate(verification="not_submitted")
    exam, spare, prepared = make_exam(live, admin), make_exam(live, admin), make_exam(live, admin)
    sit(live, ada, exam, "ABCD")
    late = live.candidate()
    take(late, spare, status=200)
    [question] = make_questions(live, "A")
    image = moderator.upload(
        "POST", "/questions/images/", {"file": ("a.png", PNG), "alt": "A"}, status=201
    ).json["id"]
    given = {"everyone": True, "extra_minutes": 5, "reason": "A fan is loud."}
    future = {"scheduled_date": "2100-01-01T00:00:00Z"}
    planned = make_exam(live, admin, **future)
    allowance = admin.post(f"/exams/{planned}/allowances/", given, status=201).json["id"]
    manager.delete(f"/users/{leaving.id}/", status=202)
    key = boss.post("/api-keys/", {"name": "Old", "scopes": ["client"]}, status=201).json["id"]
    score = {"candidate_id": str(late.id), "score": 50}
    percent = {"percent": 25, "reason": "As in the letter"}
    person = {
        "email": "tunde@school.example",
        "first_name": "Tunde",
        "last_name": "Bello",
        "phone": "+2348012345678",
    }
    every = {
        "upload": lambda: new.upload(
            "POST", "/user/verification/upload/", documents(), status="any"
        ),
        "picture": lambda: ada.upload(
            "PATCH", "/account-management/", {"profile_picture": ("a.png", PNG)}, status="any"
        ),
    }
    for name, sender, method, path, body in [
        ("restore", manager, "POST", f"/users/{leaving.id}/restore/", None),
        ("invite", manager, "POST", "/staff/invite/", person),
        ("key", boss, "POST", "/api-keys/", {"name": "New", "scopes": ["client"]}),
        ("revoke", boss, "DELETE", f"/api-keys/{key}/", None),
        ("flag", boss, "PUT", "/flags/score_publication/", {"enabled": True}),
        ("percent", admin, "PUT", f"/candidates/{late.id}/allowance/", percent),
        ("take back", admin, "DELETE", f"/exams/{planned}/allowances/{allowance}/", None),
        ("prepare", admin, "POST", f"/exams/{prepared}/prepare/", None),
        ("start", live.candidate(), "GET", f"/exams/{spare}/take-exam/", None),
        ("score", admin, "PUT", f"/exams/{spare}/submit-exam-score/", score),
        ("factor", admin, "POST", "/auth/second-factor/", {"password": PASSWORD}),
        ("image", moderator, "DELETE", f"/questions/images/{image}/", None),
        ("question", moderator, "DELETE", f"/questions/{question}/", None),
        ("conclude", admin, "POST", f"/exams/{exam}/conclude/", None),
        ("delete exam", admin, "DELETE", f"/exams/{planned}/", None),
        ("publish", admin, "POST", "/leaderboard/publish/", {}),
        ("export", ada, "POST", "/users/me/export/", None),
        (
            "activation",
            manager,
            "PUT",
            f"/account-management/{ada.id}/activation/",
            {"is_active": False},
        ),
    ]:
        every[name] = lambda how=(sender, method, path, body): how[0].request(
            *how[1:], status="any"
        )
    return every


def test_no_act_that_is_sent_twice_at_once_fails(live):
    found = {}
    for name, act in acts(live).items():
        replies = together(2, lambda _, act=act: act())
        found[name] = sorted(reply.status_int for reply in replies)
    # An act that is not found, or not allowed, would test nothing.
    assert {name: both for name, both in found.items() if both[0] >= 400 or both[1] >= 500} == {}
