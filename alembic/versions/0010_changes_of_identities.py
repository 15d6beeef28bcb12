"""Requested changes of an approved identity, until a manager decides about them."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    changes = sa.Column("changes", postgresql.JSONB(none_as_null=True), nullable=True)
    op.add_column("verification_request", changes)
    op.create_index(
        "ix_verification_request_changes",
        "verification_request",
        ["submitted_at", "user_id"],
        postgresql_where=sa.text("changes is not null"),
    )


def downgrade() -> None:
    op.drop_index("ix_verification_request_changes", table_name="verification_request")
    op.drop_column("verification_request", "changes")
