"""Foreign keys tie extra time to the allowance that it is from."""

import sqlalchemy as sa

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BY_ATTEMPT = "ix_extra_time_exam_id_candidate_id"


def upgrade() -> None:
    op.create_table(
        "given_time",
        sa.Column(
            "extra_time_id",
            sa.Integer,
            sa.ForeignKey("extra_time.id"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("allowance_id", sa.Integer, sa.ForeignKey("allowance.id"), nullable=False),
        sa.Column("exam_id", sa.Integer, nullable=False),
        sa.Column("candidate_id", sa.Uuid, nullable=False, index=True),
        sa.ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        sa.UniqueConstraint("allowance_id", "exam_id", "candidate_id"),
    )
    op.execute("""
        insert into given_time (extra_time_id, allowance_id, exam_id, candidate_id)
        select extra_time.id, allowance.id, extra_time.exam_id, extra_time.candidate_id
        from extra_time
        join allowance on source = 'allowance ' || allowance.id
    """)
    op.drop_column("extra_time", "source")
    op.create_index(BY_ATTEMPT, "extra_time", ["exam_id", "candidate_id"])


def downgrade() -> None:
    op.add_column("extra_time", sa.Column("source", sa.String(100)))
    op.execute("""
        update extra_time set source = 'allowance ' || allowance_id
        from given_time where extra_time_id = id
    """)
    op.create_unique_constraint(
        "uq_extra_time_exam_id_candidate_id_source",
        "extra_time",
        ["exam_id", "candidate_id", "source"],
    )
    op.execute("create index ix_extra_time_source on extra_time (source) where source is not null")
    op.drop_index(BY_ATTEMPT)
    op.drop_table("given_time")
