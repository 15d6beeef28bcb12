"""Indexes for counting the questions of the bank, and an exam's questions that were archived."""

import sqlalchemy as sa

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

IN_BANK = "archived_at is null"
ARCHIVED = "archived_at is not null"


def upgrade() -> None:
    op.create_index(
        "ix_question_in_bank", "question", ["difficulty"], postgresql_where=sa.text(IN_BANK)
    )
    op.create_index("ix_question_archived", "question", ["id"], postgresql_where=sa.text(ARCHIVED))


def downgrade() -> None:
    op.drop_index("ix_question_archived", "question")
    op.drop_index("ix_question_in_bank", "question")
