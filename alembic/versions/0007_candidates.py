"""Candidates have a school year, a group and the school's number."""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user", sa.Column("year", sa.Integer))
    op.add_column(
        "user", sa.Column("group", sa.String(50), nullable=False, server_default=sa.text("''"))
    )
    op.add_column("user", sa.Column("external_id", sa.String(50)))
    op.add_column("user", sa.Column("external_id_key", sa.String))
    op.execute("""
        create unique index uq_user_external_id on "user"
        (coalesce(approved_school_key, school_key), external_id_key) where external_id is not null
    """)
    op.execute("""
        create index ix_user_external_id on "user" (external_id_key) where external_id is not null
    """)
    op.create_check_constraint("year", "user", "year between 1 and 13")


def downgrade() -> None:
    op.drop_constraint("year", "user", type_="check")
    op.drop_index("ix_user_external_id")
    op.drop_index("uq_user_external_id")
    op.drop_column("user", "external_id_key")
    op.drop_column("user", "external_id")
    op.drop_column("user", "group")
    op.drop_column("user", "year")
