"""The hash chain of the audit trail. The first run of its task adds the earlier entries to it."""

import sqlalchemy as sa

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("audit", sa.Column("seal", sa.BigInteger(), nullable=True))
    op.add_column("audit", sa.Column("salt", sa.LargeBinary(), nullable=True))
    op.add_column("audit", sa.Column("digest", sa.String(length=64), nullable=True))
    op.add_column("audit", sa.Column("hash", sa.String(length=64), nullable=True))
    op.create_unique_constraint("uq_audit_seal", "audit", ["seal"])
    op.create_check_constraint(
        op.f("ck_audit_sealed_whole"), "audit", "num_nulls(seal, digest, hash) in (0, 3)"
    )
    op.create_index("ix_audit_unsealed", "audit", ["id"], postgresql_where=sa.text("seal is null"))


def downgrade() -> None:
    op.drop_index("ix_audit_unsealed", table_name="audit")
    op.drop_constraint(op.f("ck_audit_sealed_whole"), "audit")
    op.drop_constraint("uq_audit_seal", "audit")
    for column in ("hash", "digest", "salt", "seal"):
        op.drop_column("audit", column)
