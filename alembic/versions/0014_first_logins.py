"""Store when users logged in for the first time."""

import sqlalchemy as sa

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user", sa.Column("first_login_at", sa.DateTime(timezone=True)))
    # Of older logins, only sessions that can still be refreshed are known.
    op.execute(
        'update "user" set first_login_at = known.first from'
        " (select user_id, min(created_at) as first from session group by user_id) as known"
        ' where known.user_id = "user".id'
    )


def downgrade() -> None:
    op.drop_column("user", "first_login_at")
