"""The session of a shared computer ends soon after its last use."""

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("session", sa.Column("ends_at", sa.DateTime(timezone=True)))
    # Processes of the previous release don't insert it.
    op.add_column(
        "login_challenge",
        sa.Column("shared_device", sa.Boolean, nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.drop_column("login_challenge", "shared_device")
    op.drop_column("session", "ends_at")
