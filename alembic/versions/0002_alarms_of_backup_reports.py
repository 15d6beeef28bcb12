"""Alarms of backup reports"""

import sqlalchemy as sa

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Earlier reports don't count towards the limit of alarms.
    op.add_column(
        "backup_report",
        sa.Column("alarmed", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.alter_column("backup_report", "alarmed", server_default=None)
    op.create_index(
        op.f("ix_backup_report_received_at"),
        "backup_report",
        ["received_at"],
        unique=False,
        postgresql_where=sa.text("alarmed"),
    )


def downgrade() -> None:
    op.drop_index(
        op.f("ix_backup_report_received_at"),
        table_name="backup_report",
        postgresql_where=sa.text("alarmed"),
    )
    op.drop_column("backup_report", "alarmed")
