"""API keys with rate limits of their own."""

import sqlalchemy as sa

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("api_key", sa.Column("rates", sa.String(length=100), nullable=True))


def downgrade() -> None:
    op.drop_column("api_key", "rates")
