"""Networks from which accounts have logged in, as keyed digests."""

import sqlalchemy as sa

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "known_network",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("last_login_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name="fk_known_network_user_id_user", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "digest", name="pk_known_network"),
    )
    op.create_index("ix_known_network_last_login_at", "known_network", ["last_login_at"])


def downgrade() -> None:
    op.drop_table("known_network")
