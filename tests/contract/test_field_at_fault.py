"""An error with the code `invalid` names the invalid field, if there is one."""

from competition.testing.exam_day import make_exam, make_questions
from competition.testing.identity_papers import PNG, submit

UPLOAD = "/user/verification/upload/"


def at_fault(reply):
    assert reply.json["code"] == "invalid"
    return set(reply.json["errors"])


def test_an_error_in_the_links_of_a_question_names_its_field(app, admin):
    [question] = make_questions(app, "A")
    path, exam = f"/questions/{question}/", make_exam(app, admin)
    [path] = [
        each.replace("{question_id}", str(question))
        for each in app.document.document["paths"]
        if each.startswith("/questions/{question_id}/") and each != "/questions/{question_id}/"
    ]
    assert at_fault(admin.post(path, {}, status=400)) == {"add_to_exams"}
    both = {"add_to_exams": [exam], "remove_from_exams": [exam]}
    assert at_fault(admin.post(path, both, status=400)) == {"remove_from_exams"}


def test_an_error_in_documents_and_decisions_names_its_fields(app, manager):
    ada = app.candidate(verification="not_submitted")
    submit(ada)
    three = {"face_id", "id_card", "verification_document"}
    empty = ada.upload("PATCH", UPLOAD, {"nothing": ("a.png", PNG)}, status=400)
    assert at_fault(empty) == three
    action = f"/user/verification/action/{ada.id}/"
    assert at_fault(manager.post(action, {}, status=400)) == {"is_approved"}


def test_a_missing_stage_or_round_is_named(app, admin):
    assert at_fault(admin.get("/leaderboard/?stage=final", status=400)) == {"round"}
    assert at_fault(admin.get("/leaderboard/?round=1", status=400)) == {"stage"}


def test_questions_that_are_not_a_list_are_named(app, admin):
    body = {"title": "Rings", "stage": "screening", "questions": "1"}
    assert at_fault(admin.post("/exams/", body, status=400)) == {"questions"}
