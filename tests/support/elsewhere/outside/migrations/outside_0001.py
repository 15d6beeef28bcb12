"""A table of another package"""

import sqlalchemy as sa

from alembic import op

revision = "outside_0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "outside_table",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outside_table")),
    )


def downgrade() -> None:
    op.drop_table("outside_table")
