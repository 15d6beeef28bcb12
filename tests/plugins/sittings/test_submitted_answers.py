"""Candidates can read their own answers once nobody can submit the exam any longer."""

from competition.testing.exam_day import make_exam, sit, take


def read(person, exam_id, **expected):
    return person.get(f"/exams/{exam_id}/submitted-answers/", **expected)


def test_candidates_read_their_answers_once_nobody_can_submit(app, admin):
    exam_id = make_exam(app, admin, "ABC", countdown_minutes=30)
    early, late = app.candidate(), app.candidate()
    sit(app, early, exam_id, "B C")
    read(early, exam_id, status=403, code="permission_denied")
    take(late, exam_id, status=200)
    admin.post(f"/exams/{exam_id}/conclude/")
    read(early, exam_id, status=403, code="permission_denied")
    app.clock.advance(minutes=36)
    reply = read(early, exam_id, status=200).json
    assert (reply["exam"], reply["handed_in_by"]) == (exam_id, "candidate")
    assert reply["submitted_at"] == "2026-03-01T09:00:00Z"
    assert [each["selected_option"] for each in reply["answers"]] == ["B", "", "C"]
    assert "correct_answer" not in reply["answers"][0]


def test_without_a_submission_there_are_no_answers_to_read(app, admin):
    exam_id = make_exam(app, admin, "ABC")
    read(app.candidate(), exam_id, status=404, code="not_found")
    read(app.candidate(), exam_id + 1, status=404, code="not_found")


def test_the_answers_that_the_service_submitted_can_be_read(app, admin):
    exam_id = make_exam(app, admin, "AB", countdown_minutes=30)
    ada = app.candidate()
    question = take(ada, exam_id, status=200).json["questions"][1]["id"]
    answers = [{"question": question, "selected_option": "D"}]
    ada.put(f"/exams/{exam_id}/draft/", {"sequence": 1, "answers": answers}, status=200)
    admin.post(f"/exams/{exam_id}/conclude/")
    app.clock.advance(minutes=36)
    app.run_task("drafts.hand_in")
    reply = read(ada, exam_id, status=200).json
    assert reply["handed_in_by"] == "service"
    assert [each["selected_option"] for each in reply["answers"]] == ["", "D"]
