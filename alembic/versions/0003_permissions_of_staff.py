"""Permissions of staff, in addition to the permissions of their role."""

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
    # The default is for existing rows only; new rows state their permissions.
    op.alter_column("user", "permissions", server_default=None)


def downgrade() -> None:
    op.drop_column("user", "permissions")
