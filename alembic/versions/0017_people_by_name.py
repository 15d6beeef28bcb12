"""Add an index of people by name, for lists that need not read everybody."""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

BY_NAME = "ix_user_last_name_first_name_id"


def upgrade() -> None:
    op.create_index(BY_NAME, "user", ["last_name", "first_name", "id"])


def downgrade() -> None:
    op.drop_index(BY_NAME, "user")
