"""Digests of files and indexes, by which other accounts of the same person are found."""

import sqlalchemy as sa

from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("file", sa.Column("digest", sa.String(length=64), nullable=True))
    op.create_index(
        "ix_file_digest_key",
        "file",
        ["digest", "key"],
        postgresql_where=sa.text("digest is not null"),
    )
    op.create_index(
        "ix_user_phone_id", "user", ["phone", "id"], postgresql_where=sa.text("phone <> ''")
    )
    op.create_index(
        "ix_user_name_school_id",
        "user",
        [sa.text("lower(first_name)"), sa.text("lower(last_name)"), sa.text("lower(school)"), "id"],
        postgresql_where=sa.text("school is not null"),
    )


def downgrade() -> None:
    op.drop_index("ix_user_name_school_id", table_name="user")
    op.drop_index("ix_user_phone_id", table_name="user")
    op.drop_column("file", "digest")
