"""Every change of an exam or a question by staff is audited (decisions F12)."""

import pytest

from competition.testing.exam_day import make_questions


@pytest.fixture
def acts(app, admin):
    """``acts()``: the admin's audit entries, the earliest first."""
    manager = app.staff("manager")

    def read():
        reply = manager.get(f"/audit/?actor_id={admin.id}&limit=100").json
        return [
            (each["action"], each["subject"], each["old"], each["new"])
            for each in reversed(reply["results"])
        ]

    return read


@pytest.fixture
def exam_id(admin):
    return admin.post("/exams/", {"title": "Rings", "stage": "league"}).json["id"]


def test_creating_changing_and_deleting_an_exam_is_audited(admin, acts, exam_id):
    path = f"/exams/{exam_id}/"
    admin.patch(path, {"title": "Ideals", "scheduled_date": "2026-05-01T10:00:00+02:00"})
    admin.delete(path)
    created, changed, deleted = acts()
    subject = f"exam {exam_id}"
    assert created[:3] == ("exam.create", subject, None)
    assert (created[3]["title"], created[3]["questions"]) == ("Rings", [])
    old = {"title": "Rings", "scheduled_date": None}
    new = {"title": "Ideals", "scheduled_date": "2026-05-01T08:00:00Z"}
    assert changed == ("exam.change", subject, old, new)
    assert deleted == ("exam.delete", subject, {"title": "Ideals"}, None)


def test_setting_the_questions_of_an_exam_is_audited(app, admin, acts, exam_id):
    first, second = make_questions(app, "AB")
    for ids in ([first], [second, first]):
        admin.patch(f"/exams/{exam_id}/", {"questions": ids})
    changes = [(old, new) for action, _, old, new in acts() if action == "exam.change"]
    assert changes == [
        ({"questions": []}, {"questions": [first]}),
        ({"questions": [first]}, {"questions": [second, first]}),
    ]


def test_a_change_without_effect_is_not_audited(app, admin, acts, exam_id):
    [question] = make_questions(app, "A")
    admin.patch(f"/exams/{exam_id}/", {"title": "Rings"})
    admin.patch(f"/questions/{question}/", {"difficulty": "easy"})
    assert [action for action, *_ in acts()] == ["exam.create"]


def test_adding_and_removing_questions_is_audited(app, admin, acts, exam_id):
    ids = make_questions(app, "AB")
    admin.post(f"/questions/{ids[0]}/exams/", {"add_to_exams": [exam_id]})
    for _ in range(2):
        body = {"question_ids": ids, "exam_ids": [exam_id]}
        admin.post("/questions/bulk-add-to-exams/", body)
    admin.post(f"/questions/{ids[0]}/exams/", {"remove_from_exams": [exam_id]})
    subject = f"exam {exam_id}"
    assert acts()[1:] == [
        ("exam.add_questions", subject, None, [ids[0]]),
        ("exam.add_questions", subject, None, [ids[1]]),
        ("exam.remove_questions", subject, [ids[0]], None),
    ]


def test_creating_changing_and_archiving_a_question_is_audited(app, admin, acts):
    options = {f"option_{letter}": letter for letter in "abcd"}
    body = {"text": "Why?", **options, "correct_answer": "A"}
    ids = [admin.post("/questions/", body, status=201).json["id"] for _ in range(2)]
    admin.patch(f"/questions/{ids[0]}/", {"correct_answer": "B", "text": "Why?"})
    admin.delete(f"/questions/{ids[0]}/")
    admin.post("/questions/bulk-archive/", {"question_ids": ids})
    first, second = (f"question {each}" for each in ids)
    assert acts() == [
        ("question.create", first, None, None),
        ("question.create", second, None, None),
        ("question.change", first, {"correct_answer": "A"}, {"correct_answer": "B"}),
        ("question.archive", first, None, None),
        ("question.archive", second, None, None),
    ]
