"""What counts as right in a question whose key was wrong."""

import sqlalchemy as sa

from alembic import op

revision = "0013"
down_revision = "0012"
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


def downgrade() -> None:
    op.drop_table("correction")
