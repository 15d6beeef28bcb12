"""Imports of files."""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "import",
        sa.Column("id", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column("kind", sa.String(100), nullable=False),
        sa.Column("format", sa.String(20), nullable=False),
        sa.Column("filename", sa.String(255), nullable=False),
        sa.Column("exam_id", sa.Integer),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("file", sa.String, sa.ForeignKey("file.key"), index=True),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("counts", JSONB, nullable=False),
        sa.Column("asked_columns", JSONB, nullable=False),
        sa.Column("columns", JSONB, nullable=False),
        sa.Column("ignored_columns", JSONB, nullable=False),
        sa.Column("basis", JSONB),
        sa.Column("invite", sa.Boolean, nullable=False),
        sa.Column("skips_invalid", sa.Boolean, nullable=False),
        sa.Column("detail", JSONB),
        sa.Column(
            "created_by_id", sa.Uuid, sa.ForeignKey("user.id", ondelete="SET NULL"), index=True
        ),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column(
            "applied_by_id", sa.Uuid, sa.ForeignKey("user.id", ondelete="SET NULL"), index=True
        ),
        sa.Column("applied_at", TIME),
        sa.Column("checked_at", TIME),
        sa.Column("ended_at", TIME),
        sa.CheckConstraint(
            "status in ('checking', 'checked', 'applying', 'applied', 'failed', 'cancelled')",
            name="status",
        ),
    )
    op.create_index("ix_import_created_at_id", "import", ["created_at", "id"])
    op.create_table(
        "import_row",
        sa.Column(
            "import_id",
            sa.Integer,
            sa.ForeignKey("import.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("source", JSONB, nullable=False),
        sa.Column("values", JSONB, nullable=False),
        sa.Column("before", JSONB, nullable=False),
        sa.Column("errors", JSONB, nullable=False),
        sa.Column("warnings", JSONB, nullable=False),
        sa.Column("files", JSONB, nullable=False),
        sa.Column("user_id", sa.Uuid, sa.ForeignKey("user.id", ondelete="SET NULL"), index=True),
        sa.CheckConstraint("state in ('new', 'changed', 'unchanged', 'invalid')", name="state"),
    )
    op.create_index("ix_import_row_state", "import_row", ["import_id", "state", "position"])
    op.create_index("ix_import_row_email", "import_row", [sa.text("(values ->> 'email')")])


def downgrade() -> None:
    op.drop_table("import_row")
    op.drop_table("import")
