"""Clarifications, announcements, and the messages that tell candidates of them."""

import sqlalchemy as sa

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "announcement",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=2000), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["created_by_id"],
            ["user.id"],
            name=op.f("fk_announcement_created_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exam.id"], name=op.f("fk_announcement_exam_id_exam")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcement")),
    )
    op.create_index(
        "ix_announcement_exam_id_created_at",
        "announcement",
        ["exam_id", "created_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_announcement_created_by_id"), "announcement", ["created_by_id"], unique=False
    )
    op.create_table(
        "clarification",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(length=1000), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("answer", sa.String(length=2000), nullable=True),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(status = 'answered') = (answer is not null)", name=op.f("ck_clarification_answer")
        ),
        sa.CheckConstraint(
            "(status = 'open') = (answered_at is null)", name=op.f("ck_clarification_answered_at")
        ),
        sa.CheckConstraint(
            "not public or status = 'answered'", name=op.f("ck_clarification_public")
        ),
        sa.CheckConstraint(
            "status in ('open', 'answered', 'dismissed')", name=op.f("ck_clarification_status")
        ),
        sa.ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["attempt.exam_id", "attempt.candidate_id"],
            name=op.f("fk_clarification_exam_id_candidate_id_attempt"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clarification")),
    )
    op.create_index(
        op.f("ix_clarification_candidate_id"), "clarification", ["candidate_id"], unique=False
    )
    op.create_index(
        "ix_clarification_exam_id_asked_at", "clarification", ["exam_id", "asked_at"], unique=False
    )
    op.create_index(
        "ix_clarification_open",
        "clarification",
        ["asked_at"],
        unique=False,
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_table(
        "exam_message",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
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
            ["announcement_id"],
            ["announcement.id"],
            name=op.f("fk_exam_message_announcement_id_announcement"),
        ),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["user.id"], name=op.f("fk_exam_message_candidate_id_user")
        ),
        sa.ForeignKeyConstraint(
            ["clarification_id"],
            ["clarification.id"],
            name=op.f("fk_exam_message_clarification_id_clarification"),
        ),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exam.id"], name=op.f("fk_exam_message_exam_id_exam")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exam_message")),
    )
    op.create_index(
        op.f("ix_exam_message_announcement_id"), "exam_message", ["announcement_id"], unique=False
    )
    op.create_index(
        op.f("ix_exam_message_candidate_id"), "exam_message", ["candidate_id"], unique=False
    )
    op.create_index(
        op.f("ix_exam_message_clarification_id"), "exam_message", ["clarification_id"], unique=False
    )
    op.create_index(
        "ix_exam_message_exam_id_candidate_id",
        "exam_message",
        ["exam_id", "candidate_id"],
        unique=False,
    )


def downgrade() -> None:
    op.drop_index("ix_exam_message_exam_id_candidate_id", table_name="exam_message")
    op.drop_index(op.f("ix_exam_message_clarification_id"), table_name="exam_message")
    op.drop_index(op.f("ix_exam_message_candidate_id"), table_name="exam_message")
    op.drop_index(op.f("ix_exam_message_announcement_id"), table_name="exam_message")
    op.drop_table("exam_message")
    op.drop_index(
        "ix_clarification_open",
        table_name="clarification",
        postgresql_where=sa.text("status = 'open'"),
    )
    op.drop_index("ix_clarification_exam_id_asked_at", table_name="clarification")
    op.drop_index(op.f("ix_clarification_candidate_id"), table_name="clarification")
    op.drop_table("clarification")
    op.drop_index("ix_announcement_exam_id_created_at", table_name="announcement")
    op.drop_index(op.f("ix_announcement_created_by_id"), table_name="announcement")
    op.drop_table("announcement")
