"""How exams are ranked and when their scores are seen; publications that are to come."""

import sqlalchemy as sa

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def _add_ranking(table: str) -> None:
    """As everything was ranked so far; processes of the version before still insert rows without
    it."""
    op.add_column(
        table, sa.Column("ranking", sa.String(20), nullable=False, server_default="standard")
    )


def upgrade() -> None:
    _add_ranking("exam")
    op.add_column("exam", sa.Column("scores_visible", sa.String(20), nullable=True))
    op.create_check_constraint(
        op.f("ck_exam_ranking"), "exam", "ranking in ('standard', 'dense', 'time')"
    )
    op.create_check_constraint(
        op.f("ck_exam_scores_visible"),
        "exam",
        "scores_visible in ('immediately', 'at_conclusion', 'at_publication')",
    )
    _add_ranking("board")
    op.add_column("board_entry", sa.Column("seconds_used", sa.Numeric(12, 3), nullable=True))
    op.create_table(
        "publication",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("publish_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('scheduled', 'published', 'cancelled')", name=op.f("ck_publication_status")
        ),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exam.id"], name=op.f("fk_publication_exam_id_exam"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publication")),
    )
    op.create_index("ix_publication_exam_id", "publication", ["exam_id"])
    op.create_index(
        "ix_publication_scheduled",
        "publication",
        ["exam_id"],
        unique=True,
        postgresql_where=sa.text("status = 'scheduled'"),
    )


def downgrade() -> None:
    op.drop_table("publication")
    op.drop_column("board_entry", "seconds_used")
    op.drop_column("board", "ranking")
    op.drop_column("exam", "scores_visible")
    op.drop_column("exam", "ranking")
