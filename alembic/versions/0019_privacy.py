"""Exports of personal data, accounts that will be erased, and guardians' consents."""

import sqlalchemy as sa

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user", sa.Column("left_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "privacy_export",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("file", sa.String(), nullable=True),
        sa.CheckConstraint(
            "(ready_at is null) = (file is null)", name=op.f("ck_privacy_export_ready_with_a_file")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_privacy_export_user_id_user"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["file"], ["file.key"], name=op.f("fk_privacy_export_file_file")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_privacy_export")),
    )
    op.create_index("ix_privacy_export_user_id", "privacy_export", ["user_id"])
    op.create_index("ix_privacy_export_file", "privacy_export", ["file"])
    op.create_index(
        "ix_privacy_export_waiting",
        "privacy_export",
        ["user_id"],
        unique=True,
        postgresql_where=sa.text("ready_at is null"),
    )
    op.create_table(
        "privacy_deletion",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("erase_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_own", sa.Boolean(), nullable=False),
        sa.Column("code_hash", sa.String(64), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_privacy_deletion_user_id_user"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_privacy_deletion")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_privacy_deletion_code_hash")),
    )
    op.create_table(
        "privacy_consent_text",
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_privacy_consent_text")),
    )
    op.create_table(
        "privacy_consent",
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["candidate_id"],
            ["user.id"],
            name=op.f("fk_privacy_consent_candidate_id_user"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["version"],
            ["privacy_consent_text.version"],
            name=op.f("fk_privacy_consent_version_privacy_consent_text"),
        ),
        sa.PrimaryKeyConstraint("candidate_id", name=op.f("pk_privacy_consent")),
    )
    op.create_index("ix_privacy_consent_version", "privacy_consent", ["version"])


def downgrade() -> None:
    for table in (
        "privacy_consent",
        "privacy_consent_text",
        "privacy_deletion",
        "privacy_export",
    ):
        op.drop_table(table)
    op.drop_column("user", "left_at")
