"""Staff can hand in answers from paper."""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _allow("'candidate', 'service', 'staff'")


def downgrade() -> None:
    _allow("'candidate', 'service'")


def _allow(values: str) -> None:
    op.drop_constraint("handed_in_by", "submission", type_="check")
    op.create_check_constraint("handed_in_by", "submission", f"handed_in_by in ({values})")
