"""The language of emails to an account."""

import sqlalchemy as sa

from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user", sa.Column("language", sa.String(length=2), nullable=True))
    op.create_check_constraint(op.f("ck_user_language"), "user", "language in ('en', 'fr')")


def downgrade() -> None:
    op.drop_constraint(op.f("ck_user_language"), "user")
    op.drop_column("user", "language")
