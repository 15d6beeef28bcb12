"""Staff can vouch for a guardian's consent."""

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "privacy_consent",
        sa.Column("vouched_by_id", sa.Uuid, sa.ForeignKey("user.id", ondelete="SET NULL")),
    )
    op.create_index("ix_privacy_consent_vouched_by_id", "privacy_consent", ["vouched_by_id"])


def downgrade() -> None:
    op.drop_column("privacy_consent", "vouched_by_id")
