"""The tables of core and of the built-in plugins.

The naming convention in competition/core/database.py gives the constraints and the indexes of single
columns their names.
"""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Computed,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Integer,
    LargeBinary,
    Numeric,
    Sequence,
    String,
    UniqueConstraint,
    Uuid,
    false,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.schema import CreateSequence, DropSequence

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TIME = DateTime(timezone=True)
NUMBERS = Sequence("candidate_number")


def upgrade() -> None:
    # Trigram indexes serve searches for substrings.
    op.execute("create extension if not exists pg_trgm")
    op.execute(CreateSequence(NUMBERS))
    _create_core()
    _create_accounts()
    _create_exams()
    _create_sittings()
    _create_results()
    _create_messages()


def _create_core() -> None:
    """Files, jobs, emails, and values that tasks compute."""
    op.create_table(
        "file",
        Column("key", String, primary_key=True),
        Column("plugin", String(100), nullable=False),
        Column("subject", String(200), nullable=False, index=True),
        Column("content_type", String(100), nullable=False),
        Column("size", BigInteger),
        Column("created_at", TIME, nullable=False),
        Column("digest", String(64)),
    )
    op.execute("create index ix_file_digest_key on file (digest, key) where digest is not null")
    op.create_table(
        "job",
        Column("id", BigInteger, Identity(), primary_key=True),
        Column("name", String(100), nullable=False),
        Column("key", String(200), nullable=False),
        Column("args", JSONB, nullable=False),
        Column("state", String(10), nullable=False),
        Column("attempts", Integer, nullable=False),
        Column("run_after", TIME, nullable=False),
        Column("lease", Uuid),
        Column("lease_until", TIME),
        Column("last_error", String),
        Column("request_id", String(100), nullable=False),
        Column("tick", TIME),
        Column("created_at", TIME, nullable=False),
        Column("finished_at", TIME),
        Column("traceparent", String(55)),
        CheckConstraint("state in ('pending', 'running', 'done', 'failed')", name="state"),
        UniqueConstraint("name", "tick"),
    )
    op.execute("create index ix_job_failed on job (id) where state = 'failed'")
    op.execute(
        "create index ix_job_next on job (run_after, id) where state in ('pending', 'running')"
    )
    op.execute(
        "create index ix_job_open on job (name, key, run_after) where state in ('pending', 'running')"
    )
    op.create_table(
        "mail",
        Column("id", Integer, Identity(), primary_key=True),
        Column("batch", Uuid, nullable=False, index=True),
        Column("sending", Uuid, nullable=False),
        Column("template", String(100), nullable=False),
        Column("recipient", String(254), nullable=False, index=True),
        Column("args", JSONB, nullable=False),
        Column("state", String(10), nullable=False),
        Column("tries", Integer, nullable=False),
        Column("try_after", TIME, nullable=False),
        Column("last_error", String),
        Column("created_at", TIME, nullable=False),
        Column("sent_at", TIME),
        Column("traceparent", String(55)),
        CheckConstraint("state in ('pending', 'sent', 'skipped', 'failed')", name="state"),
    )
    op.execute("create index ix_mail_failed on mail (id) where state = 'failed'")
    op.execute("create index ix_mail_pending on mail (sending, tries, id) where state = 'pending'")
    op.create_table(
        "aggregate",
        Column("name", String(100), primary_key=True),
        Column("value", JSONB, nullable=False),
        Column("computed_at", TIME, nullable=False),
    )
    op.create_table(
        "flag",
        Column("name", String(100), primary_key=True),
        Column("enabled", Boolean, nullable=False),
        Column("updated_at", TIME, nullable=False),
    )


def _create_accounts() -> None:
    """Accounts, sessions, API keys, and the audit trail."""
    op.create_table(
        "user",
        Column("id", Uuid, primary_key=True),
        Column("kind", String(10), nullable=False, index=True),
        Column("email", String(254), nullable=False, unique=True),
        Column("password_hash", String, nullable=False),
        Column("password_is_generated", Boolean, nullable=False),
        Column("first_name", String, nullable=False),
        Column("last_name", String, nullable=False),
        Column("phone", String, nullable=False),
        Column("role", String(20), nullable=False),
        Column("is_active", Boolean, nullable=False),
        Column("is_email_verified", Boolean, nullable=False),
        Column("is_invited", Boolean, nullable=False),
        Column("verification", String(20), nullable=False),
        Column("face_id", String, ForeignKey("file.key")),
        Column("id_card", String, ForeignKey("file.key")),
        Column("verification_document", String, ForeignKey("file.key")),
        Column("profile_picture", String, ForeignKey("file.key")),
        Column("date_joined", TIME, nullable=False),
        Column("updated_at", TIME, nullable=False),
        Column(
            "search_text",
            String,
            Computed(
                "lower(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(school, ''))",
                persisted=True,
            ),
            nullable=False,
        ),
        Column("number", Integer, unique=True),
        Column("school", String(200)),
        Column("occupation", String(150)),
        Column("permissions", ARRAY(String(100)), nullable=False),
        Column(
            "status",
            String(20),
            Computed(
                "case when not is_active then 'deactivated' when verification = 'pending' then 'pending' when is_email_verified and verification = 'approved' then 'active' else 'inactive' end",
                persisted=True,
            ),
            nullable=False,
        ),
        Column("password_ends_at", TIME),
        Column("left_at", TIME),
        Column("approved_school", String(200)),
        Column("school_since", TIME),
        Column("language", String(2)),
        CheckConstraint(
            "(kind = 'candidate') = (school is not null and number is not null)",
            name="candidate_has_school_and_number",
        ),
        CheckConstraint("email = lower(email)", name="email_is_lower_case"),
        CheckConstraint("kind in ('candidate', 'staff')", name="kind"),
        CheckConstraint("language in ('en', 'fr')", name="language"),
        CheckConstraint(
            "case kind when 'candidate' then role in ('screening', 'league', 'final', 'winner') else role in ('volunteer', 'moderator', 'admin', 'manager', 'superadmin', 'sponsor') end",
            name="role",
        ),
        CheckConstraint("(kind = 'staff') = (occupation is not null)", name="staff_has_occupation"),
        CheckConstraint(
            "verification in ('not_submitted', 'pending', 'approved', 'rejected')",
            name="verification",
        ),
    )
    op.execute(
        'create index ix_user_date_joined_id on "user" (date_joined desc, id desc) include (is_active)'
    )
    op.execute('create index ix_user_face_id on "user" (face_id) where face_id is not null')
    op.execute('create index ix_user_id_card on "user" (id_card) where id_card is not null')
    op.execute(
        'create index ix_user_kind_date_joined_id on "user" (kind, date_joined desc, id desc) include (verification, is_active, is_email_verified)'
    )
    op.execute(
        'create index ix_user_kind_role_date_joined_id on "user" (kind, role, date_joined desc, id desc)'
    )
    op.execute(
        'create index ix_user_kind_status_date_joined_id on "user" (kind, status, date_joined desc, id desc)'
    )
    op.execute(
        'create index ix_user_name_school_id on "user" (lower(first_name), lower(last_name), lower(school), id) where school is not null'
    )
    op.execute("""create index ix_user_phone_id on "user" (phone, id) where phone <> ''""")
    op.execute(
        'create index ix_user_profile_picture on "user" (profile_picture) where profile_picture is not null'
    )
    op.execute('create index ix_user_search_text on "user" using gin (search_text gin_trgm_ops)')
    op.execute(
        """create index ix_user_unverified on "user" (kind, date_joined desc, id desc) where verification <> 'approved'"""
    )
    op.execute(
        'create index ix_user_verification_document on "user" (verification_document) where verification_document is not null'
    )
    op.create_table(
        "session",
        Column("id", Uuid, primary_key=True),
        Column(
            "user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        Column("refresh_jti", Uuid, nullable=False),
        Column("previous_jti", Uuid),
        Column("created_at", TIME, nullable=False),
        Column("refreshed_at", TIME, nullable=False),
        Column("revoked_at", TIME),
        Column("second_factor", Boolean, nullable=False, server_default=false()),
        Column("device", String(60)),
    )
    op.create_table(
        "known_network",
        Column("user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True),
        Column("digest", String(64), primary_key=True),
        Column("last_login_at", TIME, nullable=False, index=True),
    )
    op.create_table(
        "api_key",
        Column("id", Integer, Identity(), primary_key=True),
        Column("name", String(100), nullable=False, unique=True),
        Column("prefix", String(20), nullable=False),
        Column("digest", String(64), nullable=False, unique=True),
        Column("created_at", TIME, nullable=False),
        Column("expires_at", TIME),
        Column("revoked_at", TIME),
        Column("scopes", ARRAY(String(20)), nullable=False),
        Column("rates", String(100)),
    )
    op.create_table(
        "socket_ticket",
        Column("digest", String(64), primary_key=True),
        Column(
            "session_id",
            Uuid,
            ForeignKey("session.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        Column("expires_at", TIME, nullable=False),
        Column("token_expires_at", TIME, nullable=False),
        Column("api_key_id", Integer, ForeignKey("api_key.id", ondelete="CASCADE"), index=True),
    )
    op.create_table(
        "pages_key",
        Column("id", Integer, Identity(), primary_key=True),
        Column(
            "api_key_id",
            Integer,
            ForeignKey("api_key.id", ondelete="CASCADE"),
            nullable=False,
            unique=True,
        ),
        Column("key", String(100), nullable=False),
        Column("created_at", TIME, nullable=False),
    )
    op.create_table(
        "one_time_password",
        Column("user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True),
        Column("purpose", String(10), primary_key=True),
        Column("digest", String(64), nullable=False),
        Column("expires_at", TIME, nullable=False),
        Column("tries", Integer, nullable=False),
        CheckConstraint("purpose in ('email', 'password')", name="purpose"),
    )
    op.create_table(
        "second_factor",
        Column("user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True),
        Column("secret", String(300), nullable=False),
        Column("confirmed_at", TIME),
        Column("last_step", BigInteger),
        Column("begun_at", TIME),
        Column("begun_in", Uuid, ForeignKey("session.id", ondelete="SET NULL"), index=True),
    )
    op.create_table(
        "recovery_code",
        Column("digest", String(64), primary_key=True),
        Column(
            "user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), nullable=False, index=True
        ),
    )
    op.create_table(
        "login_challenge",
        Column("digest", String(64), primary_key=True),
        Column(
            "user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        Column("expires_at", TIME, nullable=False, index=True),
        Column("tries", Integer, nullable=False),
    )
    op.create_table(
        "repeatable_request",
        Column("user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True),
        Column("act", String(100), primary_key=True),
        Column("key_hash", String(64), primary_key=True),
        Column("content_hash", String(64), nullable=False),
        Column("result", JSONB),
        Column("created_at", TIME, nullable=False, index=True),
    )
    op.create_table(
        "audit_key",
        Column("id", Integer, Identity(), primary_key=True),
        Column("encrypted", String, nullable=False),
        Column("created_at", TIME, nullable=False),
    )
    op.create_table(
        "audit",
        Column("id", Integer, Identity(), primary_key=True),
        Column("actor_id", Uuid, index=True),
        Column("target_id", Uuid, index=True),
        Column("action", String(100), nullable=False),
        Column("subject", String(200), nullable=False),
        Column("old", JSONB),
        Column("new", JSONB),
        Column("address", String),
        Column("request_id", String(100), nullable=False),
        Column("created_at", TIME, nullable=False),
        Column("seal", BigInteger, unique=True),
        Column("salt", LargeBinary),
        Column("digest", String(64)),
        Column("hash", String(64)),
        Column("is_erasable", Boolean, nullable=False, server_default=false()),
        Column("key_id", Integer, ForeignKey("audit_key.id")),
        CheckConstraint("num_nulls(seal, digest, hash, key_id) in (0, 4)", name="sealed_whole"),
    )
    op.execute("create index ix_audit_created_at_id on audit (created_at, id)")
    op.execute("create index ix_audit_unsealed on audit (id) where seal is null")
    op.create_table(
        "verification_request",
        Column("user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True),
        Column("rejection_reason", String),
        Column("submitted_at", TIME, nullable=False),
        Column("updated_at", TIME, nullable=False),
        Column("reviewed_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL")),
        Column("reviewed_at", TIME),
        Column("changes", JSONB),
    )
    op.execute(
        "create index ix_verification_request_changes on verification_request (submitted_at, user_id) where changes is not null"
    )
    op.execute(
        "create index ix_verification_request_reviewed_by_id on verification_request (reviewed_by_id) where reviewed_by_id is not null"
    )
    op.execute(
        "create index ix_verification_request_submitted_at on verification_request (submitted_at, user_id)"
    )
    op.create_table(
        "privacy_export",
        Column("id", Uuid, primary_key=True),
        Column(
            "user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        Column("requested_at", TIME, nullable=False),
        Column("ready_at", TIME),
        Column("file", String, ForeignKey("file.key"), index=True),
        Column("session_id", Uuid, ForeignKey("session.id", ondelete="SET NULL"), index=True),
        CheckConstraint("(ready_at is null) = (file is null)", name="ready_with_a_file"),
    )
    op.execute(
        "create unique index ix_privacy_export_waiting on privacy_export (user_id) where ready_at is null"
    )
    op.create_table(
        "privacy_deletion",
        Column("user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True),
        Column("requested_at", TIME, nullable=False),
        Column("erase_at", TIME, nullable=False),
        Column("is_own", Boolean, nullable=False),
        Column("code_hash", String(64), unique=True),
    )
    op.create_table(
        "privacy_consent_text",
        Column("version", String(64), primary_key=True),
        Column("text", String, nullable=False),
    )
    op.create_table(
        "privacy_consent",
        Column("candidate_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True),
        Column("name", String(200), nullable=False),
        Column("email", String(254), nullable=False),
        Column("given_at", TIME, nullable=False),
        Column(
            "version",
            String(64),
            ForeignKey("privacy_consent_text.version"),
            nullable=False,
            index=True,
        ),
    )


def _create_exams() -> None:
    """The question bank, exams and frozen papers."""
    op.create_table(
        "question",
        Column("id", Integer, Identity(), primary_key=True),
        Column("text", String, nullable=False),
        Column("option_a", String, nullable=False),
        Column("option_b", String, nullable=False),
        Column("option_c", String, nullable=False),
        Column("option_d", String, nullable=False),
        Column("correct_answer", String(1), nullable=False),
        Column("difficulty", String(10), nullable=False),
        Column("created_at", TIME, nullable=False),
        Column("updated_at", TIME, nullable=False),
        Column("created_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL"), index=True),
        Column("updated_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL")),
        Column("archived_at", TIME),
        Column("rendered", JSONB),
        Column("spoken", JSONB),
        CheckConstraint("correct_answer in ('A', 'B', 'C', 'D')", name="correct_answer"),
        CheckConstraint("difficulty in ('easy', 'moderate', 'hard')", name="difficulty"),
    )
    op.execute("create index ix_question_archived on question (id) where archived_at is not null")
    op.execute("create index ix_question_created_at_id on question (created_at, id)")
    op.execute(
        "create index ix_question_in_bank on question (difficulty) where archived_at is null"
    )
    op.execute("create index ix_question_text on question using gin (text gin_trgm_ops)")
    op.create_table(
        "question_image",
        Column("id", Integer, Identity(), primary_key=True),
        Column("file", String, ForeignKey("file.key"), nullable=False, unique=True),
        Column("alt", String(500), nullable=False),
        Column("width", Integer, nullable=False),
        Column("height", Integer, nullable=False),
        Column("created_at", TIME, nullable=False),
    )
    op.execute("create index ix_question_image_created_at_id on question_image (created_at, id)")
    op.create_table(
        "question_image_use",
        Column(
            "question_id", Integer, ForeignKey("question.id", ondelete="CASCADE"), primary_key=True
        ),
        Column("image_id", Integer, ForeignKey("question_image.id"), primary_key=True, index=True),
    )
    op.create_table(
        "exam",
        Column("id", Integer, Identity(), primary_key=True),
        Column("title", String(255), nullable=False),
        Column("stage", String(20), nullable=False),
        Column("round", Integer, nullable=False),
        Column("description", String, nullable=False),
        Column("scheduled_date", TIME, index=True),
        Column("countdown_minutes", Integer, nullable=False),
        Column("open_duration_hours", Integer, nullable=False),
        Column("closes_at", TIME),
        Column("is_active", Boolean, nullable=False),
        Column("switched_off_at", TIME),
        Column("created_at", TIME, nullable=False),
        Column("updated_at", TIME, nullable=False),
        Column("created_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL")),
        Column("updated_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL")),
        Column("sealed_at", TIME),
        Column("deleted_at", TIME),
        Column("first_started_at", TIME),
        Column("ranking", String(20), nullable=False, server_default="standard"),
        Column("scores_visible", String(20)),
        Column("published_at", TIME),
        CheckConstraint("(scheduled_date is null) = (closes_at is null)", name="closes_at"),
        CheckConstraint("countdown_minutes > 0", name="countdown_minutes"),
        CheckConstraint("open_duration_hours > 0", name="open_duration_hours"),
        CheckConstraint("ranking in ('standard', 'dense', 'time')", name="ranking"),
        CheckConstraint("round > 0", name="round"),
        CheckConstraint(
            "scores_visible in ('immediately', 'at_conclusion', 'at_publication')",
            name="scores_visible",
        ),
        CheckConstraint("stage in ('screening', 'league', 'final')", name="stage"),
        CheckConstraint("is_active = (switched_off_at is null)", name="switched_off_at"),
    )
    op.execute("create index ix_exam_created_at_id on exam (created_at, id)")
    op.execute("create index ix_exam_stage_round on exam (stage, round)")
    op.create_table(
        "exam_question",
        Column("exam_id", Integer, ForeignKey("exam.id", ondelete="CASCADE"), primary_key=True),
        Column("question_id", Integer, ForeignKey("question.id"), primary_key=True, index=True),
        Column("position", Integer, nullable=False),
    )
    op.create_table(
        "paper",
        Column("exam_id", Integer, ForeignKey("exam.id"), primary_key=True),
        Column("question_ids", ARRAY(Integer), nullable=False),
        Column("questions", JSONB, nullable=False),
        Column("answer_key", String, nullable=False),
        Column("frozen_at", TIME, nullable=False),
        CheckConstraint(
            "length(answer_key) = cardinality(question_ids) and length(answer_key) > 0",
            name="a_character_a_question",
        ),
    )
    op.create_table(
        "paper_image",
        Column(
            "exam_id", Integer, ForeignKey("paper.exam_id", ondelete="CASCADE"), primary_key=True
        ),
        Column("image_id", Integer, ForeignKey("question_image.id"), primary_key=True, index=True),
    )


def _create_sittings() -> None:
    """Attempts at exams."""
    op.create_table(
        "attempt",
        Column("exam_id", Integer, ForeignKey("paper.exam_id"), primary_key=True),
        Column("candidate_id", Uuid, ForeignKey("user.id"), primary_key=True, index=True),
        Column("started_at", TIME, nullable=False),
        Column("extra_percent", Integer, nullable=False, server_default="0"),
        Column("is_opened", Boolean, nullable=False, server_default="true"),
        CheckConstraint("extra_percent between 0 and 300", name="extra_percent"),
    )
    op.create_table(
        "submission",
        Column("exam_id", Integer, primary_key=True),
        Column("candidate_id", Uuid, primary_key=True, index=True),
        Column("answers", String, nullable=False),
        Column("submitted_at", TIME, nullable=False),
        Column("handed_in_by", String(20), nullable=False, server_default="candidate"),
        Column("key_hash", String(64)),
        CheckConstraint("handed_in_by in ('candidate', 'service')", name="handed_in_by"),
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
    )
    op.create_table(
        "draft",
        Column("exam_id", Integer, ForeignKey("paper.exam_id"), primary_key=True),
        Column("candidate_id", Uuid, primary_key=True, index=True),
        Column("sequence", BigInteger, nullable=False),
        Column("answers", String, nullable=False),
        Column("changes", String, nullable=False),
        Column("saved_at", TIME, nullable=False),
        Column("closed_at", TIME),
        CheckConstraint("length(answers) = length(changes)", name="a_character_a_question"),
        CheckConstraint("sequence > 0", name="sequence"),
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        postgresql_with={"fillfactor": 50},
    )
    op.execute("create index ix_draft_open on draft (exam_id) where closed_at is null")
    op.create_table(
        "receipt",
        Column("exam_id", Integer, primary_key=True),
        Column("candidate_id", Uuid, primary_key=True, index=True),
        Column("questions", Integer, nullable=False),
        Column("answered", Integer, nullable=False),
        Column("salt", String(22), nullable=False),
        Column("digest", String(43), nullable=False),
        Column("key_id", String(43), nullable=False),
        Column("signature", String(86), nullable=False),
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["submission.exam_id", "submission.candidate_id"],
            ondelete="CASCADE",
        ),
    )
    op.create_table(
        "extra_time",
        Column("id", Integer, Identity(), primary_key=True),
        Column("exam_id", Integer, nullable=False),
        Column("candidate_id", Uuid, nullable=False),
        Column("seconds", Integer, nullable=False),
        Column("created_at", TIME, nullable=False),
        Column("source", String(100)),
        Column("lost_from", TIME),
        Column("lost_until", TIME),
        CheckConstraint("lost_from < lost_until", name="lost"),
        CheckConstraint("(lost_from is null) = (lost_until is null)", name="lost_both"),
        CheckConstraint("seconds > 0", name="seconds"),
        UniqueConstraint("exam_id", "candidate_id", "source"),
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
    )
    op.execute("create index ix_extra_time_source on extra_time (source) where source is not null")
    op.create_table(
        "extra_percent",
        Column("candidate_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True),
        Column("percent", Integer, nullable=False),
        CheckConstraint("percent between 0 and 300", name="percent"),
    )
    op.create_table(
        "candidate_allowance",
        Column(
            "candidate_id",
            Uuid,
            ForeignKey("extra_percent.candidate_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        Column("reason", String(500), nullable=False),
        Column("updated_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL")),
        Column("updated_at", TIME, nullable=False),
    )
    op.create_table(
        "allowance",
        Column("id", Integer, Identity(), primary_key=True),
        Column("exam_id", Integer, ForeignKey("exam.id", ondelete="CASCADE"), nullable=False),
        Column("candidate_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), index=True),
        Column("school", String(200)),
        Column("extra_minutes", Integer),
        Column("lost_from", TIME),
        Column("lost_until", TIME),
        Column("reason", String(500), nullable=False),
        Column("affected", Integer, nullable=False),
        Column("created_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL")),
        Column("created_at", TIME, nullable=False),
        CheckConstraint("extra_minutes > 0", name="extra_minutes"),
        CheckConstraint("num_nonnulls(candidate_id, school) < 2", name="for_whom"),
        CheckConstraint(
            "num_nonnulls(lost_from, lost_until) = case when extra_minutes is null then 2 else 0 end",
            name="how_much",
        ),
        CheckConstraint("lost_from < lost_until", name="lost"),
    )
    op.execute("create index ix_allowance_exam_id_id on allowance (exam_id, id)")
    op.create_table(
        "clock_change",
        Column("id", Integer, Identity(), primary_key=True),
        Column(
            "exam_id",
            Integer,
            ForeignKey("exam.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        Column("allowance_id", Integer, ForeignKey("allowance.id", ondelete="CASCADE"), index=True),
        Column("created_at", TIME, nullable=False, index=True),
    )
    op.create_table(
        "clarification",
        Column("id", Integer, Identity(), primary_key=True),
        Column("exam_id", Integer, nullable=False),
        Column("candidate_id", Uuid, ForeignKey("user.id"), nullable=False, index=True),
        Column("question_id", Integer),
        Column("text", String(1000), nullable=False),
        Column("status", String(10), nullable=False),
        Column("answer", String(2000)),
        Column("is_public", Boolean, nullable=False),
        Column("asked_at", TIME, nullable=False),
        Column("answered_at", TIME),
        CheckConstraint("status = 'answered' or answer is null", name="answer"),
        CheckConstraint("(status = 'open') = (answered_at is null)", name="answered_at"),
        CheckConstraint("answer is not null or not is_public", name="public"),
        CheckConstraint("status in ('open', 'answered', 'dismissed')", name="status"),
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
    )
    op.execute(
        "create index ix_clarification_exam_id_candidate_id on clarification (exam_id, candidate_id)"
    )
    op.execute(
        "create index ix_clarification_open on clarification (exam_id) where status = 'open'"
    )
    op.create_table(
        "announcement",
        Column("id", Integer, Identity(), primary_key=True),
        Column("exam_id", Integer, ForeignKey("exam.id"), nullable=False),
        Column("text", String(2000), nullable=False),
        Column("created_at", TIME, nullable=False),
    )
    op.execute("create index ix_announcement_exam_id_id on announcement (exam_id, id)")
    op.create_table(
        "exam_message",
        Column("id", Integer, Identity(), primary_key=True),
        Column("exam_id", Integer, ForeignKey("exam.id"), nullable=False),
        Column("candidate_id", Uuid, ForeignKey("user.id"), index=True),
        Column(
            "clarification_id",
            Integer,
            ForeignKey("clarification.id", ondelete="CASCADE"),
            index=True,
        ),
        Column("announcement_id", Integer, ForeignKey("announcement.id"), index=True),
        Column("created_at", TIME, nullable=False, index=True),
        CheckConstraint("num_nonnulls(clarification_id, announcement_id) = 1", name="about"),
    )
    op.execute(
        "create index ix_exam_message_exam_id_candidate_id on exam_message (exam_id, candidate_id)"
    )
    op.create_table(
        "notified_candidate",
        Column(
            "message_id",
            Integer,
            ForeignKey("exam_message.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        Column(
            "candidate_id",
            Uuid,
            ForeignKey("user.id", ondelete="CASCADE"),
            primary_key=True,
            index=True,
        ),
    )


def _create_results() -> None:
    """Scores, leaderboards and advancement."""
    op.create_table(
        "score",
        Column("id", Integer, Identity(), nullable=False, unique=True),
        Column("exam_id", Integer, ForeignKey("exam.id"), primary_key=True),
        Column("candidate_id", Uuid, ForeignKey("user.id"), primary_key=True, index=True),
        Column("value", Numeric(5, 2), nullable=False),
        Column("is_auto", Boolean, nullable=False),
        Column("recorded_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL")),
        Column("recorded_at", TIME, nullable=False),
        CheckConstraint("value between 0 and 100", name="value"),
        postgresql_with={"fillfactor": 50},
    )
    op.execute(
        "create index ix_score_recorded_by_id on score (recorded_by_id) where recorded_by_id is not null"
    )
    op.create_table(
        "standing",
        Column("audience", String(20), primary_key=True),
        Column("stage", String(20), primary_key=True),
        Column("total", Numeric, primary_key=True),
        Column("next_rank", Integer, nullable=False),
    )
    op.create_table(
        "correction",
        Column("exam_id", Integer, ForeignKey("paper.exam_id"), primary_key=True),
        Column("question_id", Integer, primary_key=True),
        Column("accepted", String(5), nullable=False),
        CheckConstraint("accepted ~ '^(A?B?C?D?|ABCD-)$'", name="accepted"),
    )
    op.create_table(
        "regrade",
        Column("id", Integer, Identity(), primary_key=True),
        Column("exam_id", Integer, ForeignKey("exam.id"), nullable=False),
        Column("status", String(10), nullable=False),
        Column("changes", JSONB, nullable=False),
        Column("reason", String(500), nullable=False),
        Column("made_of", String(64), nullable=False),
        Column("scores_changed", Integer, nullable=False),
        Column("up", Integer, nullable=False),
        Column("down", Integer, nullable=False),
        Column("ranks_changed", Integer, nullable=False),
        Column("average_before", Numeric(5, 2), nullable=False),
        Column("average_after", Numeric(5, 2), nullable=False),
        Column("gets_in", ARRAY(Uuid), nullable=False),
        Column("falls_out", ARRAY(Uuid), nullable=False),
        Column("created_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL"), index=True),
        Column("created_at", TIME, nullable=False),
        Column("applied_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL"), index=True),
        Column("applied_at", TIME),
        Column("application", Integer),
        CheckConstraint("(status = 'preview') = (application is null)", name="application"),
        CheckConstraint("status in ('preview', 'applied', 'reverted')", name="status"),
        UniqueConstraint("exam_id", "application"),
    )
    op.create_table(
        "regrade_difference",
        Column("regrade_id", Integer, primary_key=True),
        Column("position", Integer, primary_key=True),
        Column("candidate_id", Uuid, nullable=False, index=True),
        Column("score_before", Numeric(5, 2), nullable=False),
        Column("score_after", Numeric(5, 2), nullable=False),
        Column("rank_before", Integer),
        Column("rank_after", Integer),
    )
    op.create_table(
        "appeal",
        Column("id", Integer, Identity(), primary_key=True),
        Column("exam_id", Integer, ForeignKey("exam.id"), nullable=False),
        Column("candidate_id", Uuid, ForeignKey("user.id"), nullable=False, index=True),
        Column("question_id", Integer),
        Column("text", String(2000), nullable=False),
        Column("status", String(10), nullable=False),
        Column("answer", String(2000)),
        Column("regrade_id", Integer, ForeignKey("regrade.id"), index=True),
        Column("created_at", TIME, nullable=False),
        Column("answered_at", TIME),
        CheckConstraint("(status = 'open') = (answered_at is null)", name="answered_at"),
        CheckConstraint("status in ('open', 'accepted', 'rejected')", name="status"),
    )
    op.execute("create index ix_appeal_exam_id_created_at on appeal (exam_id, created_at)")
    op.execute(
        "create unique index ix_appeal_open on appeal (exam_id, candidate_id, question_id) nulls not distinct where status = 'open'"
    )
    op.create_table(
        "snapshot",
        Column("id", Integer, Identity(), primary_key=True),
        Column("published_at", TIME, nullable=False),
    )
    op.create_table(
        "board",
        Column("id", Integer, Identity(), primary_key=True),
        Column(
            "snapshot_id", Integer, ForeignKey("snapshot.id", ondelete="CASCADE"), nullable=False
        ),
        Column("stage", String(20), nullable=False),
        Column("round", Integer, nullable=False),
        Column("exam_id", Integer, ForeignKey("exam.id"), nullable=False, index=True),
        Column("exam_title", String(255), nullable=False),
        Column("scheduled_date", TIME, nullable=False),
        Column("concluded_at", TIME, nullable=False),
        Column("total_questions", Integer, nullable=False),
        Column("total_candidates", Integer, nullable=False),
        Column("average_score", Numeric(5, 2), nullable=False),
        Column("ranking", String(20), nullable=False, server_default="standard"),
        Column("copy_of", Integer, ForeignKey("board.id"), index=True),
        UniqueConstraint("snapshot_id", "stage", "round"),
    )
    op.create_table(
        "board_entry",
        Column("board_id", Integer, primary_key=True),
        Column("position", Integer, primary_key=True),
        Column("rank", Integer, nullable=False),
        Column("candidate_number", Integer, nullable=False),
        Column("user_id", Uuid, nullable=False),
        Column("full_name", String, nullable=False),
        Column("school", String, nullable=False),
        Column("role", String(20), nullable=False),
        Column("score", Numeric(5, 2), nullable=False),
        Column("is_auto", Boolean, nullable=False),
        Column("participated_at", TIME, nullable=False),
        Column("seconds_used", Numeric(12, 3)),
        UniqueConstraint("user_id", "board_id"),
    )
    op.create_table(
        "publication",
        Column("id", Integer, Identity(), primary_key=True),
        Column(
            "exam_id",
            Integer,
            ForeignKey("exam.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        Column("publish_at", TIME, nullable=False),
        Column("status", String(20), nullable=False),
        Column("created_at", TIME, nullable=False),
        CheckConstraint("status in ('scheduled', 'published', 'cancelled')", name="status"),
    )
    op.execute(
        "create unique index ix_publication_scheduled on publication (exam_id) where status = 'scheduled'"
    )
    op.create_table(
        "advancement_plan",
        Column("id", Integer, Identity(), primary_key=True),
        Column("from_stage", String(20), nullable=False),
        Column("to_stage", String(20), nullable=False),
        Column("rule_kind", String(20), nullable=False),
        Column("rule_value", Numeric, nullable=False),
        Column("ties", String(3), nullable=False),
        Column("created_by_id", Uuid, ForeignKey("user.id", ondelete="SET NULL"), index=True),
        Column("created_at", TIME, nullable=False),
        Column("applied_at", TIME),
        Column("undone_at", TIME),
        Column("changed_at", TIME),
        CheckConstraint("from_stage in ('screening', 'league', 'final')", name="from_stage"),
        CheckConstraint("rule_kind in ('top', 'percent', 'minimum')", name="rule_kind"),
        CheckConstraint("ties in ('in', 'out')", name="ties"),
        CheckConstraint("to_stage in ('league', 'final', 'winner')", name="to_stage"),
    )
    op.execute(
        "create index ix_advancement_plan_created_at_id on advancement_plan (created_at, id)"
    )
    op.create_table(
        "advancement_exam",
        Column(
            "plan_id",
            Integer,
            ForeignKey("advancement_plan.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        Column("exam_id", Integer, ForeignKey("exam.id"), primary_key=True, index=True),
        Column("position", Integer, nullable=False),
    )
    op.create_table(
        "advancement_candidate",
        Column("plan_id", Integer, ForeignKey("advancement_plan.id"), primary_key=True),
        Column("candidate_id", Uuid, ForeignKey("user.id"), primary_key=True, index=True),
        Column("rank", Integer),
        Column("total", Numeric),
        Column("reason", String(20)),
        CheckConstraint("reason in ('place', 'tie', 'minimum')", name="reason"),
    )


def _create_messages() -> None:
    """Notifications, broadcasts, and reports of backups."""
    op.create_table(
        "notice",
        Column("id", Integer, Identity(), primary_key=True),
        Column("subject", String(255), nullable=False),
        Column("message", String, nullable=False),
        Column("translations", JSONB),
    )
    op.create_table(
        "notification",
        Column("id", Integer, Identity(), primary_key=True),
        Column("notice_id", Integer, ForeignKey("notice.id"), nullable=False),
        Column("user_id", Uuid, ForeignKey("user.id", ondelete="CASCADE"), nullable=False),
        Column("read_at", TIME),
        Column("created_at", TIME, nullable=False),
    )
    op.execute(
        "create index ix_notification_unread on notification (user_id, id) where read_at is null"
    )
    op.execute("create index ix_notification_user_id_id on notification (user_id, id)")
    op.create_table(
        "broadcast",
        Column("id", Integer, Identity(), primary_key=True),
        Column("task_id", Uuid, nullable=False, unique=True),
        Column("subject", String(255), nullable=False),
        Column("message", String, nullable=False),
        Column("mediums", JSONB, nullable=False),
        Column("target_roles", JSONB, nullable=False),
        Column("status", String(10), nullable=False),
        Column("created_by_id", Uuid, ForeignKey("user.id"), nullable=False, index=True),
        Column("created_at", TIME, nullable=False),
        Column("last_attempt", TIME),
        CheckConstraint("status in ('pending', 'sent', 'failed')", name="status"),
    )
    op.execute("create index ix_broadcast_created_at_id on broadcast (created_at, id)")
    op.create_table(
        "broadcast_delivery",
        Column("id", Integer, Identity(), primary_key=True),
        Column(
            "broadcast_id", Integer, ForeignKey("broadcast.id", ondelete="CASCADE"), nullable=False
        ),
        Column("medium", String(10), nullable=False),
        Column("role_type", String(10), nullable=False),
        Column("target_role", String(20), nullable=False),
        Column("status", String(10), nullable=False),
        Column("total", Integer, nullable=False),
        Column("done", Integer, nullable=False),
        Column("cursor", Uuid),
        Column("attempted_at", TIME),
        CheckConstraint("medium in ('email', 'platform')", name="medium"),
        CheckConstraint("status in ('pending', 'sent', 'failed')", name="status"),
        UniqueConstraint("broadcast_id", "medium", "target_role"),
    )
    op.create_table(
        "broadcast_recipient",
        Column(
            "broadcast_id",
            Integer,
            ForeignKey("broadcast.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        Column("role", String(20), primary_key=True),
        Column("user_id", Uuid, primary_key=True),
    )
    op.create_table(
        "backup_report",
        Column("id", Integer, Identity(), primary_key=True),
        Column("status", String(20), nullable=False),
        Column("environment", String(20), nullable=False),
        Column("timestamp", TIME, nullable=False),
        Column("backup_filename", String(1000), nullable=False),
        Column("error_message", String, nullable=False),
        Column("received_at", TIME, nullable=False),
        Column("alarmed", Boolean, nullable=False),
        CheckConstraint("environment in ('prod', 'staging')", name="environment"),
        CheckConstraint("status in ('success', 'first_failure', 'final_failure')", name="status"),
    )
    op.execute(
        "create index ix_backup_report_received_at on backup_report (received_at) where alarmed"
    )
    op.execute(
        "create unique index uq_backup_report_content on backup_report (environment, status, timestamp, md5(backup_filename))"
    )


def downgrade() -> None:
    op.execute("""
        drop table notice, notification, broadcast, broadcast_delivery, broadcast_recipient,
            backup_report
    """)
    op.execute("""
        drop table score, standing, correction, regrade, regrade_difference, appeal,
            snapshot, board, board_entry, publication, advancement_plan, advancement_exam,
            advancement_candidate
    """)
    op.execute("""
        drop table attempt, submission, draft, receipt, extra_time, extra_percent,
            candidate_allowance, allowance, clock_change, clarification, announcement,
            exam_message, notified_candidate
    """)
    op.execute("""
        drop table question, question_image, question_image_use, exam, exam_question, paper,
            paper_image
    """)
    op.execute("""
        drop table "user", session, known_network, api_key, socket_ticket, pages_key,
            one_time_password, second_factor, recovery_code, login_challenge,
            repeatable_request, audit_key, audit, verification_request, privacy_export,
            privacy_deletion, privacy_consent_text, privacy_consent
    """)
    op.execute("drop table file, job, mail, aggregate, flag")
    op.execute(DropSequence(NUMBERS))
