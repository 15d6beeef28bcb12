"""A snapshot may have several boards of one stage and round, one per exam."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

BY_ROUND = "uq_board_snapshot_id_stage_round"
BY_EXAM = "uq_board_snapshot_id_exam_id"


def upgrade() -> None:
    op.drop_constraint(BY_ROUND, "board", type_="unique")
    op.create_unique_constraint(BY_EXAM, "board", ["snapshot_id", "exam_id"])
    # Exams whose board was replaced get it back in the latest snapshot. If it was never written, the
    # next publication of all exams writes it.
    op.execute("""
        insert into board (snapshot_id, stage, round, exam_id, exam_title, scheduled_date,
            concluded_at, ranking, total_questions, total_candidates, average_score, copy_of)
        select latest.id, board.stage, board.round, exam_id, exam_title, board.scheduled_date,
            concluded_at, board.ranking, total_questions, total_candidates, average_score,
            coalesce(copy_of, board.id)
        from (select max(id) as id from snapshot) latest
        cross join lateral (
            select distinct on (exam_id) * from board order by exam_id, snapshot_id desc
        ) board
        join exam on exam.id = exam_id
        where snapshot_id < latest.id and deleted_at is null and published_at is not null
    """)


def downgrade() -> None:
    op.execute("""
        delete from board older using board newer
        where older.snapshot_id = newer.snapshot_id and older.stage = newer.stage
            and older.round = newer.round
            and (older.scheduled_date, older.exam_id) < (newer.scheduled_date, newer.exam_id)
    """)
    op.drop_constraint(BY_EXAM, "board", type_="unique")
    op.create_unique_constraint(BY_ROUND, "board", ["snapshot_id", "stage", "round"])
