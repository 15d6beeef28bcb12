"""Expiry of unused generated passwords. Existing generated passwords expire after a week."""

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user", sa.Column("password_ends_at", sa.DateTime(timezone=True)))
    op.execute(
        "update \"user\" set password_ends_at = now() + interval '7 days' where password_is_generated"
    )


def downgrade() -> None:
    op.drop_column("user", "password_ends_at")
