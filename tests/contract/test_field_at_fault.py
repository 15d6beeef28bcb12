"""An error with the code `invalid` names the invalid field, if there is one."""

from competition.testing.exam_day import make_exam, make_questions
from competition.testing.identity_papers import PNG, submit

UPLOAD = "/user/verification/upload/"


def at_fault(reply):
    assert reply.json["code"] == "invalid"
    return set(reply.json["errors"])


def test_links_of_a_question(app, admin):
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


def test_identity_papers_and_decisions(app, manager):
    ada = app.candidate(verification="not_submitted")
    submit(ada)
    three = {"face_id", "id_card", "verification_document"}
    empty = ada.upload("PATCH", UPLOAD, {"nothing": ("a.png", PNG)}, status=400)
    assert at_fault(empty) == three
    action = f"/user/verification/action/{ada.id}/"
    assert at_fault(manager.post(action, {}, status=400)) == {"is_approved"}


def test_half_of_a_leaderboards_name(app, admin):
    assert at_fault(admin.get("/leaderboard/?stage=final", status=400)) == {"round"}
    assert at_fault(admin.get("/leaderboard/?round=1", status=400)) == {"stage"}


def test_questions_of_an_exam_that_are_no_list(app, admin):
    body = {"title": "Rings", "stage": "screening", "questions": "1"}
    assert at_fault(admin.post("/exams/", body, status=400)) == {"questions"}
