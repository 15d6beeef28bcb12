"""Certificates that staff import from a file."""

from competition.testing.exam_day import make_exam


def upload(app, person, exam, text):
    form = {"file": ("prizes.csv", text.encode()), "exam": str(exam)}
    found = person.upload("POST", "/imports/certificates/", form).json
    app.run_jobs()
    return found["id"]


def states(person, import_id):
    found = person.get(f"/imports/{import_id}/rows/").json["results"]
    return [each["state"] for each in found]


def test_certificates_are_imported_drawn_and_changed(app, admin):
    exam, ada = make_exam(app, admin), app.candidate()
    for rank, state in ((1, "new"), (1, "unchanged"), (2, "changed")):
        text = f"E-mail,Place\n{ada.email},{rank}\nnobody@x.example,1\n"
        import_id = upload(app, admin, exam, text)
        assert states(admin, import_id) == [state, "invalid"]
        admin.post(f"/imports/{import_id}/apply/", {"invalid": "skip"})
        app.run_jobs()
        [certificate] = ada.get("/certificates/").json["results"]
        assert certificate["rank"] == rank
        assert certificate["drawing"]


def test_an_unknown_exam_is_rejected(app, admin):
    form = {"file": ("prizes.csv", b"email,rank\n"), "exam": "999999"}
    refused = admin.upload("POST", "/imports/certificates/", form, status=400)
    assert [*refused.json["errors"]] == ["exam"]
