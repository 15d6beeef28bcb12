"""Store the form in which names of schools are searched, for suggestions while somebody types."""

import sqlalchemy as sa

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

TABLES = ("school", "school_alias")


def upgrade() -> None:
    for table in TABLES:
        searched = sa.Computed("search_key(name)", persisted=True)
        op.add_column(table, sa.Column("searched", sa.String, searched, nullable=False))
        op.drop_index(f"ix_{table}_search", table)
    op.create_index(
        "ix_school_name", "school", ["searched"], postgresql_ops={"searched": "text_pattern_ops"}
    )


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "searched")
        op.create_index(
            f"ix_{table}_search",
            table,
            [sa.text("search_key(name) gin_trgm_ops")],
            postgresql_using="gin",
        )
