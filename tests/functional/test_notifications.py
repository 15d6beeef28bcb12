"""Notifications over REST (decisions M8, M11)."""

import pytest

from competition.plugins.notifications.services import notify

pytestmark = pytest.mark.needs("notifications")


def tell(app, person, subject="Hello"):
    with app.runtime.work() as work:
        notify(work, [person.id], subject, "Welcome.")


def subjects(person, query=""):
    return [row["subject"] for row in person.get(f"/notifications/{query}").json["results"]]


def test_they_are_counted_and_the_newest_comes_first(app):
    person, other = app.candidate(verification="pending"), app.staff("volunteer")
    for subject in ("one", "two"):
        tell(app, person, subject)
    tell(app, other)
    assert subjects(person) == ["two", "one"]
    stats = person.get("/notifications/").json["stats"]
    assert stats == {"total_count": 2, "unread_count": 2, "read_count": 0}


def test_one_is_marked_as_read_and_again(app):
    person = app.candidate()
    tell(app, person)
    [row] = person.get("/notifications/").json["results"]
    for _ in range(2):
        path = f"/notifications/{row['id']}/mark-as-read/"
        assert person.patch(path, status=200).json == {"status": "success"}
    assert subjects(person, "?status=read") == ["Hello"]
    assert subjects(person, "?status=unread") == []
    app.candidate().patch(path, status=404, code="not_found")
    person.get("/notifications/?status=new", status=400, code="invalid")


def test_all_are_marked_as_read(app):
    person = app.candidate()
    for _ in range(3):
        tell(app, person)
    path = "/notifications/mark-all-as-read/"
    assert person.patch(path).json == {"status": "success", "updated_count": 3}
    assert person.patch(path).json == {"status": "success", "updated_count": 0}


def test_after_an_id_comes_what_was_missed(app):
    person = app.candidate()
    for subject in ("one", "two", "three"):
        tell(app, person, subject)
    seen = person.get("/notifications/").json["results"][-1]["id"]
    assert sorted(subjects(person, f"?after_id={seen}")) == ["three", "two"]
