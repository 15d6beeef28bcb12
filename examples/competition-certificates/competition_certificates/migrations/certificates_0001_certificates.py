"""Certificates."""

import sqlalchemy as sa
from alembic import op

revision = "certificates_0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "certificates_certificate",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("code", sa.String(length=20), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("exam_title", sa.String(length=255), nullable=False),
        sa.Column("full_name", sa.String(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("awarded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("file_key", sa.String(), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["exam_id"],
            ["exam.id"],
            name=op.f("fk_certificates_certificate_exam_id_exam"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["file_key"], ["file.key"], name=op.f("fk_certificates_certificate_file_key_file")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_certificates_certificate_user_id_user"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_certificates_certificate")),
        sa.UniqueConstraint("code", name=op.f("uq_certificates_certificate_code")),
        sa.UniqueConstraint(
            "user_id", "exam_id", name=op.f("uq_certificates_certificate_user_id_exam_id")
        ),
    )
    op.create_index(
        op.f("ix_certificates_certificate_exam_id"), "certificates_certificate", ["exam_id"]
    )
    op.create_index(
        op.f("ix_certificates_certificate_file_key"), "certificates_certificate", ["file_key"]
    )
    op.create_index(
        "ix_certificates_certificate_waiting",
        "certificates_certificate",
        ["id"],
        postgresql_where=sa.text("drawn_at is null"),
    )


def downgrade() -> None:
    op.drop_table("certificates_certificate")
