"""An index small enough to count all candidates with."""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_user_kind", "user", ["kind"])


def downgrade() -> None:
    op.drop_index("ix_user_kind", "user")
