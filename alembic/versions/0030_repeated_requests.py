"""Requests of staff that take effect once, even if they are repeated."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "repeatable_request",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("act", sa.String(length=100), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column(
            "result", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name="fk_repeatable_request_user_id_user",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "act", "key_hash", name="pk_repeatable_request"),
    )
    op.create_index("ix_repeatable_request_created_at", "repeatable_request", ["created_at"])


def downgrade() -> None:
    op.drop_table("repeatable_request")
