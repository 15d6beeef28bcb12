"""Tables of core and of the first plugins"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Substring searches are answered from trigram indexes.
    op.execute("create extension if not exists pg_trgm")
    op.execute(sa.schema.CreateSequence(sa.Sequence("candidate_number")))
    op.create_table(
        "api_key",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("prefix", sa.String(length=20), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_key_digest")),
        sa.UniqueConstraint("name", name=op.f("uq_api_key_name")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("target_id", sa.Uuid(), nullable=True),
        sa.Column("action", sa.String(length=100), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("old", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("new", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("address", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_target_id"), "audit", ["target_id"], unique=False)
    op.create_table(
        "flag",
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_flag")),
    )
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("args", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("run_after", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease", sa.Uuid(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(length=100), nullable=False),
        sa.Column("tick", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state in ('pending', 'running', 'done', 'failed')", name=op.f("ck_job_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("name", "tick", name=op.f("uq_job_name_tick")),
    )
    op.create_index(
        "ix_job_open",
        "job",
        ["name", "key", "run_after"],
        unique=False,
        postgresql_where=sa.text("state in ('pending', 'running')"),
    )
    op.create_table(
        "mail",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("template", sa.String(length=100), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("args", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state in ('pending', 'sent', 'skipped', 'failed')", name=op.f("ck_mail_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail")),
    )
    op.create_index(op.f("ix_mail_recipient"), "mail", ["recipient"], unique=False)
    op.create_table(
        "user",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("is_email_verified", sa.Boolean(), nullable=False),
        sa.Column("is_invited", sa.Boolean(), nullable=False),
        sa.Column("verification", sa.String(length=20), nullable=False),
        sa.Column("face_id", sa.String(), nullable=True),
        sa.Column("id_card", sa.String(), nullable=True),
        sa.Column("verification_document", sa.String(), nullable=True),
        sa.Column("profile_picture", sa.String(), nullable=True),
        sa.Column("date_joined", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "search_text",
            sa.String(),
            sa.Computed(
                "lower(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(school, ''))",
                persisted=True,
            ),
            nullable=False,
        ),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("school", sa.String(length=200), nullable=True),
        sa.Column("occupation", sa.String(length=150), nullable=True),
        sa.CheckConstraint(
            "(kind = 'candidate') = (school is not null and number is not null)",
            name=op.f("ck_user_candidate_has_school_and_number"),
        ),
        sa.CheckConstraint(
            "(kind = 'staff') = (occupation is not null)", name=op.f("ck_user_staff_has_occupation")
        ),
        sa.CheckConstraint(
            "case kind when 'candidate' then role in ('screening', 'league', 'final', 'winner') else role in ('volunteer', 'moderator', 'admin', 'manager', 'superadmin', 'sponsor') end",
            name=op.f("ck_user_role"),
        ),
        sa.CheckConstraint("kind in ('candidate', 'staff')", name=op.f("ck_user_kind")),
        sa.CheckConstraint(
            "verification in ('not_submitted', 'pending', 'approved', 'rejected')",
            name=op.f("ck_user_verification"),
        ),
        sa.CheckConstraint("email = lower(email)", name=op.f("ck_user_email_is_lower_case")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user")),
        sa.UniqueConstraint("email", name=op.f("uq_user_email")),
        sa.UniqueConstraint("number", name=op.f("uq_user_number")),
    )
    op.create_index(
        "ix_user_kind_date_joined_id",
        "user",
        ["kind", sa.literal_column("date_joined DESC"), sa.literal_column("id DESC")],
        unique=False,
    )
    op.create_index(
        "ix_user_search_text",
        "user",
        ["search_text"],
        unique=False,
        postgresql_using="gin",
        postgresql_ops={"search_text": "gin_trgm_ops"},
    )
    op.create_table(
        "session",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("refresh_jti", sa.Uuid(), nullable=False),
        sa.Column("previous_jti", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("refreshed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_session_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
    )
    op.create_index(op.f("ix_session_user_id"), "session", ["user_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_session_user_id"), table_name="session")
    op.drop_table("session")
    op.drop_index(
        "ix_user_search_text",
        table_name="user",
        postgresql_using="gin",
        postgresql_ops={"search_text": "gin_trgm_ops"},
    )
    op.drop_index("ix_user_kind_date_joined_id", table_name="user")
    op.drop_table("user")
    op.drop_index(op.f("ix_mail_recipient"), table_name="mail")
    op.drop_table("mail")
    op.drop_index(
        "ix_job_open", table_name="job", postgresql_where=sa.text("state in ('pending', 'running')")
    )
    op.drop_table("job")
    op.drop_table("flag")
    op.drop_index(op.f("ix_audit_target_id"), table_name="audit")
    op.drop_table("audit")
    op.drop_table("api_key")
    op.execute(sa.schema.DropSequence(sa.Sequence("candidate_number")))
