"""The number of accounts of each kind, maintained by triggers, for the totals in lists."""

import sqlalchemy as sa

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

# The trigger runs once per statement: importing 100,000 accounts adds one row.
ADD = """
create function count_added_users() returns trigger language plpgsql as $$
begin
    insert into user_count (kind, change) select kind, count(*) from changed group by kind;
    return null;
end $$
"""
REMOVE = """
create function count_removed_users() returns trigger language plpgsql as $$
begin
    insert into user_count (kind, change) select kind, -count(*) from changed group by kind;
    return null;
end $$
"""
WHEN_ADDED = """
create trigger count_added after insert on "user"
referencing new table as changed for each statement execute function count_added_users()
"""
WHEN_REMOVED = """
create trigger count_removed after delete on "user"
referencing old table as changed for each statement execute function count_removed_users()
"""
COUNT = 'insert into user_count (kind, change) select kind, count(*) from "user" group by kind'


def upgrade() -> None:
    op.create_table(
        "user_count",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("change", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_user_count"),
    )
    # Creating the triggers locks the table: no account is added until the commit.
    for statement in (ADD, REMOVE, WHEN_ADDED, WHEN_REMOVED, COUNT):
        op.execute(statement)
    # This index was used to count accounts.
    op.drop_index("ix_user_kind", "user")


def downgrade() -> None:
    op.create_index("ix_user_kind", "user", ["kind"])
    op.execute('drop trigger count_removed on "user"')
    op.execute('drop trigger count_added on "user"')
    op.execute("drop function count_removed_users")
    op.execute("drop function count_added_users")
    op.drop_table("user_count")
