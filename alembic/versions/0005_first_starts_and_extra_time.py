"""The time of an exam's first start, and extra time for attempts."""

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("exam", sa.Column("first_started_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(
        "update exam set first_started_at = first.started_at"
        " from (select exam_id, min(started_at) as started_at from attempt group by exam_id) first"
        " where first.exam_id = exam.id"
    )
    op.create_table(
        "extra_time",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("seconds > 0", name=op.f("ck_extra_time_seconds")),
        sa.ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["attempt.exam_id", "attempt.candidate_id"],
            name=op.f("fk_extra_time_exam_id_candidate_id_attempt"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_extra_time")),
    )
    op.create_index(
        "ix_extra_time_exam_id_candidate_id",
        "extra_time",
        ["exam_id", "candidate_id"],
        unique=False,
    )
    # These rows are named after the plugin that computed them before.
    op.execute("delete from aggregate where name like 'exams.standings.%'")


def downgrade() -> None:
    op.drop_index("ix_extra_time_exam_id_candidate_id", table_name="extra_time")
    op.drop_table("extra_time")
    op.drop_column("exam", "first_started_at")
