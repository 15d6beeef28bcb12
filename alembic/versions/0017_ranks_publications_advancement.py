"""How exams are ranked, when scores become visible, scheduled publications, and advancement."""

import sqlalchemy as sa

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def _add_ranking(table: str) -> None:
    """Add the column ``ranking``.

    The default is how all exams were ranked before. It stays, because processes of the previous
    version insert rows without a ranking.
    """
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
    op.create_table(
        "advancement_plan",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("from_stage", sa.String(20), nullable=False),
        sa.Column("to_stage", sa.String(20), nullable=False),
        sa.Column("rule_kind", sa.String(20), nullable=False),
        sa.Column("rule_value", sa.Numeric(), nullable=False),
        sa.Column("ties", sa.String(3), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("applied_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "from_stage in ('screening', 'league', 'final')",
            name=op.f("ck_advancement_plan_from_stage"),
        ),
        sa.CheckConstraint(
            "to_stage in ('league', 'final', 'winner')", name=op.f("ck_advancement_plan_to_stage")
        ),
        sa.CheckConstraint(
            "rule_kind in ('top', 'percent', 'minimum')",
            name=op.f("ck_advancement_plan_rule_kind"),
        ),
        sa.CheckConstraint("ties in ('in', 'out')", name=op.f("ck_advancement_plan_ties")),
        sa.ForeignKeyConstraint(
            ["created_by_id"],
            ["user.id"],
            name=op.f("fk_advancement_plan_created_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_advancement_plan")),
    )
    op.create_index("ix_advancement_plan_created_by_id", "advancement_plan", ["created_by_id"])
    op.create_index("ix_advancement_plan_created_at_id", "advancement_plan", ["created_at", "id"])
    op.create_table(
        "advancement_exam",
        sa.Column("plan_id", sa.Integer(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["plan_id"],
            ["advancement_plan.id"],
            name=op.f("fk_advancement_exam_plan_id_advancement_plan"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exam.id"], name=op.f("fk_advancement_exam_exam_id_exam")
        ),
        sa.PrimaryKeyConstraint("plan_id", "exam_id", name=op.f("pk_advancement_exam")),
    )
    op.create_index("ix_advancement_exam_exam_id", "advancement_exam", ["exam_id"])
    op.create_table(
        "advancement_candidate",
        sa.Column("plan_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["plan_id"],
            ["advancement_plan.id"],
            name=op.f("fk_advancement_candidate_plan_id_advancement_plan"),
        ),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["user.id"], name=op.f("fk_advancement_candidate_candidate_id_user")
        ),
        sa.PrimaryKeyConstraint("plan_id", "candidate_id", name=op.f("pk_advancement_candidate")),
    )
    op.create_index(
        "ix_advancement_candidate_candidate_id", "advancement_candidate", ["candidate_id"]
    )


def downgrade() -> None:
    for table in ("advancement_candidate", "advancement_exam", "advancement_plan"):
        op.drop_table(table)
    op.drop_table("publication")
    op.drop_column("board_entry", "seconds_used")
    op.drop_column("board", "ranking")
    op.drop_column("exam", "scores_visible")
    op.drop_column("exam", "ranking")
