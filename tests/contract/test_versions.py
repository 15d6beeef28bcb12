"""Two people who edit the same object notice each other, by ETag and If-Match.

The rules are in `docs/decisions/contract.md`, W6.
"""

import pytest

from competition.testing.exam_day import make_exam, make_questions
from competition.testing.races import together


def object_of(app, kind):
    """The path of an object, two members of staff who may change it, and two changes."""
    admins = app.staff("admin"), app.staff("admin")
    if kind == "exam":
        path = f"/exams/{make_exam(app, admins[0], 'AB')}/"
        return path, admins, ({"title": "First"}, {"title": "Second"})
    if kind == "question":
        path = f"/questions/{make_questions(app, 'A')[0]}/"
        return path, admins, ({"text": "First?"}, {"text": "Second?"})
    if kind == "plan":
        plan = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}}
        plan["exams"] = [make_exam(app, admins[0], "AB")]
        path = f"/advancement/{admins[0].post('/advancement/', plan, status=201).json['id']}/"
        return path, admins, ({"to_stage": "final"}, {"to_stage": "winner"})
    path = f"/account-management/{app.candidate().id}/"
    managers = app.staff("manager"), app.staff("manager")
    return path, managers, ({"first_name": "First"}, {"first_name": "Second"})


KINDS = pytest.mark.parametrize("kind", ["exam", "question", "account", "plan"])


@KINDS
def test_a_change_to_an_old_version_is_rejected_and_changes_nothing(app, kind):
    path, (one, other), (first, second) = object_of(app, kind)
    seen = one.get(path, status=200)
    tag = seen.headers["ETag"]
    assert other.get(path).headers["ETag"] == tag
    app.clock.advance(seconds=1)
    changed = one.patch(path, first, status=200, headers={"If-Match": tag})
    assert changed.headers["ETag"] != tag
    other.patch(path, second, status=412, code="precondition_failed", headers={"If-Match": tag})
    now = other.get(path, status=200)
    assert now.headers["ETag"] == changed.headers["ETag"]
    [(one_text,), (other_text,)] = first.values(), second.values()
    assert one_text in now.text and other_text not in now.text
    app.clock.advance(seconds=1)
    other.patch(path, second, status=200, headers={"If-Match": now.headers["ETag"]})


def test_adding_and_removing_questions_is_a_change_of_the_exam(app):
    admin = app.staff("admin")
    exam_id = make_exam(app, admin, "AB")
    [added] = make_questions(app, "C")
    path, of_question = f"/exams/{exam_id}/", f"/questions/{added}/exams/"
    bulk = {"question_ids": [added], "exam_ids": [exam_id]}
    for method, changed_by, body in (
        ("POST", of_question, {"add_to_exams": [exam_id]}),
        ("POST", of_question, {"remove_from_exams": [exam_id]}),
        ("POST", "/questions/bulk-add-to-exams/", bulk),
    ):
        tag = admin.get(path, status=200).headers["ETag"]
        app.clock.advance(seconds=1)
        admin.request(method, changed_by, body, status=200)
        stale = {"status": 412, "code": "precondition_failed", "headers": {"If-Match": tag}}
        admin.patch(path, {"questions": []}, **stale)


def test_every_other_change_of_a_versioned_object_compares_the_version(app):
    admin = app.staff("admin")
    question = {"text": "Why?", **{f"option_{each}": each for each in "abcd"}}
    changes = [
        ("PUT", f"/exams/{make_exam(app, admin, 'AB')}/", {"title": "New", "stage": "screening"}),
        ("PUT", f"/questions/{make_questions(app, 'A')[0]}/", {**question, "correct_answer": "A"}),
        ("PATCH", "/account-management/", {"first_name": "New"}),
    ]
    for method, path, body in changes:
        rejected = {"status": 412, "code": "precondition_failed", "headers": {"If-Match": '"old"'}}
        admin.request(method, path, body, **rejected)
        admin.request(method, path, body, status=200)


def test_a_version_that_a_proxy_has_marked_as_weak_is_accepted(app):
    path, (one, _), (first, _) = object_of(app, "account")
    tag = one.get(path, status=200).headers["ETag"]
    one.patch(path, first, status=200, headers={"If-Match": f'"old", W/{tag}'})


@KINDS
def test_without_a_version_the_last_change_wins(app, kind):
    path, (one, other), (first, second) = object_of(app, kind)
    one.patch(path, first, status=200)
    app.clock.advance(seconds=1)
    other.patch(path, second, status=200)
    other.patch(path, first, status=200, headers={"If-Match": "*"})


@KINDS
def test_one_of_two_simultaneous_changes_to_a_version_is_rejected(live, kind):
    path, people, changes = object_of(live, kind)
    tag = people[0].get(path, status=200).headers["ETag"]
    live.clock.advance(seconds=1)

    def change(index):
        return (
            people[index]
            .patch(path, changes[index], status="any", headers={"If-Match": tag})
            .status_int
        )

    assert sorted(together(2, change)) == [200, 412]
