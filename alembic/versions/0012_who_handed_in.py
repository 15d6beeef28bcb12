"""Whether the candidate submitted, or the service did when the time was over."""

import sqlalchemy as sa

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    handed_in_by = sa.Column(
        "handed_in_by", sa.String(length=20), nullable=False, server_default="candidate"
    )
    op.add_column("submission", handed_in_by)
    op.create_check_constraint(
        op.f("ck_submission_handed_in_by"), "submission", "handed_in_by in ('candidate', 'service')"
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_submission_handed_in_by"), "submission", type_="check")
    op.drop_column("submission", "handed_in_by")
