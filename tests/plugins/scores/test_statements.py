"""The number of SQL statements for scores: nothing is selected twice."""

from competition.testing.exam_day import make_exam, score_by_hand, sit
from tests.support.statements import above, counts


def test_results_and_scores_by_hand_take_few_statements(app, admin, statements):
    exam_id, person = make_exam(app, admin, "AB"), app.candidate()
    sit(app, app.candidate(), exam_id, "AB")
    app.run_jobs()
    acts = {
        "results": lambda: admin.get(f"/exams/{exam_id}/results/", status=200),
        "a score by hand": lambda: score_by_hand(admin, exam_id, person, 50, status=200),
        "another one": lambda: score_by_hand(admin, exam_id, person, 60, status=200),
    }
    limits = {"results": 3, "a score by hand": 6, "another one": 8}
    assert above(limits, counts(statements, acts)) == {}


def test_the_scores_of_a_candidate_take_few_statements(app_with, ours, statements):
    app = app_with(ours)
    admin, person = app.staff("admin"), app.candidate()
    exam_id = make_exam(app, admin, "AB")
    sit(app, person, exam_id, "AB")
    app.run_jobs()
    path = f"/candidates/{person.id}/"
    # The first request of a minute computes the ranks.
    admin.get(path)
    acts = {
        "detail": lambda: admin.get(path, status=200),
        "scores": lambda: admin.get(f"{path}scores/", status=200),
        "history": lambda: admin.get(f"{path}exam-history/", status=200),
        "account": lambda: person.get("/account-management/", status=200),
        "staff's account": lambda: admin.get("/account-management/", status=200),
    }
    limits = {
        "detail": 9,
        "scores": 3,
        "history": 3,
        "account": 4,
        "staff's account": 2,
    }
    assert above(limits, counts(statements, acts)) == {}
