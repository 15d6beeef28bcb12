"""Questions of candidates during an exam, announcements, and the messages about them."""

import sqlalchemy as sa

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "clarification",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(length=1000), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("answer", sa.String(length=2000), nullable=True),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status in ('open', 'answered', 'dismissed')", name=op.f("ck_clarification_status")
        ),
        sa.CheckConstraint(
            "(status = 'open') = (answered_at is null)", name=op.f("ck_clarification_answered_at")
        ),
        sa.CheckConstraint(
            "status = 'answered' or answer is null", name=op.f("ck_clarification_answer")
        ),
        sa.CheckConstraint(
            "answer is not null or not is_public", name=op.f("ck_clarification_public")
        ),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["user.id"], name=op.f("fk_clarification_candidate_id_user")
        ),
        sa.ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["attempt.exam_id", "attempt.candidate_id"],
            name=op.f("fk_clarification_exam_id_candidate_id_attempt"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clarification")),
    )
    op.create_index("ix_clarification_candidate_id", "clarification", ["candidate_id"])
    op.create_index(
        "ix_clarification_exam_id_candidate_id", "clarification", ["exam_id", "candidate_id"]
    )
    op.create_index(
        "ix_clarification_open",
        "clarification",
        ["exam_id"],
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_table(
        "announcement",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=2000), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exam.id"], name=op.f("fk_announcement_exam_id_exam")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcement")),
    )
    op.create_index("ix_announcement_exam_id_id", "announcement", ["exam_id", "id"])
    op.create_table(
        "exam_message",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=True),
        sa.Column("clarification_id", sa.Integer(), nullable=True),
        sa.Column("announcement_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "num_nonnulls(clarification_id, announcement_id) = 1",
            name=op.f("ck_exam_message_about"),
        ),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exam.id"], name=op.f("fk_exam_message_exam_id_exam")
        ),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["user.id"], name=op.f("fk_exam_message_candidate_id_user")
        ),
        sa.ForeignKeyConstraint(
            ["clarification_id"],
            ["clarification.id"],
            name=op.f("fk_exam_message_clarification_id_clarification"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["announcement_id"],
            ["announcement.id"],
            name=op.f("fk_exam_message_announcement_id_announcement"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exam_message")),
    )
    for column in ("candidate_id", "clarification_id", "announcement_id", "created_at"):
        op.create_index(f"ix_exam_message_{column}", "exam_message", [column])
    op.create_index(
        "ix_exam_message_exam_id_candidate_id", "exam_message", ["exam_id", "candidate_id"]
    )
    op.create_table(
        "notified_candidate",
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["exam_message.id"],
            name=op.f("fk_notified_candidate_message_id_exam_message"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["candidate_id"],
            ["user.id"],
            name=op.f("fk_notified_candidate_candidate_id_user"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("message_id", "candidate_id", name=op.f("pk_notified_candidate")),
    )
    op.create_index("ix_notified_candidate_candidate_id", "notified_candidate", ["candidate_id"])


def downgrade() -> None:
    for table in ("notified_candidate", "exam_message", "announcement", "clarification"):
        op.drop_table(table)
