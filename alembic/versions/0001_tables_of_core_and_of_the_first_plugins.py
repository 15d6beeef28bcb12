"""Tables of core and of the first plugins"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Trigram indexes serve searches for substrings.
    op.execute("create extension if not exists pg_trgm")
    op.execute(sa.schema.CreateSequence(sa.Sequence("candidate_number")))
    op.create_table(
        "aggregate",
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("value", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("computed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_aggregate")),
    )
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
    op.create_index(op.f("ix_audit_actor_id"), "audit", ["actor_id"], unique=False)
    op.create_index("ix_audit_created_at_id", "audit", ["created_at", "id"], unique=False)
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
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
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
    op.create_index(
        "ix_job_failed",
        "job",
        ["id"],
        unique=False,
        postgresql_where=sa.text("state = 'failed'"),
    )
    op.create_table(
        "mail",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("batch", sa.Uuid(), nullable=False),
        sa.Column("sending", sa.Uuid(), nullable=False),
        sa.Column("template", sa.String(length=100), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("args", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("try_after", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state in ('pending', 'sent', 'skipped', 'failed')", name=op.f("ck_mail_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail")),
    )
    op.create_index(
        "ix_mail_pending",
        "mail",
        ["sending", "tries", "id"],
        unique=False,
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(
        "ix_mail_failed",
        "mail",
        ["id"],
        unique=False,
        postgresql_where=sa.text("state = 'failed'"),
    )
    op.create_index(op.f("ix_mail_recipient"), "mail", ["recipient"], unique=False)
    op.create_index(op.f("ix_mail_batch"), "mail", ["batch"], unique=False)
    op.create_table(
        "snapshot",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshot")),
    )
    op.create_table(
        "user",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("password_is_generated", sa.Boolean(), nullable=False),
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
        "ix_user_date_joined_id",
        "user",
        [sa.literal_column("date_joined DESC"), sa.literal_column("id DESC")],
        unique=False,
        postgresql_include=["is_active"],
    )
    op.create_index(
        "ix_user_kind_date_joined_id",
        "user",
        ["kind", sa.literal_column("date_joined DESC"), sa.literal_column("id DESC")],
        unique=False,
        postgresql_include=["verification", "is_active", "is_email_verified"],
    )
    op.create_index(
        "ix_user_kind_role_date_joined_id",
        "user",
        ["kind", "role", sa.literal_column("date_joined DESC"), sa.literal_column("id DESC")],
        unique=False,
    )
    op.create_index(
        "ix_user_kind_status_date_joined_id",
        "user",
        [
            "kind",
            sa.literal_column(
                "(\ncase\n"
                "    when not is_active then 'deactivated'\n"
                "    when verification = 'pending' then 'pending'\n"
                "    when is_email_verified and verification = 'approved' then 'active'\n"
                "    else 'inactive'\n"
                "end)"
            ),
            sa.literal_column("date_joined DESC"),
            sa.literal_column("id DESC"),
        ],
        unique=False,
    )
    op.create_index(
        "ix_user_unverified",
        "user",
        ["kind", sa.literal_column("date_joined DESC"), sa.literal_column("id DESC")],
        unique=False,
        postgresql_where=sa.text("verification <> 'approved'"),
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
        "exam",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("title", sa.String(length=255), nullable=False),
        sa.Column("stage", sa.String(length=20), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("scheduled_date", sa.DateTime(timezone=True), nullable=True),
        sa.Column("countdown_minutes", sa.Integer(), nullable=False),
        sa.Column("open_duration_hours", sa.Integer(), nullable=False),
        sa.Column("closes_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("switched_off_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=True),
        sa.Column("updated_by_id", sa.Uuid(), nullable=True),
        sa.Column("sealed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("stage in ('screening', 'league', 'final')", name=op.f("ck_exam_stage")),
        sa.CheckConstraint(
            "(scheduled_date is null) = (closes_at is null)", name=op.f("ck_exam_closes_at")
        ),
        sa.CheckConstraint("countdown_minutes > 0", name=op.f("ck_exam_countdown_minutes")),
        sa.CheckConstraint(
            "is_active = (switched_off_at is null)", name=op.f("ck_exam_switched_off_at")
        ),
        sa.CheckConstraint("open_duration_hours > 0", name=op.f("ck_exam_open_duration_hours")),
        sa.CheckConstraint("round > 0", name=op.f("ck_exam_round")),
        sa.ForeignKeyConstraint(
            ["created_by_id"],
            ["user.id"],
            name=op.f("fk_exam_created_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["updated_by_id"],
            ["user.id"],
            name=op.f("fk_exam_updated_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exam")),
    )
    op.create_index("ix_exam_created_at_id", "exam", ["created_at", "id"], unique=False)
    op.create_index("ix_exam_scheduled_date", "exam", ["scheduled_date"], unique=False)
    op.create_index("ix_exam_stage_round", "exam", ["stage", "round"], unique=False)
    op.create_table(
        "one_time_password",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.String(length=10), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "purpose in ('email', 'password')", name=op.f("ck_one_time_password_purpose")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_one_time_password_user_id_user"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "purpose", name=op.f("pk_one_time_password")),
    )
    op.create_table(
        "question",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("option_a", sa.String(), nullable=False),
        sa.Column("option_b", sa.String(), nullable=False),
        sa.Column("option_c", sa.String(), nullable=False),
        sa.Column("option_d", sa.String(), nullable=False),
        sa.Column("correct_answer", sa.String(length=1), nullable=False),
        sa.Column("difficulty", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=True),
        sa.Column("updated_by_id", sa.Uuid(), nullable=True),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "correct_answer in ('A', 'B', 'C', 'D')", name=op.f("ck_question_correct_answer")
        ),
        sa.CheckConstraint(
            "difficulty in ('easy', 'moderate', 'hard')", name=op.f("ck_question_difficulty")
        ),
        sa.ForeignKeyConstraint(
            ["created_by_id"],
            ["user.id"],
            name=op.f("fk_question_created_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["updated_by_id"],
            ["user.id"],
            name=op.f("fk_question_updated_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question")),
    )
    op.create_index("ix_question_created_at_id", "question", ["created_at", "id"], unique=False)
    op.create_index(op.f("ix_question_created_by_id"), "question", ["created_by_id"], unique=False)
    op.create_index(
        "ix_question_text",
        "question",
        ["text"],
        unique=False,
        postgresql_using="gin",
        postgresql_ops={"text": "gin_trgm_ops"},
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
    op.create_table(
        "verification_request",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("rejection_reason", sa.String(), nullable=True),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reviewed_by_id", sa.Uuid(), nullable=True),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["reviewed_by_id"],
            ["user.id"],
            name=op.f("fk_verification_request_reviewed_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_verification_request_user_id_user"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_verification_request")),
    )
    op.create_index(
        "ix_verification_request_submitted_at",
        "verification_request",
        ["submitted_at", "user_id"],
        unique=False,
    )
    op.create_index(
        "ix_verification_request_reviewed_by_id",
        "verification_request",
        ["reviewed_by_id"],
        unique=False,
        postgresql_where=sa.text("reviewed_by_id is not null"),
    )
    op.create_table(
        "board",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=20), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("exam_title", sa.String(length=255), nullable=False),
        sa.Column("scheduled_date", sa.DateTime(timezone=True), nullable=False),
        sa.Column("concluded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("total_questions", sa.Integer(), nullable=False),
        sa.Column("total_candidates", sa.Integer(), nullable=False),
        sa.Column("average_score", sa.Numeric(precision=5, scale=2), nullable=False),
        sa.ForeignKeyConstraint(["exam_id"], ["exam.id"], name=op.f("fk_board_exam_id_exam")),
        sa.ForeignKeyConstraint(
            ["snapshot_id"],
            ["snapshot.id"],
            name=op.f("fk_board_snapshot_id_snapshot"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_board")),
        sa.UniqueConstraint(
            "snapshot_id", "stage", "round", name=op.f("uq_board_snapshot_id_stage_round")
        ),
    )
    op.create_index(op.f("ix_board_exam_id"), "board", ["exam_id"], unique=False)
    op.create_table(
        "exam_question",
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exam.id"], name=op.f("fk_exam_question_exam_id_exam"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_exam_question_question_id_question")
        ),
        sa.PrimaryKeyConstraint("exam_id", "question_id", name=op.f("pk_exam_question")),
    )
    op.create_index(
        op.f("ix_exam_question_question_id"), "exam_question", ["question_id"], unique=False
    )
    op.create_table(
        "paper",
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("question_ids", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.Column("questions", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("answer_key", sa.String(), nullable=False),
        sa.Column("frozen_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "length(answer_key) = cardinality(question_ids) and length(answer_key) > 0",
            name=op.f("ck_paper_a_character_a_question"),
        ),
        sa.ForeignKeyConstraint(["exam_id"], ["exam.id"], name=op.f("fk_paper_exam_id_exam")),
        sa.PrimaryKeyConstraint("exam_id", name=op.f("pk_paper")),
    )
    op.create_table(
        "score",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("value", sa.Numeric(precision=5, scale=2), nullable=False),
        sa.Column("is_auto", sa.Boolean(), nullable=False),
        sa.Column("recorded_by_id", sa.Uuid(), nullable=True),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("value between 0 and 100", name=op.f("ck_score_value")),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["user.id"], name=op.f("fk_score_candidate_id_user")
        ),
        sa.ForeignKeyConstraint(["exam_id"], ["exam.id"], name=op.f("fk_score_exam_id_exam")),
        sa.ForeignKeyConstraint(
            ["recorded_by_id"],
            ["user.id"],
            name=op.f("fk_score_recorded_by_id_user"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("exam_id", "candidate_id", name=op.f("pk_score")),
        sa.UniqueConstraint("id", name=op.f("uq_score_id")),
    )
    op.create_index(op.f("ix_score_candidate_id"), "score", ["candidate_id"], unique=False)
    op.create_index(
        "ix_score_recorded_by_id",
        "score",
        ["recorded_by_id"],
        unique=False,
        postgresql_where=sa.text("recorded_by_id is not null"),
    )
    op.create_table(
        "attempt",
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["user.id"], name=op.f("fk_attempt_candidate_id_user")
        ),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["paper.exam_id"], name=op.f("fk_attempt_exam_id_paper")
        ),
        sa.PrimaryKeyConstraint("exam_id", "candidate_id", name=op.f("pk_attempt")),
    )
    op.create_index(op.f("ix_attempt_candidate_id"), "attempt", ["candidate_id"], unique=False)
    op.create_table(
        "board_entry",
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("candidate_number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("full_name", sa.String(), nullable=False),
        sa.Column("school", sa.String(), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("score", sa.Numeric(precision=5, scale=2), nullable=False),
        sa.Column("is_auto", sa.Boolean(), nullable=False),
        sa.Column("participated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"],
            ["board.id"],
            name=op.f("fk_board_entry_board_id_board"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_board_entry_user_id_user")),
        sa.PrimaryKeyConstraint("board_id", "position", name=op.f("pk_board_entry")),
        sa.UniqueConstraint("user_id", "board_id", name=op.f("uq_board_entry_user_id_board_id")),
    )
    op.create_index(
        "ix_board_entry_board_id_candidate_number",
        "board_entry",
        ["board_id", "candidate_number"],
        unique=False,
    )
    op.create_table(
        "submission",
        sa.Column("exam_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.Uuid(), nullable=False),
        sa.Column("answers", sa.String(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["attempt.exam_id", "attempt.candidate_id"],
            name=op.f("fk_submission_exam_id_candidate_id_attempt"),
        ),
        sa.PrimaryKeyConstraint("exam_id", "candidate_id", name=op.f("pk_submission")),
    )
    op.create_index(
        op.f("ix_submission_candidate_id"), "submission", ["candidate_id"], unique=False
    )
    op.create_table(
        "standing",
        sa.Column("audience", sa.String(length=20), nullable=False),
        sa.Column("stage", sa.String(length=20), nullable=False),
        sa.Column("total", sa.Numeric(), nullable=False),
        sa.Column("next_rank", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("audience", "stage", "total", name=op.f("pk_standing")),
    )
    op.create_table(
        "socket_ticket",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("token_expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["session.id"],
            name=op.f("fk_socket_ticket_session_id_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_socket_ticket")),
    )
    op.create_index(
        op.f("ix_socket_ticket_session_id"), "socket_ticket", ["session_id"], unique=False
    )
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )
    op.create_table(
        "notification",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("notice_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["notice_id"], ["notice.id"], name=op.f("fk_notification_notice_id_notice")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_notification_user_id_user"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification")),
    )
    op.create_index(
        "ix_notification_unread",
        "notification",
        ["user_id", "id"],
        unique=False,
        postgresql_where=sa.text("read_at is null"),
    )
    op.create_index("ix_notification_user_id_id", "notification", ["user_id", "id"], unique=False)
    op.create_table(
        "broadcast",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("mediums", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("target_roles", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_attempt", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status in ('pending', 'sent', 'failed')", name=op.f("ck_broadcast_status")
        ),
        sa.ForeignKeyConstraint(
            ["created_by_id"], ["user.id"], name=op.f("fk_broadcast_created_by_id_user")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_broadcast")),
        sa.UniqueConstraint("task_id", name=op.f("uq_broadcast_task_id")),
    )
    op.create_index(
        op.f("ix_broadcast_created_by_id"), "broadcast", ["created_by_id"], unique=False
    )
    op.create_index("ix_broadcast_created_at_id", "broadcast", ["created_at", "id"], unique=False)
    op.create_table(
        "broadcast_delivery",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("broadcast_id", sa.Integer(), nullable=False),
        sa.Column("medium", sa.String(length=10), nullable=False),
        sa.Column("role_type", sa.String(length=10), nullable=False),
        sa.Column("target_role", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("cursor", sa.Uuid(), nullable=True),
        sa.Column("attempted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status in ('pending', 'sent', 'failed')", name=op.f("ck_broadcast_delivery_status")
        ),
        sa.CheckConstraint(
            "medium in ('email', 'platform')", name=op.f("ck_broadcast_delivery_medium")
        ),
        sa.ForeignKeyConstraint(
            ["broadcast_id"],
            ["broadcast.id"],
            name=op.f("fk_broadcast_delivery_broadcast_id_broadcast"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_broadcast_delivery")),
        sa.UniqueConstraint(
            "broadcast_id",
            "medium",
            "target_role",
            name=op.f("uq_broadcast_delivery_broadcast_id_medium_target_role"),
        ),
    )
    op.create_table(
        "broadcast_recipient",
        sa.Column("broadcast_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["broadcast_id"],
            ["broadcast.id"],
            name=op.f("fk_broadcast_recipient_broadcast_id_broadcast"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "broadcast_id", "role", "user_id", name=op.f("pk_broadcast_recipient")
        ),
    )
    op.create_table(
        "backup_report",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("environment", sa.String(length=20), nullable=False),
        sa.Column("timestamp", sa.DateTime(timezone=True), nullable=False),
        sa.Column("backup_filename", sa.String(length=1000), nullable=False),
        sa.Column("error_message", sa.String(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('success', 'first_failure', 'final_failure')",
            name=op.f("ck_backup_report_status"),
        ),
        sa.CheckConstraint(
            "environment in ('prod', 'staging')", name=op.f("ck_backup_report_environment")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_backup_report")),
    )
    op.create_index(
        "uq_backup_report_content",
        "backup_report",
        ["environment", "status", "timestamp", sa.text("md5(backup_filename)")],
        unique=True,
    )


def downgrade() -> None:
    op.drop_index("uq_backup_report_content", table_name="backup_report")
    op.drop_table("backup_report")
    op.drop_table("broadcast_recipient")
    op.drop_table("broadcast_delivery")
    op.drop_index("ix_broadcast_created_at_id", table_name="broadcast")
    op.drop_index(op.f("ix_broadcast_created_by_id"), table_name="broadcast")
    op.drop_table("broadcast")
    op.drop_index("ix_notification_user_id_id", table_name="notification")
    op.drop_index(
        "ix_notification_unread",
        table_name="notification",
        postgresql_where=sa.text("read_at is null"),
    )
    op.drop_table("notification")
    op.drop_table("notice")
    op.drop_index(op.f("ix_socket_ticket_session_id"), table_name="socket_ticket")
    op.drop_table("socket_ticket")
    op.drop_table("standing")
    op.drop_index(op.f("ix_submission_candidate_id"), table_name="submission")
    op.drop_table("submission")
    op.drop_index("ix_board_entry_board_id_candidate_number", table_name="board_entry")
    op.drop_table("board_entry")
    op.drop_index(op.f("ix_attempt_candidate_id"), table_name="attempt")
    op.drop_table("attempt")
    op.drop_index(
        "ix_score_recorded_by_id",
        table_name="score",
        postgresql_where=sa.text("recorded_by_id is not null"),
    )
    op.drop_index(op.f("ix_score_candidate_id"), table_name="score")
    op.drop_table("score")
    op.drop_table("paper")
    op.drop_index(op.f("ix_exam_question_question_id"), table_name="exam_question")
    op.drop_table("exam_question")
    op.drop_index(op.f("ix_board_exam_id"), table_name="board")
    op.drop_table("board")
    op.drop_index(
        "ix_verification_request_reviewed_by_id",
        table_name="verification_request",
        postgresql_where=sa.text("reviewed_by_id is not null"),
    )
    op.drop_index("ix_verification_request_submitted_at", table_name="verification_request")
    op.drop_table("verification_request")
    op.drop_index(op.f("ix_session_user_id"), table_name="session")
    op.drop_table("session")
    op.drop_index(
        "ix_question_text",
        table_name="question",
        postgresql_using="gin",
        postgresql_ops={"text": "gin_trgm_ops"},
    )
    op.drop_index(op.f("ix_question_created_by_id"), table_name="question")
    op.drop_index("ix_question_created_at_id", table_name="question")
    op.drop_table("question")
    op.drop_table("one_time_password")
    op.drop_index("ix_exam_stage_round", table_name="exam")
    op.drop_index("ix_exam_scheduled_date", table_name="exam")
    op.drop_index("ix_exam_created_at_id", table_name="exam")
    op.drop_table("exam")
    op.drop_index(
        "ix_user_search_text",
        table_name="user",
        postgresql_using="gin",
        postgresql_ops={"search_text": "gin_trgm_ops"},
    )
    op.drop_index(
        "ix_user_unverified",
        table_name="user",
        postgresql_where=sa.text("verification <> 'approved'"),
    )
    op.drop_index("ix_user_kind_status_date_joined_id", table_name="user")
    op.drop_index("ix_user_kind_role_date_joined_id", table_name="user")
    op.drop_index("ix_user_kind_date_joined_id", table_name="user")
    op.drop_index("ix_user_date_joined_id", table_name="user")
    op.drop_table("user")
    op.drop_table("snapshot")
    op.drop_index(op.f("ix_mail_batch"), table_name="mail")
    op.drop_index(op.f("ix_mail_recipient"), table_name="mail")
    op.drop_index("ix_mail_failed", table_name="mail", postgresql_where=sa.text("state = 'failed'"))
    op.drop_index(
        "ix_mail_pending", table_name="mail", postgresql_where=sa.text("state = 'pending'")
    )
    op.drop_table("mail")
    op.drop_index("ix_job_failed", table_name="job", postgresql_where=sa.text("state = 'failed'"))
    op.drop_index(
        "ix_job_open", table_name="job", postgresql_where=sa.text("state in ('pending', 'running')")
    )
    op.drop_table("job")
    op.drop_table("flag")
    op.drop_index(op.f("ix_audit_target_id"), table_name="audit")
    op.drop_index("ix_audit_created_at_id", table_name="audit")
    op.drop_index(op.f("ix_audit_actor_id"), table_name="audit")
    op.drop_table("audit")
    op.drop_table("api_key")
    op.drop_table("aggregate")
    op.execute(sa.schema.DropSequence(sa.Sequence("candidate_number")))
