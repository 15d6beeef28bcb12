"""The school that staff approved, whatever the candidate enters afterwards."""

import sqlalchemy as sa

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user", sa.Column("approved_school", sa.String(length=200), nullable=True))
    op.add_column("user", sa.Column("school_since", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("user", "school_since")
    op.drop_column("user", "approved_school")
