"""Allowances: extra time for a candidate, a school or all candidates."""

import sqlalchemy as sa

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def _reference(
    table: str, column: str, target: str, key: str, ondelete: str
) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{target}.{key}"], name=f"fk_{table}_{column}_{target}", ondelete=ondelete
    )


def _time(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    op.add_column(
        "attempt", sa.Column("extra_percent", sa.Integer(), nullable=False, server_default="0")
    )
    op.create_check_constraint(
        op.f("ck_attempt_extra_percent"), "attempt", "extra_percent between 0 and 300"
    )
    op.add_column("extra_time", sa.Column("source", sa.String(length=100), nullable=True))
    op.create_unique_constraint(
        op.f("uq_extra_time_exam_id_candidate_id_source"),
        "extra_time",
        ["exam_id", "candidate_id", "source"],
    )
    # The constraint's index serves the same queries.
    op.drop_index("ix_extra_time_exam_id_candidate_id", "extra_time")
    op.create_index(
        "ix_extra_time_source",
        "extra_time",
        ["source"],
        postgresql_where=sa.text("source is not null"),
    )
    op.create_table(
        "extra_percent",
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("percent", sa.Integer(), nullable=False),
        sa.CheckConstraint("percent between 0 and 300", name=op.f("ck_extra_percent_percent")),
        _reference("extra_percent", "candidate_id", "user", "id", "CASCADE"),
        sa.PrimaryKeyConstraint("candidate_id", name="pk_extra_percent"),
    )
    op.create_table(
        "candidate_allowance",
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("updated_by_id", sa.Uuid(), nullable=True),
        _time("updated_at"),
        _reference(
            "candidate_allowance", "candidate_id", "extra_percent", "candidate_id", "CASCADE"
        ),
        _reference("candidate_allowance", "updated_by_id", "user", "id", "SET NULL"),
        sa.PrimaryKeyConstraint("candidate_id", name="pk_candidate_allowance"),
    )
    op.create_table(
        "allowance",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=True),
        sa.Column("school", sa.String(length=200), nullable=True),
        sa.Column("extra_minutes", sa.Integer(), nullable=True),
        _time("lost_from", nullable=True),
        _time("lost_until", nullable=True),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("affected", sa.Integer(), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=True),
        _time("created_at"),
        sa.CheckConstraint(
            "num_nonnulls(candidate_id, school) < 2", name=op.f("ck_allowance_for_whom")
        ),
        sa.CheckConstraint("extra_minutes > 0", name=op.f("ck_allowance_extra_minutes")),
        sa.CheckConstraint("lost_from < lost_until", name=op.f("ck_allowance_lost")),
        sa.CheckConstraint(
            "num_nonnulls(lost_from, lost_until) = case when extra_minutes is null then 2 else 0"
            " end",
            name=op.f("ck_allowance_how_much"),
        ),
        _reference("allowance", "exam_id", "exam", "id", "CASCADE"),
        _reference("allowance", "candidate_id", "user", "id", "CASCADE"),
        _reference("allowance", "created_by_id", "user", "id", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_allowance"),
    )
    op.create_index("ix_allowance_candidate_id", "allowance", ["candidate_id"])
    op.create_index("ix_allowance_exam_id_id", "allowance", ["exam_id", "id"])
    op.create_table(
        "clock_change",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("allowance_id", sa.Integer(), nullable=True),
        _time("created_at"),
        _reference("clock_change", "exam_id", "exam", "id", "CASCADE"),
        _reference("clock_change", "allowance_id", "allowance", "id", "CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_clock_change"),
    )
    for column in ("allowance_id", "created_at", "exam_id"):
        op.create_index(f"ix_clock_change_{column}", "clock_change", [column])


def downgrade() -> None:
    for table in ("clock_change", "allowance", "candidate_allowance", "extra_percent"):
        op.drop_table(table)
    op.drop_index("ix_extra_time_source", "extra_time")
    op.create_index("ix_extra_time_exam_id_candidate_id", "extra_time", ["exam_id", "candidate_id"])
    op.drop_constraint(op.f("uq_extra_time_exam_id_candidate_id_source"), "extra_time")
    op.drop_column("extra_time", "source")
    op.drop_constraint(op.f("ck_attempt_extra_percent"), "attempt")
    op.drop_column("attempt", "extra_percent")
