"""The session that requested an export of personal data. The link to the export ends with it."""

import sqlalchemy as sa

from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("privacy_export", sa.Column("session_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_privacy_export_session_id_session"),
        "privacy_export",
        "session",
        ["session_id"],
        ["id"],
        ondelete="SET NULL",
    )
    op.create_index("ix_privacy_export_session_id", "privacy_export", ["session_id"])


def downgrade() -> None:
    op.drop_column("privacy_export", "session_id")
