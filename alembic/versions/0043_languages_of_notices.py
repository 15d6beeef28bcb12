"""The texts of notifications in other languages."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notice", sa.Column("translations", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    op.drop_column("notice", "translations")
