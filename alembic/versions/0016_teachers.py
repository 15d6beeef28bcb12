"""Add teachers and their pupils."""

import sqlalchemy as sa

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "teacher",
        sa.Column(
            "user_id", sa.Uuid, sa.ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("school_id", sa.Integer, sa.ForeignKey("school.id"), nullable=False, index=True),
        sa.Column(
            "invited_by_id", sa.Uuid, sa.ForeignKey("user.id", ondelete="SET NULL"), index=True
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "pupil",
        sa.Column(
            "user_id", sa.Uuid, sa.ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column(
            "school_id",
            sa.Integer,
            sa.ForeignKey("school.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("tie", sa.String(10), nullable=False),
        sa.Column("is_entered", sa.Boolean, nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("tie in ('ours', 'removed', 'refused')", name="tie"),
    )
    op.create_index("ix_pupil_school_id_tie", "pupil", ["school_id", "tie"])
    # The school whose staff may see an import.
    op.add_column("import", sa.Column("scope", sa.Integer))


def downgrade() -> None:
    op.drop_column("import", "scope")
    op.drop_table("pupil")
    op.drop_table("teacher")
