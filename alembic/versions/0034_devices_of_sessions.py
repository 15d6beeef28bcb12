"""The device that started a session."""

import sqlalchemy as sa

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("session", sa.Column("device", sa.String(length=60), nullable=True))


def downgrade() -> None:
    op.drop_column("session", "device")
