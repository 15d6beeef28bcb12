"""An index of the questions that are archived, by which exams count those that are not."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_question_archived",
        "question",
        ["id"],
        postgresql_where=sa.text("archived_at is not null"),
    )


def downgrade() -> None:
    op.drop_index("ix_question_archived", "question")
