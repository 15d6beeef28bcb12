"""The status of an account as a generated column, shared by rows, filters and counts."""

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

STATUS = """
case
    when not is_active then 'deactivated'
    when verification = 'pending' then 'pending'
    when is_email_verified and verification = 'approved' then 'active'
    else 'inactive'
end"""
NAME = "ix_user_kind_status_date_joined_id"
LATEST_FIRST = [sa.text("date_joined DESC"), sa.text("id DESC")]


def upgrade() -> None:
    op.drop_index(NAME, table_name="user")
    # This rewrites the table: one second for 100,000 accounts.
    op.add_column(
        "user",
        sa.Column(
            "status", sa.String(length=20), sa.Computed(STATUS, persisted=True), nullable=False
        ),
    )
    op.create_index(NAME, "user", ["kind", "status", *LATEST_FIRST])


def downgrade() -> None:
    op.drop_index(NAME, table_name="user")
    op.drop_column("user", "status")
    op.create_index(NAME, "user", ["kind", sa.text(f"({STATUS})"), *LATEST_FIRST])
