"""Events of other plugins become notifications if organisers enable them."""

import pytest

from competition.core.settings import SettingsError
from competition.core.work import begin
from competition.plugins.notifications.events import Notify
from competition.testing.exam_day import make_exam, sit
from competition.testing.identity_papers import submit


def subjects(person):
    return [each["subject"] for each in person.get("/notifications/").json["results"]]


def test_by_default_events_notify_nobody(app):
    person = app.candidate()
    app.staff("admin").put(f"/candidates/{person.id}/roles/assign/", {"role": "league"})
    assert subjects(person) == []


def test_a_promotion_notifies_the_candidate_if_enabled(app_with):
    service = app_with({"competition.notifications.on": "roles"})
    person, admin = service.candidate(), service.staff("admin")
    admin.put(f"/candidates/{person.id}/roles/assign/", {"role": "league"})
    admin.put(f"/candidates/{person.id}/roles/assign/", {"role": "league"})
    assert subjects(person) == ["You have a new role"]


@pytest.mark.parametrize(
    ("decision", "subject", "message"),
    [
        (
            {"is_approved": True},
            "Your documents are approved",
            "Your identity has been verified.",
        ),
        (
            {"is_rejected": True, "rejection_reason": "Too dark."},
            "Your documents were rejected",
            "Too dark.\n\nPlease upload them again.",
        ),
    ],
)
def test_a_decision_on_documents_notifies_the_user_if_enabled(app_with, decision, subject, message):
    service = app_with({"competition.notifications.on": "documents"})
    person = service.candidate(verification="not_submitted")
    submit(person)
    service.staff("manager").post(f"/user/verification/action/{person.id}/", decision)
    [shown] = person.get("/notifications/").json["results"]
    assert (shown["subject"], shown["message"]) == (subject, message)


@pytest.mark.parametrize(
    ("on", "emailed", "sent"),
    [
        ("documents", None, 1),
        ("documents", "boards", 0),
        ("roles", None, 0),
    ],
)
def test_a_decision_is_emailed_in_the_language_of_the_account(app_with, on, emailed, sent):
    settings = {"competition.notifications.on": on}
    if emailed:
        settings["competition.notifications.emailed"] = emailed
    service = app_with(settings)
    person = service.candidate(verification="not_submitted", language="fr")
    submit(person)
    decision = {"is_rejected": True, "rejection_reason": "The card can't be read. Twice."}
    service.staff("manager").post(f"/user/verification/action/{person.id}/", decision)
    service.run_jobs()
    found = service.mails(person.email)
    assert len(found) == sent
    for mail in found:
        assert mail["Subject"].endswith("Vos documents ont été refusés")
        text = mail.get_body(("plain",)).get_content()
        assert "La pièce d\u2019identité est illisible. Twice." in text
        assert "The card" not in text


FRENCH = {"Accept-Language": "fr"}


def test_a_notification_is_in_the_language_of_its_reader(app_with):
    service = app_with({"competition.notifications.on": "roles"})
    person, admin = service.candidate(), service.staff("admin")
    admin.put(f"/candidates/{person.id}/roles/assign/", {"role": "league"})
    with begin(service.runtime) as work:
        work.emit(Notify(work, [person.id], "A visit", "Staff wrote this."))
    for headers, subject, message in (
        ({}, "You have a new role", "Your role is now: league."),
        (FRENCH, "Vous avez une nouvelle fonction", "Votre fonction est désormais\u00a0: Ligue."),
    ):
        reply = person.get("/notifications/", headers=headers)
        [own, assigned] = reply.json["results"]
        assert (assigned["subject"], assigned["message"]) == (subject, message)
        assert (own["subject"], own["message"]) == ("A visit", "Staff wrote this.")
        assert ("Content-Language" in reply.headers) == bool(headers)
        assert ("Accept-Language" in reply.headers.get("Vary", "")) == bool(headers)
        # A poll with the ETag of one language gets no 304 for another language.
        tag = {"If-None-Match": reply.headers["ETag"]}
        person.get("/notifications/", headers={**headers, **tag}, status=304)
        other = {} if headers else FRENCH
        person.get("/notifications/", headers={**other, **tag}, status=200)
    found = person.get("/notifications/?search=fonction", headers=FRENCH).json["results"]
    assert found == [{**assigned, "subject": subject, "message": message}]


@pytest.mark.parametrize("wanted", [True, False])
def test_a_topic_of_another_plugin_notifies_if_enabled(app_with, wanted):
    service = app_with({"competition.notifications.on": "people.moved" if wanted else "roles"})
    person = service.candidate()
    with begin(service.runtime) as work:
        work.emit(Notify(work, [person.id], "Yours", "It is ready.", about="people.moved"))
        work.emit(Notify(work, [person.id], "Always", "So it is."))
    assert subjects(person) == (["Always", "Yours"] if wanted else ["Always"])


def test_an_unknown_topic_in_the_settings_stops_the_start(app_with):
    with pytest.raises(SettingsError, match=r"notifications\.on: there is no topic 'rolse'"):
        app_with({"competition.notifications.on": "roles rolse"})


def test_a_malformed_topic_raises_value_error(app):
    with begin(app.runtime) as work, pytest.raises(ValueError, match="'rolse': the topic has to"):
        work.emit(Notify(work, [], "Yours", "It is ready.", about="rolse"))


def test_scores_and_leaderboards_notify_candidates_if_enabled(app_with, ours):
    service = app_with({**ours, "competition.notifications.on": "scores boards"})
    admin, person, other = service.staff("admin"), service.candidate(), service.candidate()
    exam_id = make_exam(service, admin)
    sit(service, person, exam_id, "ABCDABCDAA")
    service.run_jobs()
    assert subjects(person) == ["Your score"]
    service.clock.advance(days=2)
    admin = service.new_session(admin)
    for _ in range(2):
        admin.post("/leaderboard/publish/")
        service.run_jobs()
    later = service.new_session(person)
    # The second snapshot contains no leaderboard that was not in the first.
    assert subjects(later) == ["A leaderboard is published", "Your score"]
    assert subjects(service.new_session(other)) == []


def test_a_score_that_is_not_visible_yet_notifies_nobody(app_with):
    service = app_with(
        {
            "competition.notifications.on": "scores",
            "competition.scores.visible": "at_publication",
        }
    )
    person = service.candidate()
    sit(service, person, make_exam(service, service.staff("admin")), "ABCDABCDAA")
    service.run_jobs()
    assert subjects(person) == []


def test_without_the_plugin_a_notify_event_does_nothing(app_with):
    service = app_with({"competition.plugins": "accounts"})
    person = service.candidate()
    with begin(service.runtime) as work:
        work.emit(Notify(work, [person.id], "Yours", "It is ready."))


def test_a_failed_transaction_notifies_nobody(app):
    person = app.candidate()
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        work.emit(Notify(work, [person.id], "Yours", "It is ready."))
        raise ZeroDivisionError
    assert subjects(person) == []
