"""The session that sets up a second factor, which must also confirm it."""

import sqlalchemy as sa

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("second_factor", sa.Column("begun_at", sa.DateTime(timezone=True)))
    op.add_column("second_factor", sa.Column("begun_in", sa.Uuid()))
    op.create_foreign_key(
        "fk_second_factor_begun_in_session",
        "second_factor",
        "session",
        ["begun_in"],
        ["id"],
        ondelete="SET NULL",
    )
    op.create_index("ix_second_factor_begun_in", "second_factor", ["begun_in"])


def downgrade() -> None:
    op.drop_column("second_factor", "begun_in")
    op.drop_column("second_factor", "begun_at")
