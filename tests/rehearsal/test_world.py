"""A rehearsal leaves nothing behind."""

from datetime import timedelta

import pytest
from sqlalchemy import func, inspect, select, table

from competition.core.work import begin
from competition.plugins.exams.models import Paper
from competition.rehearsal import world
from competition.testing.exam_day import answers, submit, take

LENGTH = timedelta(minutes=5)
# Entries of the audit trail stay, and housekeeping deletes finished jobs later.
KEPT = {"audit", "job"}


def rows(app):
    with begin(app.runtime) as work:
        return {
            name: count
            for name in inspect(work.db.connection()).get_table_names()
            if name not in KEPT
            and (count := work.db.scalar(select(func.count()).select_from(table(name))))
        }


def test_a_rehearsal_deletes_everything_it_created(app):
    app.candidate()
    before = rows(app)
    with pytest.raises(ZeroDivisionError), world.world(app.runtime, 2, 3, LENGTH, False) as made:
        first, second = (
            app.client(each.devices[0]["Authorization"].split()[1]) for each in made.pupils
        )
        take(first, made.exam_id, status=200)
        take(second, made.exam_id, status=200)
        asked = {"question": None, "text": "Why?"}
        first.post(f"/exams/{made.exam_id}/clarifications/", asked, status=201)
        moderator = app.client(made.moderator.headers["Authorization"].split()[1])
        hello = {"text": "Hello."}
        moderator.post(f"/exams/{made.exam_id}/announcements/", hello, status=201)
        assert world.messages(app.runtime, made.exam_id).announced == ["Hello."]
        draft = {"sequence": 1, **answers(app, made.exam_id, "AB")}
        first.put(f"/exams/{made.exam_id}/draft/", draft, status=200)
        submit(second, made.exam_id, answers(app, made.exam_id, "ABC"), status=201)
        app.clock.advance(minutes=11)
        app.run_task("drafts.hand_in")
        app.run_jobs()
        found = world.results(app.runtime, made.exam_id)
        assert [each.score == each.right for each in found.values()] == [True, True]
        assert found[made.pupils[0].id].handed_in_by == "service"
        raise ZeroDivisionError
    assert rows(app) == before


def test_the_expected_score_is_rounded_like_the_real_one(app):
    with world.world(app.runtime, 1, 32, LENGTH, False) as made:
        pupil = app.client(made.pupils[0].devices[0]["Authorization"].split()[1])
        take(pupil, made.exam_id, status=200)
        with begin(app.runtime) as work:
            first, *others = work.db.scalars(select(Paper.answer_key)).one()
        # One right answer of 32 is 3.125 %.
        wrong = ["A" if each != "A" else "B" for each in others]
        letters = "".join([first, *wrong])
        submit(pupil, made.exam_id, answers(app, made.exam_id, letters), status=201)
        app.run_jobs()
        [found] = world.results(app.runtime, made.exam_id).values()
        assert found.score == found.right == 3.13


def test_a_rehearsal_does_not_run_beside_real_candidates_by_default(app):
    app.candidate("final")
    with pytest.raises(world.Others), world.world(app.runtime, 1, 1, LENGTH, False):
        raise AssertionError
    with world.world(app.runtime, 1, 1, LENGTH, True) as made:
        assert len(made.pupils) == 1
