"""Emails in the language of their recipient, with links to the pages that serve the recipient."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import select

import competition
from competition.core.mail import links, mails
from competition.core.mail.templates import MailTemplate
from competition.core.messages import LANGUAGES
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.service import PASSWORD, text_of

WHEN = datetime(2026, 1, 31, 12, 30, tzinfo=UTC)
# Variables for the built-in templates, with all combinations that change the text.
VARIABLES = {
    "accounts.registration": [
        {"code": "123456", "password": None, "minutes": 10, "days": None},
        {"code": "123456", "password": "secret", "minutes": 10, "days": 3},
    ],
    "accounts.invitation": [
        *(
            {
                **{"code": "123456", "password": None, "minutes": 10},
                **{"is_chosen_by_inviter": chosen, "school": school},
            }
            for chosen in (True, False)
            for school in ("West", None)
        ),
        *(
            {"code": None, "password": "secret", "days": 3, "school": school}
            for school in ("West", None)
        ),
    ],
    "accounts.entered": [{}],
    "accounts.email_code": [{"code": "123456", "minutes": 10}],
    "accounts.password_code": [{"code": "123456", "minutes": 10}],
    "accounts.password_changed": [{"support": "help@league.example"}],
    "accounts.second_factor_changed": [
        {"is_set_up": True, "support": "help@league.example"},
        {"is_set_up": False, "support": "help@league.example"},
    ],
    "notifications.notified": [
        {"texts": {each: {"subject": "Subject", "message": "Text"} for each in LANGUAGES}}
    ],
    "verification.lapsed": [{}],
    "privacy.export_ready": [
        {"url": "https://a.example", "hours": n, "withheld": ["x"]} for n in (1, 2)
    ],
    "privacy.deletion": [
        {"erase_at": WHEN, "code": code, "support": "help@league.example", "remains": ["x"]}
        for code in ("x", None)
    ],
    "backups.backup_failed": [
        {"report": SimpleNamespace(environment="production", timestamp=WHEN)},
    ],
    "broadcasts.broadcast": [
        {"subject": "Subject", "message": "Text", "is_on_platform": wanted}
        for wanted in (True, False)
    ],
}


def built_in(service):
    found = service.runtime.catalogue[MailTemplate].values()
    return [each for each in found if each.prepare.__module__.startswith("competition.")]


def link(subject):
    return f"https://league.example/{subject}"


def nowhere(subject):
    return None


def test_every_email_is_rendered_in_every_language(app):
    for template in built_in(app):
        for language in LANGUAGES:
            assert language in template.texts, template.name
        for language, text in template.texts.items():
            for variables in VARIABLES[template.name]:
                check_text(language, text.render(service="The League", link=nowhere, **variables))
                check_text(language, text.render(service="The League", link=link, **variables))


def check_text(language, text):
    assert text.startswith("Subject: ")
    assert "\n\n\n" not in text
    assert not text.endswith("\n\n")
    if language == "fr":
        # Leave out the header, which ends with the first colon.
        prose = re.sub(r"https?://\S+|\d+:\d+:\d+", "", text.partition(": ")[2])
        assert "'" not in prose
        assert not re.search(r"(?<!\u00a0)[:?!]", prose), prose


def test_both_languages_have_the_same_variables_and_links(app):
    for template in built_in(app):
        for language in template.texts:
            assert names(template, language) == names(template, "en"), template.name


def names(template, language):
    end = "" if language == "en" else f".{language}"
    package = Path(competition.__file__).parent / template.prepare.__module__.split(".")[1]
    folder = package / template.prepare.__module__.split(".")[2] / "templates"
    text = (folder / f"{template.name.partition('.')[2]}{end}.txt").read_text("utf-8")
    return set(re.findall(r"{{ ([a-z_]+)[ .]|link\(\"(\w+)\"\)", text))


def lapsed_mail(service, person):
    with begin(service.runtime) as work:
        mails.send(work, "verification.lapsed", person.email)
    return service.mails(person.email)[-1]


def html_of(mail):
    return mail.get_body(("html",)).get_content()


def test_an_email_is_in_the_language_of_its_recipient(app):
    french, english = app.candidate(language="fr"), app.candidate(language="en")
    mail = lapsed_mail(app, french)
    assert "Veuillez les envoyer de nouveau." in text_of(mail)
    assert mail["Content-Language"] == "fr"
    assert '<html lang="fr">' in html_of(mail)
    mail = lapsed_mail(app, english)
    assert "Please upload them again." in text_of(mail)
    assert '<html lang="en">' in html_of(mail)


@pytest.mark.parametrize(("setting", "text"), [("fr", "Bonjour,"), ("en", "Hello,")])
def test_without_a_choice_the_setting_decides(app_with, setting, text):
    service = app_with({"competition.language": setting})
    assert text in text_of(lapsed_mail(service, service.candidate()))
    chosen = service.candidate(language="en" if setting == "fr" else "fr")
    assert text not in text_of(lapsed_mail(service, chosen))


def test_an_address_without_an_account_gets_the_language_of_the_league(app_with):
    service = app_with({"competition.language": "fr"})
    with begin(service.runtime) as work:
        mails.send(work, "verification.lapsed", "nobody@school.example")
    assert "Bonjour," in text_of(service.mails("nobody@school.example")[-1])


def test_an_email_without_a_text_in_the_language_is_in_english(probe):
    person = probe.candidate(language="fr")
    with begin(probe.runtime) as work:
        mails.send(work, "probe.letter", person.email, subject="S", text="T")
    mail = probe.mails(person.email)[-1]
    assert mail["Content-Language"] == "en"


def test_an_email_links_to_a_page_of_the_recipients_own_front_end(app):
    public = app.runtime.public_url
    assert f"{public}/documents" in text_of(lapsed_mail(app, app.candidate()))
    assert f"{public}/console/documents" in text_of(lapsed_mail(app, app.staff("volunteer")))


def test_codes_broadcasts_and_backups_link_to_their_pages(app):
    public, person, admin = app.runtime.public_url, app.candidate(), app.staff("superadmin")
    app.anonymous.post("/auth/password-change/request/", {"email": person.email}, status=200)
    assert f"{public}/password?step=code" in text_of(app.mails(person.email)[-1])
    body = {
        "subject": "Round 2",
        "message": "It begins.",
        "target_roles": {"candidate": ["screening"]},
    }
    for mediums, linked in ((["email"], False), (["email", "platform"], True)):
        admin.post("/broadcasts/", {**body, "mediums": mediums}, status=201)
        app.run_jobs()
        assert (f"{public}/inbox" in text_of(app.mails(person.email)[-1])) == linked


def test_an_email_reads_well_without_a_front_end(app_with, without):
    service = app_with(without("portal"))
    text = text_of(lapsed_mail(service, service.candidate()))
    assert "http" not in text
    assert text.rstrip().endswith("sorry for the delay.")


def test_an_address_without_an_account_gets_no_links(app):
    assert links.for_kind(app.runtime, None)("documents") is None
    assert links.for_kind(app.runtime, "candidate")("nothing") is None


@pytest.mark.parametrize("plugin", ["portal", "console"])
def test_every_linked_page_exists(app, plugin):
    routes = Path(competition.__file__).parent / f"plugins/{plugin}/static/routes.json"
    paths = {each["path"].removeprefix("/") for each in json.loads(routes.read_text("utf-8"))}
    prefix = {"portal": "/", "console": "/console/"}[plugin]
    declared = app.runtime.catalogue[links.PageLinks][plugin].paths.values()
    assert declared
    assert {path.removeprefix(prefix).partition("?")[0] for path in declared} <= paths


def test_every_link_in_an_email_to_staff_or_candidates_has_a_page(app):
    """Emails that both kinds of accounts get link to a page for both."""
    declared = app.runtime.catalogue[links.PageLinks]
    candidates, staff = (set(declared[plugin].paths) for plugin in ("portal", "console"))
    package = Path(competition.__file__).parent
    linked = {
        subject
        for file in package.glob("plugins/*/templates/*.txt")
        for subject in re.findall(r'link\("(\w+)"\)', file.read_text("utf-8"))
    }
    # Only superadmins get emails about backups.
    assert (linked - candidates, linked - staff) == ({"backups"}, set())


def test_emails_to_staff_link_to_the_pages_of_the_console(app):
    public, admin = app.runtime.public_url, app.staff("superadmin")
    member = app.staff("moderator", is_email_verified=False)
    app.anonymous.post("/send-email-otp/", {"email": member.email}, status=200)
    app.run_jobs()
    assert f"{public}/console/account" in text_of(app.mails(member.email)[-1])
    body = {"subject": "Round 2", "message": "It begins.", "mediums": ["email", "platform"]}
    admin.post("/broadcasts/", {**body, "target_roles": {"staff": ["moderator"]}}, status=201)
    app.run_jobs()
    assert f"{public}/console/notifications" in text_of(app.mails(member.email)[-1])


REGISTRATION = {
    "first_name": "Grace",
    "last_name": "Hopper",
    "phone": "+49 123 456789",
    "school": "Hillside School",
    "password": PASSWORD,
    "password2": PASSWORD,
}


def language_of(service, email):
    with begin(service.runtime) as work:
        return work.db.scalar(select(User.language).where(User.email == email))


@pytest.mark.parametrize(
    ("sent", "header", "language"),
    [
        ({}, None, None),
        ({}, "de", None),
        ({}, "fr-FR,fr;q=0.9,en;q=0.8", "fr"),
        ({"language": None}, "fr", "fr"),
        ({"language": "en"}, "fr", "en"),
        ({"language": "fr"}, None, "fr"),
    ],
)
def test_a_registration_has_a_language(app, sent, header, language):
    email = "grace@school.example"
    headers = {"Accept-Language": header} if header else {}
    body = {**REGISTRATION, "email": email, **sent}
    app.anonymous.post("/register/candidate/", body, headers=headers, status=201)
    assert language_of(app, email) == language
    wanted = "Bonjour," if language == "fr" else "Hello,"
    assert wanted in text_of(app.mails(email)[-1])


def test_a_registration_of_staff_has_a_language(app):
    email = "grace@school.example"
    body = {**REGISTRATION, "email": email, "occupation": "Teacher"}
    app.anonymous.post("/register/staff/", body, headers={"Accept-Language": "fr"}, status=201)
    assert language_of(app, email) == "fr"


def test_an_unknown_language_is_rejected(app):
    body = {**REGISTRATION, "email": "grace@school.example", "language": "de"}
    reply = app.anonymous.post("/register/candidate/", body, status=400, code="invalid")
    assert reply.json["rules"] == {"language": [{"rule": "not_a_choice", "choices": ["en", "fr"]}]}


@pytest.mark.parametrize("kind", ["candidate", "staff"])
def test_users_choose_the_language_of_their_emails(app, kind):
    person = app.candidate() if kind == "candidate" else app.staff("volunteer")
    for language in ("fr", None, "en"):
        reply = person.patch("/account-management/", {"language": language})
        assert reply.json["profile"]["user"]["language"] == language
        found = person.get("/account-management/").json["profile"]["user"]["language"]
        assert found == language == language_of(app, person.email)
    person.patch("/account-management/", {"language": "de"}, status=400, code="invalid")
