"""Keys of submissions, and receipts."""

import sqlalchemy as sa

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submission", sa.Column("key_hash", sa.String(length=64), nullable=True))


def downgrade() -> None:
    op.drop_column("submission", "key_hash")
