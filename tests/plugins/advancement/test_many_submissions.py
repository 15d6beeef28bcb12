"""Results of an exam with thousands of submissions, before PostgreSQL has statistics about them.

The work must grow in proportion to the number of submissions, not faster.
"""

import pytest
from sqlalchemy import text

from competition.core.users import callers
from competition.core.work import begin
from competition.plugins.advancement.services import applying as advancing
from competition.plugins.advancement.services import plans, ranking
from competition.plugins.analysis import services as analysis
from competition.plugins.exams.models import Exam
from competition.plugins.leaderboard.services import publishing
from competition.plugins.regrades.services import applying as regrading
from competition.plugins.regrades.services import reading
from competition.testing.exam_day import make_exam, sit
from tests.support.many import analyze_once, explained, hand_in, mislead

SUBMISSIONS = 1_000
EXTRA = """
insert into extra_time (exam_id, candidate_id, seconds, created_at)
select exam_id, candidate_id, 60, now() from attempt
"""


@pytest.mark.long
def test_no_statement_reads_a_table_again_for_each_submission(live):
    admin = live.staff("admin")
    exams = [
        make_exam(live, admin, "ABCD", round=round, ranking=policy)
        for round, policy in enumerate(("time", "standard"), 1)
    ]
    plan = {"from_stage": "screening", "to_stage": "league", "exams": exams, "rule": {"minimum": 0}}
    plan_id = admin.post("/advancement/", {**plan, "ties": "in"}, status=201).json["id"]
    for exam_id in exams:
        sit(live, live.candidate(), exam_id, "ABCD")
    with begin(live.runtime) as work:
        work.db.execute(text("delete from job"))
    analyze_once(live)
    with begin(live.runtime) as work:
        for exam_id in exams:
            hand_in(work, exam_id, ["ABCA", "BBCD"] * (SUBMISSIONS // 2))
        work.db.execute(text(EXTRA))
    for exam_id in exams:
        admin.post(f"/exams/{exam_id}/conclude/")
    live.clock.advance(minutes=6)
    with begin(live.runtime) as work, explained(work) as rows:
        mislead(work)
        work.actor = callers.identify(work, admin.client.token or "")
        for exam_id in exams:
            publishing.publish_exams(work, {exam_id})
            exam = regrading.over(work, exam_id)
            question = work.db.scalar(
                text("select question_ids[1] from paper where exam_id = :id"), {"id": exam_id}
            )
            changes = [{"question": question, "accept": ["A", "B"]}]
            regrade = regrading.preview(work, exam, changes, "Both are right.")
            assert regrade.scores_changed == SUBMISSIONS // 2
            regrading.apply(work, reading.get(work, exam_id, regrade.id))
            analysis.analyse(work, work.db.get_one(Exam, exam_id))
        row = plans.locked(work, plan_id)
        ranking.preview(work, row, {"page": 3, "limit": None, "page_size": None})
        assert advancing.apply(work, row) == 2 * (SUBMISSIONS + 1)
        advancing.undo(work, row)
    busiest = max(rows, key=rows.__getitem__)
    assert rows[busiest] < 10 * SUBMISSIONS, busiest
