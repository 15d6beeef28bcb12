"""Corrected answer keys, the regrades that apply them, and appeals."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "correction",
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("accepted", sa.String(length=5), nullable=False),
        sa.CheckConstraint("accepted ~ '^A?B?C?D?-?$'", name=op.f("ck_correction_accepted")),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["paper.exam_id"], name=op.f("fk_correction_exam_id_paper")
        ),
        sa.PrimaryKeyConstraint("exam_id", "question_id", name=op.f("pk_correction")),
    )
    op.create_table(
        "regrade",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("changes", postgresql.JSONB(), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("made_of", sa.String(length=64), nullable=False),
        sa.Column("scores_changed", sa.Integer(), nullable=False),
        sa.Column("up", sa.Integer(), nullable=False),
        sa.Column("down", sa.Integer(), nullable=False),
        sa.Column("ranks_changed", sa.Integer(), nullable=False),
        sa.Column("average_before", sa.Numeric(precision=5, scale=2), nullable=False),
        sa.Column("average_after", sa.Numeric(precision=5, scale=2), nullable=False),
        sa.Column("gets_in", sa.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("falls_out", sa.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("applied_by_id", sa.Uuid(), nullable=True),
        sa.Column("applied_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("application", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "status in ('preview', 'applied', 'reverted')", name=op.f("ck_regrade_status")
        ),
        sa.CheckConstraint(
            "(status = 'preview') = (application is null)", name=op.f("ck_regrade_application")
        ),
        sa.ForeignKeyConstraint(["exam_id"], ["exam.id"], name=op.f("fk_regrade_exam_id_exam")),
        sa.ForeignKeyConstraint(
            ["created_by_id"],
            ["user.id"],
            name=op.f("fk_regrade_created_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["applied_by_id"],
            ["user.id"],
            name=op.f("fk_regrade_applied_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_regrade")),
        sa.UniqueConstraint("exam_id", "application", name=op.f("uq_regrade_exam_id_application")),
    )
    for column in ("created_by_id", "applied_by_id"):
        op.create_index(op.f(f"ix_regrade_{column}"), "regrade", [column])
    op.create_table(
        "regrade_difference",
        sa.Column("regrade_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("score_before", sa.Numeric(precision=5, scale=2), nullable=False),
        sa.Column("score_after", sa.Numeric(precision=5, scale=2), nullable=False),
        sa.Column("rank_before", sa.Integer(), nullable=True),
        sa.Column("rank_after", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["regrade_id"],
            ["regrade.id"],
            name=op.f("fk_regrade_difference_regrade_id_regrade"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["user.id"], name=op.f("fk_regrade_difference_candidate_id_user")
        ),
        sa.PrimaryKeyConstraint("regrade_id", "position", name=op.f("pk_regrade_difference")),
    )
    op.create_index(
        op.f("ix_regrade_difference_candidate_id"), "regrade_difference", ["candidate_id"]
    )

    op.create_table(
        "appeal",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(length=2000), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("answer", sa.String(length=2000), nullable=True),
        sa.Column("regrade_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status in ('open', 'accepted', 'rejected')", name=op.f("ck_appeal_status")
        ),
        sa.CheckConstraint(
            "(status = 'open') = (answered_at is null)", name=op.f("ck_appeal_answered_at")
        ),
        sa.ForeignKeyConstraint(["exam_id"], ["exam.id"], name=op.f("fk_appeal_exam_id_exam")),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["user.id"], name=op.f("fk_appeal_candidate_id_user")
        ),
        sa.ForeignKeyConstraint(
            ["regrade_id"], ["regrade.id"], name=op.f("fk_appeal_regrade_id_regrade")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appeal")),
    )
    op.create_index(
        "ix_appeal_open",
        "appeal",
        ["exam_id", "candidate_id", "question_id"],
        unique=True,
        postgresql_where=sa.text("status = 'open'"),
        postgresql_nulls_not_distinct=True,
    )
    op.create_index("ix_appeal_exam_id_created_at", "appeal", ["exam_id", "created_at"])
    for column in ("candidate_id", "regrade_id"):
        op.create_index(op.f(f"ix_appeal_{column}"), "appeal", [column])


def downgrade() -> None:
    for table in ("appeal", "regrade_difference", "regrade", "correction"):
        op.drop_table(table)
