"""Add an index of people by name, for lists that need not read everybody."""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

BY_NAME = "ix_user_last_name_first_name_id"


def upgrade() -> None:
    # Not built concurrently. For 100,000 people it takes one to two seconds, in which accounts can
    # be read and changes of accounts wait; a request waits for up to ten seconds for a lock. 0004,
    # of the same release, rewrites the table anyway. A concurrent build would wait for every open
    # transaction, such as that of a backup, and would leave an invalid index behind if it failed.
    op.create_index(BY_NAME, "user", ["last_name", "first_name", "id"])


def downgrade() -> None:
    op.drop_index(BY_NAME, "user")
