"""An index that the questions of the bank are counted by, and of each difficulty."""

from sqlalchemy import text

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_question_in_bank",
        "question",
        ["difficulty"],
        postgresql_where=text("archived_at is null"),
    )


def downgrade() -> None:
    op.drop_index("ix_question_in_bank", "question")
