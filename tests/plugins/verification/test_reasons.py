"""Prepared reasons for rejections: users read them in their language, and see the document."""

import pytest

from competition.core.users import personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.verification.reasons import PREPARED
from competition.testing.identity_papers import submit
from tests.support.javascript import catalogue
from tests.support.repository import REPOSITORY

STATUS = "/user/verification/status/"

ENGLISH, FRENCH = {"Accept-Language": "en"}, {"Accept-Language": "fr"}
CARD = "The card can't be read."
CARTE = "La pièce d\u2019identité est illisible."
TEXTS = REPOSITORY / "competition/plugins/console/static/documents/texts"


@pytest.fixture
def app(app_with):
    return app_with({"competition.notifications.on": "documents"})


@pytest.fixture
def manager(app):
    return app.staff("manager")


def rejected(app, manager, reason, language):
    """A candidate whose documents were rejected by a reviewer with this language."""
    candidate = app.candidate(verification="not_submitted")
    submit(candidate)
    decision = {"is_rejected": True, "rejection_reason": reason}
    manager.post(f"/user/verification/action/{candidate.id}/", decision, headers=language)
    return candidate


@pytest.mark.parametrize(("sent", "language"), [(CARD, ENGLISH), (CARTE, FRENCH)])
@pytest.mark.parametrize("details", ["", " Take ${it} by daylight.", "\nTwice."])
def test_a_prepared_reason_is_in_the_language_of_its_reader(app, manager, sent, language, details):
    candidate = rejected(app, manager, sent + details, language)
    for reads, text in ((ENGLISH, CARD), (FRENCH, CARTE)):
        record = candidate.get(STATUS, headers=reads).json
        assert record["rejection_reason"] == text + details
        assert record["rejected_document"] == "id_card"
        notice = candidate.get("/notifications/", headers=reads).json["results"][0]
        assert notice["message"].startswith(text + details)


@pytest.mark.parametrize(("language", "text"), [("en", CARD), ("fr", CARTE), (None, CARD)])
def test_an_export_has_a_prepared_reason_in_the_language_of_the_account(
    app, manager, language, text
):
    candidate = rejected(app, manager, CARD, ENGLISH)
    with begin(app.runtime) as work:
        work.db.get_one(User, candidate.id).language = language
        work.db.flush()
        found = personal_data.export(work, candidate.id)
    assert found["verification"]["rejection_reason"] == text
    assert found["notifications"][0]["message"].startswith(text)


@pytest.mark.parametrize("reason", ["Blurred.", f"{CARD}!", f"I think: {CARD}", None])
def test_other_reasons_stay_as_they_were_written(app, manager, reason):
    candidate = rejected(app, manager, reason, FRENCH)
    record = candidate.get(STATUS, headers=FRENCH).json
    assert record["rejection_reason"] == reason
    assert "rejected_document" not in record


@pytest.mark.parametrize(("file", "language"), [("en.js", ENGLISH), ("fr.js", FRENCH)])
def test_the_console_offers_the_prepared_reasons(app, manager, file, language):
    texts = [
        text
        for key, [text, *_] in catalogue(TEXTS / file).items()
        if key.startswith("documents.reason.") and key != "documents.reason.other"
    ]
    shown = []
    for text, _ in PREPARED:
        candidate = rejected(app, manager, str(text), ENGLISH)
        shown.append(candidate.get(STATUS, headers=language).json["rejection_reason"])
    assert texts == shown
