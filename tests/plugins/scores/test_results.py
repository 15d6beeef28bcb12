"""The scores of an exam, as staff read them."""

from competition.core import shared_answers
from competition.testing.exam_day import score, season


def test_the_scores_of_an_exam_are_also_listed_page_by_page(app, admin):
    exam_id, people = season(app, admin, ["ABCD", "ABC", "AB"], key="ABCD")
    app.run_jobs()
    best, second, last = (str(person.id) for person in people)
    everybody = admin.get(f"/exams/{exam_id}/results/", status=200).json
    assert [row["candidate_id"] for row in everybody] == [best, second, last]
    page = admin.get(f"/exams/{exam_id}/scores/?page=2&limit=2", status=200).json
    assert page["results"] == everybody[2:]
    assert page["pagination"]["count"] == 3
    upwards = admin.get(f"/exams/{exam_id}/scores/?page=1&ordering=score", status=200).json
    assert [row["candidate_id"] for row in upwards["results"]] == [last, second, best]
    name = people[1].email
    found = admin.get(f"/exams/{exam_id}/scores/?page=1&search={name}", status=200).json
    assert [row["candidate_id"] for row in found["results"]] == [second]
    admin.get(f"/exams/{exam_id}/scores/?page=3", status=404, code="not_found")


def test_equal_scores_are_never_on_two_pages_or_none(app, admin):
    exam_id, _ = season(app, admin, ["AB  ", "ABCD", "AB  ", "ABC ", "AB  "], key="ABCD")
    app.run_jobs()
    everybody = admin.get(f"/exams/{exam_id}/results/").json
    pages = [
        admin.get(f"/exams/{exam_id}/scores/?page={number}&limit=2").json for number in (1, 2, 3)
    ]
    assert [row for page in pages for row in page["results"]] == everybody
    assert {page["pagination"]["count"] for page in pages} == {5}


def test_staff_share_the_numbers_of_a_large_exam_for_two_seconds(app, admin, monkeypatch):
    exam_id, _ = season(app, admin, ["ABCD", "AB  "], key="ABCD")
    app.run_jobs()

    def numbers():
        listed = admin.get(f"/exams/{exam_id}/scores/?page=1&limit=1").json
        average = admin.get(f"/exams/{exam_id}/").json["average_score"]
        return listed["pagination"]["count"], average

    monkeypatch.setattr(shared_answers, "FEW_ROWS", 1)
    assert numbers() == (2, 75)
    score(app, admin, exam_id, app.candidate(), 30)
    app.clock.advance(seconds=1)
    assert numbers() == (2, 75)
    app.clock.advance(seconds=2)
    assert numbers() == (3, 60)
    monkeypatch.setattr(shared_answers, "FEW_ROWS", 3)
    app.clock.advance(seconds=3)
    assert numbers() == (3, 60)
    score(app, admin, exam_id, app.candidate(), 0)
    assert numbers() == (4, 45)
