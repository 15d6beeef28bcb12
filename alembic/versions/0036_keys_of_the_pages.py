"""The API keys that the pages use."""

import sqlalchemy as sa

from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pages_key",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("api_key_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["api_key_id"],
            ["api_key.id"],
            name="fk_pages_key_api_key_id_api_key",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_pages_key"),
        sa.UniqueConstraint("api_key_id", name="uq_pages_key_api_key_id"),
    )


def downgrade() -> None:
    # The keys stay in `api_key` without this table, but nothing publishes them any longer.
    op.drop_table("pages_key")
