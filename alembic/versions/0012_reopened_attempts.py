"""Receipts of withdrawn submissions, and the clock of one candidate."""

import sqlalchemy as sa

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "earlier_receipt",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("handed_in_by", sa.String(length=20), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("salt", sa.String(length=22), nullable=False),
        sa.Column("digest", sa.String(length=43), nullable=False),
        sa.Column("key_id", sa.String(length=43), nullable=False),
        sa.Column("signature", sa.String(length=86), nullable=False),
        sa.ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["attempt.exam_id", "attempt.candidate_id"],
            name=op.f("fk_earlier_receipt_exam_id_candidate_id_attempt"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_earlier_receipt")),
    )
    op.create_index(op.f("ix_earlier_receipt_candidate_id"), "earlier_receipt", ["candidate_id"])
    op.create_index(
        "ix_earlier_receipt_exam_id_candidate_id", "earlier_receipt", ["exam_id", "candidate_id"]
    )
    op.add_column("clock_change", sa.Column("candidate_id", sa.Uuid(), nullable=True))
    op.create_index(op.f("ix_clock_change_candidate_id"), "clock_change", ["candidate_id"])
    op.create_foreign_key(
        op.f("fk_clock_change_candidate_id_user"),
        "clock_change",
        "user",
        ["candidate_id"],
        ["id"],
        ondelete="CASCADE",
    )


def downgrade() -> None:
    op.drop_column("clock_change", "candidate_id")
    op.drop_table("earlier_receipt")
