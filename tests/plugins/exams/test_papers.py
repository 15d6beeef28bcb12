"""The cache for the frozen questions of an exam."""

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
    reads_the_paper(app, exam_id, statements)  # Plugins may have cached it already.
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
