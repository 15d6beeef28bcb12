"""The second factor of staff."""

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def _of_user(name: str) -> tuple[sa.Column, sa.ForeignKeyConstraint]:
    """The column ``user_id`` and its foreign key, for the table `name`."""
    constraint = sa.ForeignKeyConstraint(
        ["user_id"], ["user.id"], name=f"fk_{name}_user_id_user", ondelete="CASCADE"
    )
    return sa.Column("user_id", sa.Uuid(), nullable=False), constraint


def upgrade() -> None:
    second_factor = sa.Column(
        "second_factor", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("session", second_factor)
    op.create_table(
        "second_factor",
        *_of_user("second_factor"),
        sa.Column("secret", sa.String(length=300), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_step", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name="pk_second_factor"),
    )
    op.create_table(
        "recovery_code",
        sa.Column("digest", sa.String(length=64), nullable=False),
        *_of_user("recovery_code"),
        sa.PrimaryKeyConstraint("digest", name="pk_recovery_code"),
    )
    op.create_index("ix_recovery_code_user_id", "recovery_code", ["user_id"])
    op.create_table(
        "login_challenge",
        sa.Column("digest", sa.String(length=64), nullable=False),
        *_of_user("login_challenge"),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_login_challenge"),
    )
    op.create_index("ix_login_challenge_user_id", "login_challenge", ["user_id"])
    op.create_index("ix_login_challenge_expires_at", "login_challenge", ["expires_at"])


def downgrade() -> None:
    for table in ("login_challenge", "recovery_code", "second_factor"):
        op.drop_table(table)
    op.drop_column("session", "second_factor")
