"""The trace of the request or job that enqueued a job or an email."""

import sqlalchemy as sa

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("job", "mail"):
        op.add_column(table, sa.Column("traceparent", sa.String(length=55), nullable=True))


def downgrade() -> None:
    for table in ("job", "mail"):
        op.drop_column(table, "traceparent")
