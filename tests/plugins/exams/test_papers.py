"""The cache for the frozen questions of an exam."""

from datetime import timedelta

import pytest

from competition.core.work import begin
from competition.plugins.exams.services import papers, rows
from competition.testing.exam_day import make_exam, take


def reads_the_paper(app, exam_id, statements):
    with statements() as executed, begin(app.runtime) as work:
        assert papers.frozen(work, exam_id) is not None
    return bool([each for each in executed if "FROM paper" in each])


def test_the_paper_of_a_started_exam_is_read_once(app, admin, statements):
    exam_id = make_exam(app, admin)
    take(app.candidate(), exam_id, status=200)
    reads_the_paper(app, exam_id, statements)  # A plugin may have cached the paper already.
    assert not reads_the_paper(app, exam_id, statements)


def test_a_cached_paper_expires(app, admin, statements, monkeypatch):
    monkeypatch.setattr(papers, "CACHED_FOR", 0)
    exam_id = make_exam(app, admin)
    take(app.candidate(), exam_id, status=200)
    assert [reads_the_paper(app, exam_id, statements) for _ in range(2)] == [True, True]


def test_a_paper_is_not_cached_before_the_first_start_is_committed(app, admin):
    exam_id = make_exam(app, admin)
    cache = app.runtime.part(papers.PaperCache)
    with begin(app.runtime) as work:
        papers.freeze(work, rows.locked(work, exam_id))
    with begin(app.runtime) as work:
        assert papers.frozen(work, exam_id) is not None
    assert cache.get(exam_id) is None
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        exam = rows.mark_started(work, exam_id)
        papers.freeze(work, exam)
        raise ZeroDivisionError
    assert cache.get(exam_id) is None


def test_moderators_read_the_paper_once_the_exam_has_opened(app, admin):
    moderator, opens = app.staff("moderator"), app.clock.now + timedelta(hours=1)
    exam_id = make_exam(app, admin, scheduled_date=opens.isoformat())
    path = f"/exams/{exam_id}/paper/"
    moderator.get(path, status=403, code="permission_denied")
    app.clock.advance(hours=1)
    paper = moderator.get(path, status=200).json
    exam = admin.get(f"/exams/{exam_id}/").json
    assert paper == {
        **{
            name: exam[name]
            for name in ("id", "title", "stage", "round", "stage_display", "season")
        },
        "status": "ongoing",
        "scheduled_date": exam["scheduled_date"],
        "closes_at": exam["closes_at"],
        "frozen_at": None,
        "questions": admin.get(f"/exams/{exam_id}/questions/").json,
    }
    take(app.candidate(), exam_id, status=200)
    assert moderator.get(path).json["frozen_at"] == "2026-03-01T10:00:00Z"
    draft = make_exam(app, admin, scheduled_date=None)
    moderator.get(f"/exams/{draft}/paper/", status=403, code="permission_denied")


def test_an_exam_says_when_its_paper_was_frozen(app, admin):
    exam_id = make_exam(app, admin)
    path = f"/exams/{exam_id}/"

    def frozen_at():
        changed = admin.patch(path, {"description": "Read this."}, status=200).json
        shown = admin.get(path, status=200).json
        assert shown["frozen_at"] == changed["frozen_at"]
        assert shown["closes_at"] == changed["closes_at"] is not None
        return shown["frozen_at"]

    assert frozen_at() is None
    app.clock.advance(minutes=-30)
    admin.post(f"{path}prepare/", status=200)
    assert frozen_at() == "2026-03-01T08:30:00Z"
    admin.delete(f"{path}prepare/", status=204)
    assert frozen_at() is None
