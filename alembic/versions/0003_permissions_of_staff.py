"""Permissions that members of staff have beside their rank."""

import sqlalchemy as sa

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    permissions = sa.Column(
        "permissions", sa.ARRAY(sa.String(length=100)), nullable=False, server_default="{}"
    )
    op.add_column("user", permissions)
    # For the rows there are; new ones say what they have.
    op.alter_column("user", "permissions", server_default=None)


def downgrade() -> None:
    op.drop_column("user", "permissions")
