"""Submissions that staff have taken back, so that a late repeat does not submit again."""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("attempt", sa.Column("withdrawn", JSONB, nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("attempt", "withdrawn")
