"""Keys of submissions, and receipts."""

import sqlalchemy as sa

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submission", sa.Column("key_hash", sa.String(length=64), nullable=True))
    op.create_table(
        "receipt",
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("salt", sa.String(length=22), nullable=False),
        sa.Column("digest", sa.String(length=43), nullable=False),
        sa.Column("key_id", sa.String(length=43), nullable=False),
        sa.Column("signature", sa.String(length=86), nullable=False),
        sa.ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["submission.exam_id", "submission.candidate_id"],
            name="fk_receipt_exam_id_candidate_id_submission",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("exam_id", "candidate_id", name="pk_receipt"),
    )
    op.create_index("ix_receipt_candidate_id", "receipt", ["candidate_id"])


def downgrade() -> None:
    op.drop_table("receipt")
    op.drop_column("submission", "key_hash")
