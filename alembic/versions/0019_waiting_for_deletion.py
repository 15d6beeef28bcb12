"""Mark the accounts whose deletion was requested."""

import sqlalchemy as sa

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "user",
        sa.Column("waits_for_deletion", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.execute(
        'update "user" set waits_for_deletion = true from privacy_deletion'
        ' where privacy_deletion.user_id = "user".id'
    )


def downgrade() -> None:
    op.drop_column("user", "waits_for_deletion")
