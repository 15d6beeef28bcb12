"""The interval that an allowance gives back, so that it is given back only once."""

import sqlalchemy as sa

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in ("lost_from", "lost_until"):
        op.add_column("extra_time", sa.Column(column, sa.DateTime(timezone=True), nullable=True))
    op.create_check_constraint(op.f("ck_extra_time_lost"), "extra_time", "lost_from < lost_until")
    op.create_check_constraint(
        op.f("ck_extra_time_lost_both"),
        "extra_time",
        "(lost_from is null) = (lost_until is null)",
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_extra_time_lost_both"), "extra_time")
    op.drop_constraint(op.f("ck_extra_time_lost"), "extra_time")
    for column in ("lost_until", "lost_from"):
        op.drop_column("extra_time", column)
