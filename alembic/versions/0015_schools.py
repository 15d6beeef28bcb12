"""Add schools, their other names, and leaderboards of schools."""

import sqlalchemy as sa

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

# A school has a row from its first candidate on, however the candidate got its name: a name that is
# an alias or a code belongs to another school already.
FUNCTION = """
create function add_school() returns trigger language plpgsql as $$
begin
    insert into school (name, key)
    select new.school, new.school_key
    where not exists (select from school where key = new.school_key)
        and not exists (select from school_alias where key = new.school_key)
    on conflict (key) do nothing;
    return null;
end
$$
"""
TRIGGER = """
create trigger add_school after insert or update of school_key on "user"
for each row when (new.school_key is not null and new.email not like '%@erased.invalid')
execute function add_school()
"""
# The name that most candidates have, of those that have the same key.
EXISTING = """
insert into school (name, key)
select mode() within group (order by name), key
from (
    select school as name, school_key as key, email from "user"
    union all
    select approved_school, approved_school_key, email from "user"
) as named
where key is not null and email not like '%@erased.invalid'
group by key
"""


def upgrade() -> None:
    op.create_table(
        "school",
        sa.Column("id", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("key", sa.String, nullable=False, unique=True),
        sa.Column("code", sa.String(50)),
        sa.Column("code_key", sa.String, unique=True),
        sa.Column("region", sa.String(100), nullable=False, server_default=""),
        sa.Column("is_listed", sa.Boolean, nullable=False, server_default="false"),
    )
    op.create_table(
        "school_alias",
        sa.Column("id", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column(
            "school_id",
            sa.Integer,
            sa.ForeignKey("school.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("key", sa.String, nullable=False, unique=True),
    )
    for table in ("school", "school_alias"):
        op.create_index(
            f"ix_{table}_search",
            table,
            [sa.text("search_key(name) gin_trgm_ops")],
            postgresql_using="gin",
        )
    op.create_table(
        "school_board",
        sa.Column(
            "board_id",
            sa.Integer,
            sa.ForeignKey("board.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("best", sa.Integer, nullable=False),
        sa.Column("minimum", sa.Integer, nullable=False),
    )
    op.create_table(
        "school_standing",
        sa.Column(
            "board_id",
            sa.Integer,
            sa.ForeignKey("school_board.board_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("school", sa.String(200), nullable=False),
        sa.Column("region", sa.String(100), nullable=False),
        sa.Column("candidates", sa.Integer, nullable=False),
        sa.Column("counted", sa.Integer, nullable=False),
        sa.Column("score", sa.Numeric, nullable=False),
    )
    op.create_index(
        "ix_user_school_key",
        "user",
        ["school_key"],
        postgresql_where=sa.text("approved_school_key is not null"),
    )
    op.execute(EXISTING)
    # Stored names are the schools' own.
    for column in ("school", "approved_school"):
        op.execute(
            f'update "user" set {column} = school.name from school'
            f' where school.key = "user".{column}_key and school.name <> "user".{column}'
        )
    op.execute(FUNCTION)
    op.execute(TRIGGER)


def downgrade() -> None:
    op.execute('drop trigger add_school on "user"')
    op.execute("drop function add_school()")
    op.drop_index("ix_user_school_key", "user")
    for table in ("school_standing", "school_board", "school_alias", "school"):
        op.drop_table(table)
