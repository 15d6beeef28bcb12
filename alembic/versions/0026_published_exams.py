"""The time of an exam's first publication, which may now differ from when it was sealed."""

import sqlalchemy as sa

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("exam", sa.Column("published_at", sa.DateTime(timezone=True), nullable=True))
    # Before this migration only a publication sealed an exam.
    op.execute("update exam set published_at = sealed_at")


def downgrade() -> None:
    op.drop_column("exam", "published_at")
