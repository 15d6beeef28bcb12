"""Find the names of schools that contain a word by an index of trigrams."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

TABLES = ("school", "school_alias")


def upgrade() -> None:
    for table in TABLES:
        op.create_index(
            f"ix_{table}_search",
            table,
            ["searched"],
            postgresql_using="gin",
            postgresql_ops={"searched": "gin_trgm_ops"},
        )


def downgrade() -> None:
    for table in TABLES:
        op.drop_index(f"ix_{table}_search", table)
