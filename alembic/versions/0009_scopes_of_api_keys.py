"""Scopes of API keys, and the API key that a socket ticket was created with."""

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    scopes = sa.Column(
        "scopes", sa.ARRAY(sa.String(length=20)), nullable=False, server_default="{}"
    )
    op.add_column("api_key", scopes)
    # The default is for existing rows only; new rows state their scopes.
    op.alter_column("api_key", "scopes", server_default=None)
    op.add_column("socket_ticket", sa.Column("api_key_id", sa.Integer(), nullable=True))
    op.create_foreign_key(
        op.f("fk_socket_ticket_api_key_id_api_key"),
        "socket_ticket",
        "api_key",
        ["api_key_id"],
        ["id"],
        ondelete="CASCADE",
    )
    op.create_index(op.f("ix_socket_ticket_api_key_id"), "socket_ticket", ["api_key_id"])


def downgrade() -> None:
    op.drop_column("socket_ticket", "api_key_id")
    op.drop_column("api_key", "scopes")
