"""Drafts of candidates' answers."""

import sqlalchemy as sa

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "draft",
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("answers", sa.String(), nullable=False),
        sa.Column("changes", sa.String(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "length(answers) = length(changes)", name=op.f("ck_draft_a_character_a_question")
        ),
        sa.CheckConstraint("sequence > 0", name=op.f("ck_draft_sequence")),
        sa.ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["attempt.exam_id", "attempt.candidate_id"],
            name=op.f("fk_draft_exam_id_candidate_id_attempt"),
        ),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["paper.exam_id"], name=op.f("fk_draft_exam_id_paper")
        ),
        sa.PrimaryKeyConstraint("exam_id", "candidate_id", name=op.f("pk_draft")),
        postgresql_with={"fillfactor": 50},
    )
    op.create_index(op.f("ix_draft_candidate_id"), "draft", ["candidate_id"])
    op.create_index(
        "ix_draft_open", "draft", ["exam_id"], postgresql_where=sa.text("closed_at is null")
    )


def downgrade() -> None:
    op.drop_table("draft")
