"""The key of the audit trail's hash chain, and which entries an erasure may empty.

After this migration, a task adds all entries to a new chain, which has a key. The heads of the old
chain are no longer found, so verify the audit trail before you upgrade.
"""

import sqlalchemy as sa

from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

EMPTY = "seal = null, salt = null, digest = null, hash = null"
# The actions of the entries that an erasure emptied before this migration.
ERASABLE = (
    "('account.change', 'allowance.give', 'allowance.delete', 'allowance.percent', 'appeal.answer')"
)


def upgrade() -> None:
    op.create_table(
        "audit_key",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("encrypted", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_key"),
    )
    op.add_column(
        "audit",
        sa.Column("is_erasable", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.add_column("audit", sa.Column("key_id", sa.Integer(), nullable=True))
    op.create_foreign_key("fk_audit_key_id_audit_key", "audit", "audit_key", ["key_id"], ["id"])
    op.execute(f"update audit set {EMPTY}, is_erasable = action in {ERASABLE}")
    # A worker of the previous version fails on this constraint, instead of adding entries to the
    # chain without the key.
    op.drop_constraint(op.f("ck_audit_sealed_whole"), "audit")
    op.create_check_constraint(
        op.f("ck_audit_sealed_whole"), "audit", "num_nulls(seal, digest, hash, key_id) in (0, 4)"
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_audit_sealed_whole"), "audit")
    op.execute(f"update audit set {EMPTY}")
    op.drop_constraint("fk_audit_key_id_audit_key", "audit")
    op.drop_column("audit", "key_id")
    op.drop_column("audit", "is_erasable")
    op.drop_table("audit_key")
    op.create_check_constraint(
        op.f("ck_audit_sealed_whole"), "audit", "num_nulls(seal, digest, hash) in (0, 3)"
    )
