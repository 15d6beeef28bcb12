"""The rank and the total score by which a candidate advanced."""

import sqlalchemy as sa

from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("advancement_candidate", sa.Column("rank", sa.Integer(), nullable=True))
    op.add_column("advancement_candidate", sa.Column("total", sa.Numeric(), nullable=True))
    op.add_column("advancement_candidate", sa.Column("reason", sa.String(20), nullable=True))
    op.create_check_constraint(
        op.f("ck_advancement_candidate_reason"),
        "advancement_candidate",
        "reason IN ('place', 'tie', 'minimum')",
    )


def downgrade() -> None:
    op.drop_constraint(
        op.f("ck_advancement_candidate_reason"), "advancement_candidate", type_="check"
    )
    for column in ("reason", "total", "rank"):
        op.drop_column("advancement_candidate", column)
