"""The SQL statements of the planning endpoints: nothing is selected twice."""

from competition.testing.exam_day import make_exam, make_questions, take
from tests.support.statements import above, counts


def test_planning_an_exam_takes_few_statements(app_with, ours, statements):
    app = app_with(ours)
    admin = app.staff("admin")
    first, second = make_questions(app, "AB")
    path = f"/exams/{make_exam(app, admin, '', questions=[first])}/"
    body = {"title": "Rings", "stage": "final", "questions": [second]}
    links = {"add_to_exams": [int(path.split("/")[2])]}
    acts = {
        "list": lambda: admin.get("/exams/", status=200),
        "create": lambda: admin.post("/exams/", body, status=201),
        "show": lambda: admin.get(path, status=200),
        "questions": lambda: admin.get(f"{path}questions/", status=200),
        "change": lambda: admin.patch(path, {"title": "Ideals"}, status=200),
        "change questions": lambda: admin.patch(path, {"questions": [second]}, status=200),
        "replace": lambda: admin.put(path, {"title": "Rings", "stage": "final"}, status=200),
        "link": lambda: admin.post(f"/questions/{first}/exams/", links, status=200),
        "conclude": lambda: admin.post(f"{path}conclude/", status=200),
        "delete": lambda: admin.delete(path, status=204),
    }
    limits = {
        "list": 3,
        "create": 9,
        "show": 7,
        "questions": 5,
        "change": 7,
        "change questions": 9,
        "replace": 7,
        "link": 11,
        "conclude": 13,
        "delete": 6,
    }
    assert above(limits, counts(statements, acts)) == {}


def test_changing_a_started_exam_takes_few_statements(app_with, ours, statements):
    app = app_with(ours)
    admin = app.staff("admin")
    path = f"/exams/{make_exam(app, admin)}/"
    take(app.candidate(), int(path.split("/")[2]))
    admin.get(path)
    acts = {
        "show": lambda: admin.get(path, status=200),
        "change": lambda: admin.patch(path, {"title": "Ideals"}, status=200),
        "conclude": lambda: admin.post(f"{path}conclude/", status=200),
        "conclude again": lambda: admin.post(f"{path}conclude/", status=200),
        "delete too early": lambda: admin.delete(path, status=400),
    }
    limits = {
        "show": 5,
        "change": 5,
        "conclude": 11,
        "conclude again": 3,
        "delete too early": 3,
    }
    assert above(limits, counts(statements, acts)) == {}
