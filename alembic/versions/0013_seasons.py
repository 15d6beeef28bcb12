"""Seasons. What exists becomes the first one, which everybody has joined."""

import sqlalchemy as sa

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "season",
        sa.Column("id", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column("name", sa.String(50), nullable=False, unique=True),
        sa.Column("joins_everybody", sa.Boolean, nullable=False),
        sa.Column("opened_at", TIME, nullable=False),
        sa.Column("closed_at", TIME),
    )
    op.execute("""
        create unique index uq_season_current on season ((closed_at is null))
        where closed_at is null
    """)
    op.execute("""
        insert into season (name, joins_everybody, opened_at)
        values (to_char(now() at time zone 'UTC', 'YYYY'), true, now())
    """)
    # Processes of the previous release insert exams and snapshots without a season: they are of
    # the first one. It joins everybody, so that no account has to be written.
    for table in ("exam", "snapshot"):
        op.add_column(
            table,
            sa.Column(
                "season_id",
                sa.Integer,
                sa.ForeignKey("season.id"),
                nullable=False,
                server_default=sa.text("1"),
            ),
        )
        op.create_index(f"ix_{table}_season_id", table, ["season_id"])
    op.add_column(
        "exam", sa.Column("is_current", sa.Boolean, nullable=False, server_default=sa.true())
    )
    op.add_column("user", sa.Column("season_id", sa.Integer))
    op.add_column("user", sa.Column("season_joined_at", TIME))
    op.create_table(
        "past_season",
        sa.Column(
            "candidate_id",
            sa.Uuid,
            sa.ForeignKey("user.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("season_id", sa.Integer, sa.ForeignKey("season.id"), primary_key=True),
        sa.Column("stage", sa.String(20), nullable=False),
        sa.Column("school", sa.String(200), nullable=False),
        sa.Column("year", sa.Integer),
        sa.Column("joined_at", sa.DateTime(timezone=True)),
    )
    op.create_index("ix_past_season_season_id", "past_season", ["season_id"])
    op.drop_constraint("pk_privacy_consent", "privacy_consent", type_="primary")
    op.create_primary_key("pk_privacy_consent", "privacy_consent", ["candidate_id", "given_at"])
    op.add_column("broadcast", sa.Column("joined", sa.Boolean))


def downgrade() -> None:
    op.execute("""
        delete from privacy_consent later using privacy_consent earlier
        where earlier.candidate_id = later.candidate_id and earlier.given_at < later.given_at
    """)
    op.drop_constraint("pk_privacy_consent", "privacy_consent", type_="primary")
    op.create_primary_key("pk_privacy_consent", "privacy_consent", ["candidate_id"])
    op.drop_column("broadcast", "joined")
    op.drop_table("past_season")
    op.drop_column("user", "season_joined_at")
    op.drop_column("user", "season_id")
    op.drop_column("exam", "is_current")
    for table in ("exam", "snapshot"):
        op.drop_column(table, "season_id")
    op.drop_table("season")
