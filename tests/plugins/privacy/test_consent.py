"""Consent of a guardian at registration, if the settings contain a text."""

from competition.core.users import personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.privacy.models import Consent, ConsentText

TEXT = "I agree that my child takes part."
FORM = {
    "email": "ada@school.example",
    "first_name": "Ada",
    "last_name": "Lovelace",
    "phone": "+49 123 4567",
    "school": "Hillside",
    "generate_password": True,
}


def register(app, **fields):
    expected = {name: fields.pop(name) for name in ("status", "code") if name in fields}
    return app.anonymous.post("/register/candidate/", {**FORM, **fields}, **expected).json


def test_without_a_consent_text_registration_needs_no_consent(app):
    reply = app.anonymous.get("/registration/consent/")
    assert reply.json == {"required": False, "text": None, "version": None}
    known = {"If-None-Match": reply.headers["ETag"]}
    app.anonymous.get("/registration/consent/", headers=known, status=304)
    register(app, guardian_consent="ignored", status=201)


def test_a_consent_is_stored_with_its_guardian_time_and_text(app_with):
    app = app_with({"competition.privacy.consent_text": TEXT})
    demand = app.anonymous.get("/registration/consent/").json
    assert (demand["required"], demand["text"]) == (True, TEXT)
    refused = register(app, status=400, code="invalid")
    assert list(refused["errors"]) == ["guardian_consent"]
    consent = {"name": "Anne", "email": "Anne@home.example", "version": "of-yesterday"}
    refused = register(app, guardian_consent=consent, status=400, code="invalid")
    assert list(refused["errors"]["guardian_consent"]) == ["version"]
    with begin(app.runtime) as work:
        assert work.db.query(User).filter_by(email=FORM["email"]).count() == 0
    register(app, guardian_consent={**consent, "version": demand["version"]}, status=201)
    # Staff need no consent.
    staff = {**FORM, "email": "emmy@school.example"}
    app.anonymous.post("/register/staff/", staff, status=201)
    with begin(app.runtime) as work:
        [consent_row] = work.db.query(Consent)
        assert consent_row.given_at == app.clock.now
        exported = personal_data.export(work, consent_row.candidate_id)["privacy"][
            "guardian_consent"
        ]
        assert (exported["name"], exported["email"], exported["text"]) == (
            "Anne",
            "anne@home.example",
            TEXT,
        )
        personal_data.erase(work, consent_row.candidate_id)
        assert work.db.query(Consent).count() == 0
        assert [each.text for each in work.db.query(ConsentText)] == [TEXT]


def test_a_guardian_agrees_again_when_the_candidate_joins_a_season(app_with):
    app = app_with({"competition.privacy.consent_text": TEXT})
    version = app.anonymous.get("/registration/consent/").json["version"]
    first = {"name": "Anne", "email": "anne@home.example", "version": version}
    register(app, guardian_consent=first, status=201)
    person = app.candidate()
    app.staff("superadmin").post("/seasons/", {"name": "2027"}, status=201)
    with begin(app.runtime) as work:
        [consent_row] = work.db.query(Consent)
        consent_row.candidate_id = person.id
    for body in ({}, {"guardian_consent": {**first, "version": "of-yesterday"}}):
        refused = person.post("/seasons/join/", body, status=400, code="invalid").json
        assert list(refused["errors"]) == ["guardian_consent"]
    assert person.get("/candidates/me/").json["current_season"]["joined"] is False
    app.clock.advance(seconds=1)
    again = {"guardian_consent": {**first, "name": "Max"}}
    for _ in range(2):
        person.post("/seasons/join/", again, status=200)
    with begin(app.runtime) as work:
        rows = work.db.query(Consent).order_by(Consent.given_at)
        assert [each.name for each in rows] == ["Anne", "Max"]
        exported = personal_data.export(work, person.id)["privacy"]
        assert exported["guardian_consent"]["name"] == "Anne"
        assert [each["name"] for each in exported["later_consents"]] == ["Max"]
