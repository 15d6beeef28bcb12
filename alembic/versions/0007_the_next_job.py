"""An index that finds the job that is due next."""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_job_next",
        "job",
        ["run_after", "id"],
        postgresql_where=sa.text("state in ('pending', 'running')"),
    )


def downgrade() -> None:
    op.drop_index("ix_job_next", table_name="job")
