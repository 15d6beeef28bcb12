"""Compare the endpoint tables of the specification with the OpenAPI document, in both directions.

The rows are transcribed from the specification, not taken from the package. A body that the
specification writes as ``results[] of {id, title}`` is ``results[]{id, title}`` here. ``:kind`` is
the type of a field, and ``?`` means that it may be null.
"""

import re
from typing import Any, NamedTuple

import pytest

from tests.support.document import whole_document

Json = dict[str, Any]

USER = (
    "user{id:uuid, email:string, is_email_verified:boolean, first_name:string, last_name:string,"
    " phone:string, profile_picture:string?, date_joined:time}"
)
PROFILE = (
    f"{USER}, profile_type:string, status:string, is_active:boolean, is_user_verified:boolean,"
    " face_id:string?, id_card:string?, verification_document:string?, created_at:time,"
    " updated_at:time"
)
CANDIDATE = f"{PROFILE}, school:string, role:string"
STAFF = f"{PROFILE}, occupation:string, role:string"
OPTIONS = "option_a:string, option_b:string, option_c:string, option_d:string"
PAGINATION = (
    "pagination{count:integer, page:integer, page_size:integer, total_pages:integer,"
    " has_next:boolean, has_previous:boolean, next:string?, previous:string?}"
)
POOL = (
    "question_pool_data{total_questions:integer, hard_questions_count:integer,"
    " moderate_questions_count:integer, easy_questions_count:integer}"
)
QUESTION = (
    f"id:integer, text:string, {OPTIONS}, correct_answer:string, difficulty:string,"
    " created_at:time, updated_at:time, created_by?{user, occupation, role},"
    " updated_by?{user, occupation, role}, is_archived:boolean, archived_at:time"
)
EXAM_BASE = (
    "id:integer, title:string, stage:string, round:integer, stage_display:string,"
    " description:string, scheduled_date:time, countdown_minutes:integer,"
    " open_duration_hours:integer, is_active:boolean, status:string, concluded_at:time?,"
    " created_by?{user, occupation, role}, updated_by?{user, occupation, role},"
    " average_score:number, created_at:time"
)
EXAM = f"{EXAM_BASE}, questions[]:integer"
EXAM_DETAILS = (
    "exam_details{id:integer, title:string, stage:string, round:integer, scheduled_date:time,"
    " concluded_at:time, total_questions:integer, total_candidates:integer, average_score:number}"
)
RECORDS = (
    "records{performance{stats{total_score:number, average_score:number,"
    " leaderboard_ranking{current_rank:integer?, total_candidates:integer},"
    " latest_score{score:number, exam_title:string, date:time}, highest_score:number,"
    " total_exams_taken:integer, lowest_score:number, highest_obtainable_score:number},"
    " exams_taken[]{exam_id:integer, exam_title:string, exam_stage:string, scheduled_date:time,"
    " score:number, recorded_at:time, score_submitted_by:string, auto_score:boolean,"
    f" submission[]{{question_id:integer, question_text:string, {OPTIONS}, selected_option:string,"
    " answered_at:time}}}, available_exams[]}"
)
BROADCAST = (
    "id:integer, subject:string, message:string, created_by{user{email, first_name, last_name},"
    " occupation, role}, created_at:time, mediums[]:string, target_roles{staff[], candidate[]}"
)
WHOLE_BROADCAST = (
    f"{BROADCAST}, task_id:string, status:string, last_attempt:time, logs[]{{id:integer,"
    " medium:string, target_role:string, role_type:string, status:string, message:string,"
    " attempted_at:time}"
)
VERIFICATION = (
    "status:string, is_approved:boolean, is_rejected:boolean, is_pending:boolean,"
    " rejection_reason:string?, verification_data{}"
)
CODE_SENT = "message:string, email:string, expires_in_minutes:integer"
SCORES = (
    "scores{total_score:number, average_score:number, scores[]{exam_id:integer, exam_title:string,"
    " score:number, recorded_at:time, score_submitted_by:string, auto_score:boolean}}"
)
AVAILABLE = (
    "id, title, stage, round, stage_display, description, open_duration_hours, scheduled_date,"
    " countdown_minutes, question_count, enrollment"
)
CONCLUDED = (
    "id, title, stage, round, stage_display, description, concluded_at, question_count, enrollment"
)
OVERVIEW = (
    "stats_overview{total_users:integer, active_users:integer, staff_count:integer,"
    " candidate_count:integer}"
)
LISTED_CANDIDATE = (
    "user{email, is_email_verified, first_name, last_name, phone}, school, role, status,"
    " is_user_verified"
)
LISTED_STAFF = "user, occupation, role"
LISTED_USER = (
    "id, email, first_name, last_name, is_active, date_joined, staff_profile?, candidate_profile?"
)
NEW_USER = "email first_name last_name phone password password2"
NEW_EXAM = (
    "title stage round description scheduled_date countdown_minutes open_duration_hours is_active"
    " questions"
)
NEW_QUESTION = "text option_a option_b option_c option_d correct_answer difficulty"
ACCOUNT = "first_name last_name profile_picture phone school occupation"

# Roles of the specification, and how the OpenAPI document describes them.
ACCESS = {
    "none": "public",
    "API key": "API key",
    "any authenticated": "candidate or staff, volunteer or higher",
    "authenticated candidate": "candidate",
    "authenticated staff": "staff, volunteer or higher",
    "candidate, verified": "verified candidate",
    # The view decides which leaderboards a screening candidate may read.
    "verified candidate or staff": "verified candidate or verified staff, moderator or higher",
    "moderator": "verified staff, moderator or higher",
    "admin": "verified staff, admin or higher",
    "manager": "verified staff, manager or higher",
}


class Row(NamedTuple):
    """An endpoint of the specification.

    `answers` are the possible forms of the response body. All of them must be documented.
    `refusals` are the error codes that the specification names for this operation.
    """

    method: str
    path: str
    role: str
    status: int
    request: str = ""
    query: str = ""
    answers: tuple[str, ...] = ()
    refusals: dict[int, str] = {}  # noqa: RUF012  # never changed


ROWS = [
    # Public and authentication
    Row("GET", "/health/", "none", 200, answers=("{status:string, timestamp:time}",)),
    Row(
        "GET",
        "/registration/",
        "none",
        200,
        answers=(
            "{is_candidate_reg_open:boolean, is_staff_reg_open:boolean, support_email:string}",
        ),
    ),
    Row(
        "POST",
        "/auth/login/",
        "API key",
        200,
        "email password",
        answers=(
            f"{{refresh:string, access:string, profile{{{CANDIDATE}}}}}",
            f"{{refresh:string, access:string, profile{{{STAFF}}}}}",
        ),
        refusals={401: "authentication_failed not_authenticated"},
    ),
    Row(
        "POST",
        "/auth/token/refresh/",
        "API key",
        200,
        "refresh",
        answers=("{access:string, refresh:string}",),
        refusals={401: "invalid_token"},
    ),
    Row("POST", "/auth/logout/", "API key", 204, "refresh"),
    Row(
        "POST",
        "/register/candidate/",
        "API key",
        201,
        f"{NEW_USER} school generate_password",
        answers=("{message:string}",),
        refusals={
            400: "passwords_do_not_match password_validation_failed",
            403: "registration_closed account_already_authenticated",
        },
    ),
    Row(
        "POST",
        "/register/staff/",
        "API key",
        201,
        f"{NEW_USER} occupation generate_password",
        answers=("{message:string}",),
        refusals={
            400: "passwords_do_not_match password_validation_failed",
            403: "registration_closed account_already_authenticated",
        },
    ),
    Row(
        "POST",
        "/verify-email-otp/",
        "API key",
        200,
        "email otp",
        answers=("{message:string}",),
        refusals={400: "invalid_otp"},
    ),
    Row(
        "POST",
        "/send-email-otp/",
        "API key",
        200,
        "email resend",
        answers=(f"{{{CODE_SENT}}}",),
        refusals={429: "rate_limit_exceeded throttle_exceeded"},
    ),
    Row(
        "POST",
        "/auth/password-change/request/",
        "API key",
        200,
        "email",
        answers=(f"{{{CODE_SENT}}}",),
        refusals={429: "rate_limit_exceeded"},
    ),
    Row(
        "POST",
        "/auth/password-change/confirm-otp/",
        "API key",
        200,
        "email otp",
        answers=("{message:string}",),
        refusals={400: "invalid_otp"},
    ),
    Row(
        "POST",
        "/auth/password-change/",
        "API key",
        200,
        "email otp new_password confirm_password",
        answers=("{message:string}",),
        refusals={400: "invalid_otp passwords_do_not_match password_validation_failed"},
    ),
    Row(
        "POST",
        "/auth/password-change/resend-otp/",
        "API key",
        200,
        "email",
        answers=(f"{{{CODE_SENT}}}",),
        refusals={429: "rate_limit_exceeded"},
    ),
    # Profiles and people
    Row("GET", "/candidates/me/", "authenticated candidate", 200, answers=(f"{{{CANDIDATE}}}",)),
    Row("GET", "/staff/me/", "authenticated staff", 200, answers=(f"{{{STAFF}}}",)),
    Row(
        "GET",
        "/candidates/",
        "moderator",
        200,
        query="page search role school verified:boolean",
        answers=(f"{{results[]{{{LISTED_CANDIDATE}}}, {PAGINATION}}}",),
    ),
    Row(
        "GET",
        "/candidates/{candidate_id}/",
        "admin",
        200,
        answers=(f"{{{CANDIDATE}, {RECORDS}}}",),
    ),
    Row(
        "PUT",
        "/candidates/{candidate_id}/roles/assign/",
        "admin",
        200,
        "role",
        answers=("{role:string}",),
        refusals={403: "unverified_candidate"},
    ),
    Row(
        "GET",
        "/candidates/{candidate_id}/scores/",
        "admin",
        200,
        answers=(
            "[]{id:integer, candidate{user, school, role, status, is_user_verified},"
            " exam{id, title, stage, question_count, created_at}, score:number, recorded_at:time}",
        ),
    ),
    Row(
        "GET",
        "/candidates/{candidate_id}/exam-history/",
        "admin",
        200,
        answers=("[]{exam:string, score:number}",),
    ),
    Row(
        "GET",
        "/staff/",
        "moderator",
        200,
        query="page search role occupation",
        answers=(f"{{results[]{{{LISTED_STAFF}}}, {PAGINATION}}}",),
    ),
    Row(
        "POST",
        "/staff/invite/",
        "manager",
        201,
        f"{NEW_USER} role occupation",
        answers=("{message:string}",),
    ),
    Row("GET", "/staff/{staff_id}/", "manager", 200, answers=(f"{{{STAFF}}}",)),
    Row(
        "PUT",
        "/staff/{staff_id}/roles/assign/",
        "manager",
        200,
        "role",
        answers=("{role:string}",),
        refusals={403: "permission_denied"},
    ),
    Row(
        "GET",
        "/user/list/",
        "moderator",
        200,
        query="profile is_active:boolean search page",
        answers=(
            f"{{{OVERVIEW}, results[]{{{LISTED_USER}}}, {PAGINATION}}}",
            f"{{{OVERVIEW}, results[]{{{LISTED_CANDIDATE}}}, {PAGINATION}}}",
            f"{{{OVERVIEW}, results[]{{{LISTED_STAFF}}}, {PAGINATION}}}",
        ),
        refusals={403: "permission_denied"},
    ),
    # Account management
    *(
        Row(
            "GET",
            path,
            "any authenticated",
            200,
            answers=(f"{{profile{{{CANDIDATE}}}}}", f"{{profile{{{STAFF}}}}}"),
        )
        for path in ("/account-management/", "/account-management/{user_id}/")
    ),
    *(
        Row(
            "PATCH",
            path,
            "any authenticated",
            200,
            f"{ACCOUNT} user profile",
            answers=(
                f"{{message:string, profile{{{CANDIDATE}, {SCORES}}}}}",
                f"{{message:string, profile{{{STAFF}}}}}",
            ),
            refusals={400: "invalid_file_type file_size_exceeded"},
        )
        for path in ("/account-management/", "/account-management/{user_id}/")
    ),
    # User verification
    Row(
        "GET",
        "/user/verification/status/",
        "any authenticated",
        200,
        answers=(f"{{{VERIFICATION}}}",),
    ),
    Row(
        "GET",
        "/user/verification/status/{user_id}/",
        "any authenticated",
        200,
        answers=(f"{{{VERIFICATION}}}",),
    ),
    Row(
        "POST",
        "/user/verification/upload/",
        "any authenticated",
        201,
        "face_id id_card verification_document",
        refusals={
            400: "already_verified pending_verification invalid_file_type file_size_exceeded",
            403: "email_not_verified",
            502: "",
        },
    ),
    Row(
        "PATCH",
        "/user/verification/upload/",
        "any authenticated",
        200,
        "face_id id_card verification_document",
        refusals={400: "already_verified invalid_file_type file_size_exceeded", 502: ""},
    ),
    Row(
        "GET",
        "/user/verification/list/",
        "manager",
        200,
        query="is_pending:boolean is_approved:boolean is_rejected:boolean",
        answers=(f"{{results[]{{}}, {PAGINATION}}}",),
    ),
    Row(
        "POST",
        "/user/verification/action/{user_id}/",
        "manager",
        200,
        "is_approved is_rejected rejection_reason",
        answers=("{message:string}",),
    ),
    Row(
        "GET",
        "/user/verification/documents/{type}/{user_id}/",
        "any authenticated",
        200,
        answers=("{url:string}",),
        refusals={502: ""},
    ),
    # Exams
    Row(
        "GET",
        "/exams/",
        "admin",
        200,
        query="page stage active:boolean date_from:date date_to:date",
        answers=(
            f"{{{POOL}, results[]{{id:integer, title:string, stage:string, round:integer,"
            " stage_display:string, question_count:integer, created_at:time, scheduled_date:time,"
            f" status:string, concluded_at:time?}}, {PAGINATION}}}",
        ),
    ),
    Row("POST", "/exams/", "admin", 201, NEW_EXAM, answers=(f"{{{EXAM}}}",)),
    Row(
        "GET",
        "/exams/{exam_id}/",
        "admin",
        200,
        query="page page_size",
        answers=(f"{{{EXAM_BASE}, questions{{{POOL}, results[]{{{QUESTION}}}, {PAGINATION}}}}}",),
    ),
    Row("PUT", "/exams/{exam_id}/", "admin", 200, NEW_EXAM, answers=(f"{{{EXAM}}}",)),
    Row("PATCH", "/exams/{exam_id}/", "admin", 200, NEW_EXAM, answers=(f"{{{EXAM}}}",)),
    Row("DELETE", "/exams/{exam_id}/", "admin", 204),
    Row("GET", "/exams/{exam_id}/questions/", "admin", 200, answers=(f"[]{{{QUESTION}}}",)),
    Row(
        "GET",
        "/exams/{exam_id}/results/",
        "admin",
        200,
        answers=(
            "[]{candidate_name:string, candidate_school:string, score:number, auto_score:boolean,"
            " score_submitted_by:string, recorded_at:time}",
        ),
    ),
    Row(
        "GET",
        "/exams/{exam_id}/take-exam/",
        "candidate, verified",
        200,
        answers=(
            "{id:integer, title:string, stage:string, description:string,"
            " open_duration_hours:integer, scheduled_date:time, countdown_minutes:integer,"
            f" questions[]{{id:integer, text:string, {OPTIONS}}}}}",
        ),
        refusals={403: "unverified_candidate exam_not_eligible exam_not_open"},
    ),
    Row(
        "POST",
        "/exams/{exam_id}/submit-exam-answers/",
        "candidate, verified",
        201,
        "answers[]{question,selected_option}",
        answers=("{message:string}",),
        refusals={
            400: "exam_already_submitted",
            403: "unverified_candidate exam_not_eligible exam_not_open",
        },
    ),
    Row(
        "PUT",
        "/exams/{exam_id}/submit-exam-score/",
        "admin",
        200,
        "candidate_id score",
        answers=("{message:string, data{candidate, exam, score:number}}",),
    ),
    # Questions
    Row(
        "GET",
        "/questions/",
        "moderator",
        200,
        query="page difficulty search created_by:uuid",
        answers=(f"{{{POOL}, results[]{{{QUESTION}}}, {PAGINATION}}}",),
    ),
    Row("POST", "/questions/", "moderator", 201, NEW_QUESTION, answers=(f"{{{QUESTION}}}",)),
    Row("GET", "/questions/{question_id}/", "moderator", 200, answers=(f"{{{QUESTION}}}",)),
    *(
        Row(
            method,
            "/questions/{question_id}/",
            "moderator",
            200,
            NEW_QUESTION,
            answers=(f"{{{QUESTION}}}",),
        )
        for method in ("PUT", "PATCH")
    ),
    Row("DELETE", "/questions/{question_id}/", "moderator", 204),
    Row(
        "POST",
        "/questions/{question_id}/exams/",
        "admin",
        200,
        "add_to_exams remove_from_exams",
        answers=(
            "{question_id:integer, added[]{exam_id:integer, exam_title:string},"
            " removed[]{exam_id:integer, exam_title:string},"
            " failed_additions[]{exam_id:integer, reason:string}, failed_removals[]}",
        ),
    ),
    Row(
        "POST",
        "/questions/bulk-add-to-exams/",
        "admin",
        200,
        "question_ids exam_ids",
        answers=(
            "{summary{total_operations:integer, successful:integer, skipped:integer,"
            " failed:integer}, details{added[]{question_id:integer, exam_id:integer,"
            " exam_title:string}, skipped[]{reason:string}, failed_questions[]{question_id:integer,"
            " reason:string}, failed_exams[]{exam_id:integer, reason:string}}}",
        ),
    ),
    Row(
        "POST",
        "/questions/bulk-archive/",
        "admin",
        200,
        "question_ids",
        answers=(
            "{summary{total_questions:integer, successful_archives:integer,"
            " failed_archives:integer}, details{archived[]:integer,"
            " failed[]{question_id:integer, reason:string}}}",
        ),
    ),
    # Dashboards and statistics
    Row(
        "GET",
        "/dashboard/candidate/",
        "authenticated candidate",
        200,
        answers=(
            "{candidate_info{name, email, phone, school, role, is_user_verified,"
            " is_email_verified, is_active, date_joined}, exam_stats{total_exams_taken,"
            " available_exams_count, average_score, highest_score, lowest_score,"
            " latest_score{score, exam_title, date}}, leaderboard_ranking{current_rank,"
            " total_candidates}, recent_scores[]{exam_title, score, date, exam_stage},"
            f" available_exams[]{{{AVAILABLE}}}, concluded_exams[]{{{CONCLUDED}}}}}",
        ),
    ),
    Row(
        "GET",
        "/dashboard/staff/",
        "moderator",
        200,
        answers=(
            "{staff_info{name, email, role, occupation, is_user_verified, is_email_verified,"
            " is_active, date_joined}, candidates{total, active, verified, recent_registrations,"
            " by_role{screening{count}, league{count}, final{count}, winner{count}},"
            " verification_rate}, exams{total, active, recent}, questions{total,"
            " by_difficulty{easy{count}, moderate{count}, hard{count}}},"
            " scores{total_submissions, recent_submissions, average_score, highest_score},"
            " upcoming_exams[]{id, title, scheduled_date, is_active, stage, question_count,"
            " countdown_minutes}}",
        ),
    ),
    Row("GET", "/stats/overview/", "moderator", 200),
    # Leaderboard
    Row("POST", "/leaderboard/publish/", "admin", 202, answers=("{message:string}",)),
    Row(
        "GET",
        "/leaderboard/",
        "verified candidate or staff",
        200,
        # One passage also has `offset`, which is ignored like any unknown parameter (decisions L2).
        query="stage round:integer page exam_id limit",
        answers=(
            "{snapshot_id:integer, published_at:time, available_leaderboards[]{stage, round,"
            " stage_display, exam_title, total_candidates, average_score}}",
            f"{{{EXAM_DETAILS}, top_three[]{{rank:integer, candidate, score:number}},"
            f" remaining_candidates[]{{rank:integer, candidate, score:number}}, {PAGINATION}}}",
        ),
        refusals={
            403: "leaderboard_hidden permission_denied unverified_candidate unverified_staff",
            404: "leaderboard_not_published",
        },
    ),
    Row(
        "GET",
        "/leaderboard/{stage}/{round}/candidate/{candidate_id}/",
        "verified candidate or staff",
        200,
        answers=(
            f"{{{EXAM_DETAILS}, candidate_performance{{rank:integer, candidate{{id:integer,"
            " full_name:string, school:string}, score:number, submissions[]{question_id:integer,"
            # Null while another exam uses the question: docs/decisions/contract.md, L.
            f" question_text:string, {OPTIONS}, correct_answer:string?, selected_option:string,"
            " is_correct:boolean?}, participated_at:time}}",
        ),
        refusals={403: "permission_denied"},
    ),
    # Broadcasts
    Row(
        "GET",
        "/broadcasts/",
        "manager",
        200,
        answers=(
            "{count:integer, total_pages:integer, next:string?, previous:string?,"
            f" results[]{{{BROADCAST}}}, {PAGINATION}}}",
        ),
    ),
    Row(
        "POST",
        "/broadcasts/",
        "manager",
        201,
        "subject message mediums target_roles{staff,candidate}",
        answers=(f"{{{WHOLE_BROADCAST}}}",),
        refusals={400: "invalid_medium no_recipients_found"},
    ),
    Row(
        "GET",
        "/broadcasts/{broadcast_id}/",
        "manager",
        200,
        answers=(f"{{{WHOLE_BROADCAST}}}",),
    ),
    # Notifications
    Row(
        "GET",
        "/notifications/",
        "any authenticated",
        200,
        query="status page",
        answers=(
            "{stats{total_count:integer, unread_count:integer, read_count:integer},"
            " results[]{id:integer, subject:string, message:string, read:boolean,"
            f" created_at:time}}, {PAGINATION}}}",
        ),
    ),
    Row(
        "PATCH",
        "/notifications/{notification_id}/mark-as-read/",
        "any authenticated",
        200,
        answers=("{status:string}",),
    ),
    Row(
        "PATCH",
        "/notifications/mark-all-as-read/",
        "any authenticated",
        200,
        answers=("{status:string, updated_count:integer}",),
    ),
    # Webhook
    Row(
        "POST",
        "/webhooks/db-backup/",
        "API key",
        200,
        "status environment timestamp backup_filename error_message",
        answers=("{status:string}",),
    ),
    # Other
    Row("POST", "/publish-scores/", "admin", 202),
    Row("GET", "/docs/swagger/", "none", 200),
    Row("GET", "/docs/redoc/", "none", 200),
    Row("GET", "/docs/spec/", "none", 200),
]

# Operations that the specification doesn't have, and why they exist.
ADDITIVE = {
    ("GET", "/files/{key}/"): "decisions F9: where the signed links of the local storage lead",
    ("GET", "/auth/sessions/"): "docs/decisions/contract.md, C: where a user is logged in",
    ("DELETE", "/auth/sessions/"): "the same: to end all of it",
    ("DELETE", "/auth/sessions/{session_id}/"): "the same: or one session",
    ("PUT", "/account-management/{user_id}/activation/"): "decisions F11",
    ("GET", "/account-management/{user_id}/activation/preview/"): "contract.md, W",
    ("GET", "/audit/"): "decisions F12",
    ("POST", "/exams/{exam_id}/conclude/"): "decisions G2",
    ("GET", "/exams/{exam_id}/time/"): "decisions E1",
    ("GET", "/exams/{exam_id}/own-time/"): "docs/decisions/0020-allowances.md",
    ("GET", "/exams/{exam_id}/submitted-answers/"): "docs/decisions/contract.md, W",
    ("GET", "/exams/{exam_id}/scores/"): "the same",
    ("GET", "/exams/{exam_id}/paper/"): "the same",
    ("GET", "/leaderboard/snapshots/"): "the same",
    ("GET", "/imports/"): "docs/decisions/0050-imports.md",
    ("GET", "/imports/kinds/"): "the same",
    ("POST", "/imports/{kind_or_id}/"): "the same",
    ("GET", "/imports/{kind_or_id}/"): "the same",
    ("DELETE", "/imports/{kind_or_id}/"): "the same",
    ("GET", "/imports/{import_id}/rows/"): "the same",
    ("POST", "/imports/{import_id}/apply/"): "the same",
    ("GET", "/imports/templates/{kind}/"): "the same",
    ("GET", "/exports/candidates/"): "docs/decisions/0055-exports.md",
    ("GET", "/exports/staff/"): "the same",
    ("GET", "/exports/questions/"): "the same",
    ("GET", "/exports/exams/{exam_id}/results/"): "the same",
    ("GET", "/exports/exams/{exam_id}/answers/"): "the same",
    ("GET", "/exports/exams/{exam_id}/allowances/"): "the same",
    ("GET", "/exports/exams/{exam_id}/answer-sheet/"): "the same",
    ("GET", "/exports/leaderboard/{stage}/{round}/"): "the same",
    ("GET", "/exports/advancement/{plan_id}/"): "the same",
    ("GET", "/exports/audit/"): "the same",
    ("GET", "/exports/leaderboard/{stage}/{round}/schools/"): "the same",
    ("GET", "/exports/school/exams/{exam_id}/results/"): "the same",
    ("GET", "/schools/"): "docs/decisions/0056-schools-and-teachers.md",
    ("POST", "/schools/"): "the same",
    ("GET", "/schools/{school_id}/"): "the same",
    ("PATCH", "/schools/{school_id}/"): "the same",
    ("DELETE", "/schools/{school_id}/"): "the same",
    ("POST", "/schools/{school_id}/merge/"): "the same",
    ("POST", "/schools/{school_id}/merge/preview/"): "the same",
    ("DELETE", "/schools/{school_id}/aliases/{alias_id}/"): "the same",
    ("GET", "/leaderboard/{stage}/{round}/schools/"): "the same",
    ("GET", "/schools/{school_id}/teachers/"): "the same",
    ("POST", "/schools/{school_id}/teachers/"): "the same",
    ("DELETE", "/schools/{school_id}/teachers/{user_id}/"): "the same",
    ("GET", "/school/"): "the same",
    ("GET", "/school/candidates/"): "the same",
    ("POST", "/school/candidates/"): "the same",
    ("PATCH", "/school/candidates/{user_id}/"): "the same",
    ("DELETE", "/school/candidates/{user_id}/"): "the same",
    ("POST", "/school/candidates/{user_id}/confirm/"): "the same",
    ("POST", "/school/slips/"): "the same",
    ("POST", "/candidates/slips/"): "the same",
    ("GET", "/school/exams/"): "the same",
    ("GET", "/school/exams/{exam_id}/"): "the same",
    ("GET", "/school/exams/{exam_id}/results/"): "the same",
    ("POST", "/questions/render/"): "docs/decisions/0036-formulas-and-images.md",
    ("GET", "/images/{name}/"): "the same",
    ("GET", "/questions/images/"): "the same",
    ("POST", "/questions/images/"): "the same",
    ("PATCH", "/questions/images/{image_id}/"): "the same",
    ("DELETE", "/questions/images/{image_id}/"): "the same",
    ("POST", "/exams/{exam_id}/allowances/preview/"): "docs/decisions/contract.md, W",
    ("GET", "/exams/{exam_id}/conclude/preview/"): "the same",
    ("GET", "/exams/{exam_id}/announcements/preview/"): "the same",
    ("POST", "/leaderboard/publish/preview/"): "the same",
    ("POST", "/broadcasts/preview/"): "the same",
    ("GET", "/questions/{question_id}/exams/"): "the same",
    ("GET", "/questions/answers/"): "the same",
    ("GET", "/flags/"): "the same",
    ("POST", "/auth/second-factor/recovery-codes/"): "the same",
    ("PUT", "/flags/{name}/"): "the same",
    ("GET", "/api-keys/"): "the same",
    ("POST", "/api-keys/"): "the same",
    ("GET", "/api-keys/rates/"): "the same",
    ("DELETE", "/api-keys/{key_id}/"): "the same",
    ("GET", "/jobs/"): "the same",
    ("POST", "/jobs/{job_id}/retry/"): "the same",
    ("GET", "/mails/"): "the same",
    ("POST", "/mails/{mail_id}/resend/"): "the same",
    ("GET", "/backups/"): "the same",
    ("GET", "/exams/{exam_id}/draft/"): "decisions E2",
    ("PUT", "/exams/{exam_id}/draft/"): "decisions E2",
    ("GET", "/exams/{exam_id}/drafts/{candidate_id}/"): "decisions E3",
    ("POST", "/auth/login/second-factor/"): "docs/decisions/0016-second-factor.md",
    ("GET", "/auth/second-factor/"): "the same",
    ("POST", "/auth/second-factor/"): "the same",
    ("DELETE", "/auth/second-factor/"): "the same",
    ("POST", "/auth/second-factor/confirm/"): "the same",
    ("GET", "/seasons/"): "docs/decisions/0057-seasons.md",
    ("POST", "/seasons/"): "the same",
    ("POST", "/seasons/preview/"): "the same",
    ("POST", "/seasons/undo/"): "the same",
    ("POST", "/seasons/join/"): "the same",
    ("PATCH", "/seasons/{season_id}/"): "the same",
    ("POST", "/exams/{exam_id}/copy/"): "docs/decisions/contract.md, Y2",
    ("POST", "/exams/{exam_id}/attempts/{candidate_id}/reopen/"): "the same",
    ("GET", "/exams/{exam_id}/receipts/"): "the same",
    ("GET", "/exams/{exam_id}/receipt/"): "docs/decisions/0019-receipts.md",
    ("POST", "/receipts/verify/"): "the same",
    ("GET", "/receipts/keys/"): "the same",
    ("GET", "/exams/{exam_id}/regrades/"): "docs/decisions/contract.md, J3",
    ("POST", "/exams/{exam_id}/regrades/"): "the same",
    ("GET", "/exams/{exam_id}/regrades/{regrade_id}/"): "the same",
    ("DELETE", "/exams/{exam_id}/regrades/{regrade_id}/"): "the same",
    ("POST", "/exams/{exam_id}/regrades/{regrade_id}/apply/"): "the same",
    ("POST", "/exams/{exam_id}/regrades/{regrade_id}/revert/"): "the same",
    ("GET", "/exams/{exam_id}/appeals/"): "docs/decisions/contract.md, J7",
    ("POST", "/exams/{exam_id}/appeals/"): "the same",
    ("POST", "/appeals/{appeal_id}/answer/"): "the same",
    ("GET", "/appeals/"): "the same",
    ("GET", "/appeals/{appeal_id}/"): "the same",
    ("GET", "/clarifications/"): "docs/decisions/contract.md, K1",
    ("GET", "/exams/{exam_id}/clarifications/"): "the same",
    ("POST", "/exams/{exam_id}/clarifications/"): "the same",
    ("POST", "/clarifications/{clarification_id}/answer/"): "the same",
    ("GET", "/exams/{exam_id}/announcements/"): "the same",
    ("POST", "/exams/{exam_id}/announcements/"): "the same",
    ("GET", "/exams/{exam_id}/allowances/"): "docs/decisions/0020-allowances.md",
    ("POST", "/exams/{exam_id}/allowances/"): "docs/decisions/0020-allowances.md",
    ("DELETE", "/exams/{exam_id}/allowances/{allowance_id}/"): "docs/decisions/0020-allowances.md",
    ("GET", "/candidates/{candidate_id}/allowance/"): "docs/decisions/0020-allowances.md",
    ("PUT", "/candidates/{candidate_id}/allowance/"): "docs/decisions/0020-allowances.md",
    ("GET", "/exams/{exam_id}/invigilation/"): "docs/decisions/0020-allowances.md",
    ("GET", "/exams/{exam_id}/preflight/"): "docs/decisions/0031-preflight.md",
    ("POST", "/exams/{exam_id}/prepare/"): "docs/decisions/0031-preflight.md",
    ("DELETE", "/exams/{exam_id}/prepare/"): "docs/decisions/0031-preflight.md",
    ("GET", "/exams/{exam_id}/preview/"): "docs/decisions/0031-preflight.md",
    ("GET", "/exams/{exam_id}/analysis/"): "docs/decisions/0024-item-analysis.md",
    ("POST", "/ws/tickets/"): "decisions M9",
    ("GET", "/schools/names/"): "issue 36: registration suggests names of schools",
    ("POST", "/downloads/links/"): "the same, for downloads",
    ("POST", "/users/me/export/"): "docs/decisions/0029-privacy.md",
    ("DELETE", "/users/me/"): "the same",
    ("DELETE", "/users/{user_id}/"): "the same",
    ("POST", "/users/{user_id}/restore/"): "the same",
    ("POST", "/users/restore/"): "the same",
    ("GET", "/users/deletions/"): "the same",
    ("GET", "/registration/consent/"): "the same",
    ("GET", "/leaderboard/publications/"): "docs/decisions/0022-advancement.md",
    ("DELETE", "/leaderboard/publications/{publication_id}/"): "the same",
    ("GET", "/advancement/"): "the same",
    ("POST", "/advancement/"): "the same",
    ("GET", "/advancement/{plan_id}/"): "the same",
    ("PATCH", "/advancement/{plan_id}/"): "the same",
    ("DELETE", "/advancement/{plan_id}/"): "the same",
    ("GET", "/advancement/{plan_id}/preview/"): "the same",
    ("POST", "/advancement/{plan_id}/apply/"): "the same",
    ("POST", "/advancement/{plan_id}/undo/"): "the same",
    ("GET", "/advancement/{plan_id}/candidates/"): "the same",
    ("GET", "/metrics/"): "decisions H8: what is counted, for Prometheus",
    ("GET", "/ready/"): "decisions M14: what the service needs, one by one",
    ("GET", "/docs/"): "docs/decisions/0026-generated-clients.md: where the documents are",
    ("GET", "/docs/events/"): "the same: the sockets, as AsyncAPI",
}

# Parameters that every paginated list has (decisions B1, B6, B8), besides the ones in its row.
COMMON_QUERY = {
    *("page", "limit", "page_size", "search", "ordering", "created_after", "created_before")
}
SEASON = {"season": "docs/decisions/0057-seasons.md"}
ADDITIVE_QUERY = {
    ("GET", "/exams/"): {
        "status": "decisions G1",
        "deleted": "decisions G10",
        "season": "docs/decisions/0057-seasons.md",
    },
    ("GET", "/questions/"): {
        "archived": "decisions G13",
        "used": "docs/decisions/contract.md, W8",
        "with_image": "the same",
    },
    ("GET", "/candidates/"): {
        "status": "the field of the same name can be asked for (R1)",
        "joined": "docs/decisions/0057-seasons.md",
        "has_email": "docs/decisions/contract.md, S15",
    },
    ("GET", "/candidates/{candidate_id}/scores/"): SEASON,
    ("GET", "/candidates/{candidate_id}/exam-history/"): SEASON,
    ("GET", "/candidates/{candidate_id}/"): SEASON
    | {"documents": "docs/decisions/contract.md, W13"},
    ("GET", "/account-management/"): SEASON,
    ("GET", "/dashboard/candidate/"): SEASON,
    ("GET", "/dashboard/staff/"): SEASON,
    ("GET", "/staff/{staff_id}/"): {"documents": "the same"},
    ("GET", "/account-management/{user_id}/"): {"documents": "the same"},
    ("GET", "/notifications/"): {"after_id": "decisions M11"},
    ("GET", "/user/verification/list/"): {
        "has_changes": "docs/decisions/contract.md, F",
        "is_waiting": "docs/decisions/contract.md, W",
        "user_id": "the same",
    },
    ("GET", "/leaderboard/"): SEASON | {"snapshot": "docs/decisions/contract.md, J3"},
    ("GET", "/leaderboard/{stage}/{round}/candidate/{candidate_id}/"): SEASON
    | {"exam_id": "decisions L11"},
}
EXAM_POLICY = {"ranking": "decisions L5", "scores_visible": "decisions G25"}
LANGUAGE = {"language": "that of emails to the user"}
OF_CANDIDATES = dict.fromkeys(("year", "group", "external_id"), "docs/decisions/0050-imports.md")
ADDITIVE_REQUEST = {
    ("POST", "/auth/login/"): {"shared_device": "decisions C9"},
    ("POST", "/register/candidate/"): LANGUAGE,
    ("POST", "/register/staff/"): LANGUAGE,
    ("PATCH", "/account-management/"): LANGUAGE | OF_CANDIDATES,
    ("PATCH", "/account-management/{user_id}/"): LANGUAGE | OF_CANDIDATES,
    ("POST", "/exams/"): EXAM_POLICY,
    ("PUT", "/exams/{exam_id}/"): EXAM_POLICY,
    ("PATCH", "/exams/{exam_id}/"): EXAM_POLICY,
    ("POST", "/broadcasts/"): {"joined": "docs/decisions/0057-seasons.md"},
    ("POST", "/leaderboard/publish/"): {"exams": "decisions L14", "publish_at": "the same"},
}

# The values that the specification allows for fields of components, and values that decisions have
# added.
CANDIDATE_ROLES = "screening league final winner"
STAFF_ROLES = "volunteer moderator admin manager superadmin sponsor"
VALUES = [
    ("CandidateProfile", "role", CANDIDATE_ROLES),
    ("StaffProfile", "role", STAFF_ROLES),
    ("CandidateProfile", "status", "active inactive pending deactivated"),
    ("StaffProfile", "status", "active inactive pending deactivated"),
    ("CandidateProfile", "profile_type", "candidate"),
    ("StaffProfile", "profile_type", "staff"),
    ("VerificationRecord", "status", "email_not_verified verified pending rejected not_submitted"),
    ("ExamShape", "stage", "screening league final"),
    ("ExamShape", "status", "draft scheduled ongoing concluded cancelled"),
    ("Question", "correct_answer", "A B C D"),
    ("Question", "difficulty", "easy moderate hard"),
    # `failed` was added (decisions M1).
    ("Broadcast", "status", "pending sent failed"),
    ("BroadcastLog", "medium", "email platform"),
    ("BroadcastLog", "role_type", "staff candidate"),
    ("AvailableExam", "enrollment", "done not_done missed"),
]
REQUEST_VALUES = [
    ("PUT", "/candidates/{candidate_id}/roles/assign/", "role", CANDIDATE_ROLES),
    ("PUT", "/staff/{staff_id}/roles/assign/", "role", STAFF_ROLES),
    ("POST", "/exams/", "stage", "screening league final"),
    ("POST", "/questions/", "correct_answer", "A B C D"),
    ("POST", "/questions/", "difficulty", "easy moderate hard"),
    ("POST", "/webhooks/db-backup/", "status", "success first_failure final_failure"),
    ("POST", "/webhooks/db-backup/", "environment", "prod staging"),
]
QUERY_VALUES = [
    ("/user/list/", "profile", "candidate staff"),
    ("/exams/", "stage", "screening league final"),
    ("/questions/", "difficulty", "easy moderate hard"),
    ("/notifications/", "status", "read unread"),
]

KINDS: dict[str, Json] = {
    "time": {"type": "string", "format": "date-time"},
    "date": {"type": "string", "format": "date"},
    "uuid": {"type": "string", "format": "uuid"},
    **{kind: {"type": kind} for kind in ("string", "integer", "number", "boolean")},
}

every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")


class Field(NamedTuple):
    name: str
    array: bool
    nullable: bool
    kind: str
    fields: "list[Field] | None"


def fields_of(text: str) -> list[Field]:
    """Parse ``{a:integer, b[]{c}}``, which may begin with ``[]``."""
    tokens = re.findall(r"\w+|[\[\]{}:?,]", text)
    return _fields(["body", *tokens], 0)[0]


def _fields(tokens: list[str], at: int) -> tuple[list[Field], int]:
    found = []
    while at < len(tokens) and tokens[at] != "}":
        name, at = tokens[at], at + 1
        array = nullable = False
        kind, fields = "", None
        while at < len(tokens) and tokens[at] not in ",}":
            match tokens[at]:
                case "[":
                    array, at = True, at + 2
                case "?":
                    nullable, at = True, at + 1
                case ":":
                    kind, at = tokens[at + 1], at + 2
                case "{":
                    fields, at = _fields(tokens, at + 1)
                    at += 1
                case other:
                    raise AssertionError((other, tokens[at - 3 : at + 3]))
        found.append(Field(name, array, nullable, kind, fields))
        at += at < len(tokens) and tokens[at] == ","
    return found, at


def resolved(schema: Json) -> Json:
    if "$ref" not in schema:
        return schema
    part: Any = whole_document()
    for name in schema["$ref"].removeprefix("#/").split("/"):
        part = part[name]
    return resolved(part)


def forms(schema: Json) -> list[Json]:
    """The alternatives of a schema, including null."""
    schema = resolved(schema)
    if "anyOf" not in schema:
        return [schema]
    return [form for each in schema["anyOf"] for form in forms(each)]


def unlike(field: Field, schema: Json, where: str) -> list[str]:
    """The differences between a field and its schema. If there are several forms, one must
    match.
    """
    found = forms(schema)
    problems = []
    if field.nullable and {"type": "null"} not in found:
        problems.append(f"{where} is never null")
    tried = [_unlike(field, form, where) for form in found if form != {"type": "null"}]
    return problems + min(tried, key=len)


def _unlike(field: Field, form: Json, where: str) -> list[str]:
    if field.array:
        if form.get("type") != "array":
            return [f"{where} is no array"]
        return unlike(field._replace(array=False, nullable=False), form["items"], f"{where}[]")
    if field.kind and not is_of(form, field.kind):
        return [f"{where} is no {field.kind}, but {form}"]
    if field.fields is None:
        return []
    properties = form.get("properties", {})
    problems = [
        f"{where}.{each.name} is missing" for each in field.fields if each.name not in properties
    ]
    for each in field.fields:
        if each.name in properties:
            problems += unlike(each, properties[each.name], f"{where}.{each.name}")
    return problems


def is_of(form: Json, kind: str) -> bool:
    if kind == "string" and "enum" in form:
        return all(isinstance(value, str) for value in form["enum"])
    return KINDS[kind].items() <= form.items()


def operation(row: Row) -> Json:
    found: Json = whole_document()["paths"][row.path][row.method.lower()]
    return found


def response(row: Row, status: int) -> Json:
    return resolved(operation(row)["responses"][str(status)])


def codes(row: Row, status: int) -> set[str]:
    schema = resolved(response(row, status)["content"]["application/json"]["schema"])
    return set(schema["allOf"][1]["properties"]["code"]["enum"])


def bodies(row: Row) -> dict[str, Json]:
    """The properties of the request body, by media type."""
    content = operation(row).get("requestBody", {"content": {}})["content"]
    return {kind: each["schema"]["properties"] for kind, each in content.items()}


def test_the_document_has_the_specified_operations_and_known_additions():
    documented = {
        (method.upper(), path)
        for path, item in whole_document(only_ours=True)["paths"].items()
        for method in item
    }
    specified = {(row.method, row.path) for row in ROWS}
    assert len(specified) == len(ROWS)
    assert not specified & set(ADDITIVE)
    assert documented == specified | set(ADDITIVE)


@every_row
def test_each_operation_has_the_specified_access(row):
    assert operation(row)["description"].endswith(f"Access: {ACCESS[row.role]}.")


@every_row
def test_each_operation_has_the_specified_statuses_and_codes(row):
    responses = operation(row)["responses"]
    succeeding = {int(status) for status in responses if status.startswith("2")}
    assert succeeding == {row.status}
    for status, named in row.refusals.items():
        assert set(named.split()) <= codes(row, status), status
    for status in map(int, responses):
        # Statuses that the table of statuses doesn't list: decisions A7 and M14, and 304 for polled
        # endpoints.
        assert status in {row.status, 304, 400, 401, 403, 404, 412, 415, 429, 500, 502, 503}, status
    if row.role != "none":
        assert "not_authenticated" in codes(row, 401)
    if row.role not in ("none", "API key"):
        assert "invalid_token" in codes(row, 401)
        assert "permission_denied" in codes(row, 403)
    if "{" in row.path:
        assert "not_found" in codes(row, 404)


@every_row
def test_each_request_body_has_the_specified_fields(row):
    specified = {}
    for field in re.findall(r"(\w+)(?:\[\])?(?:{([\w,]+)})?", row.request):
        specified[field[0]] = set(filter(None, field[1].split(",")))
    found = bodies(row)
    names = set().union(*found.values()) if found else set()
    assert names == {*specified, *ADDITIVE_REQUEST.get((row.method, row.path), ())}
    for name, below in specified.items():
        if below:
            schema = found["application/json"][name]
            assert set(schema.get("items", schema)["properties"]) == below


@every_row
def test_each_operation_has_the_specified_query_parameters(row):
    documented = {
        each["name"]: each["schema"]
        for each in operation(row)["parameters"]
        if each["in"] == "query"
    }
    specified = dict(each.partition(":")[::2] for each in row.query.split())
    for name, kind in specified.items():
        assert name in documented
        assert not kind or is_of(documented[name], kind), name
    additive = set(ADDITIVE_QUERY.get((row.method, row.path), {}))
    assert additive <= set(documented)
    paged = COMMON_QUERY if any(PAGINATION in each for each in row.answers) else set()
    assert set(documented) - set(specified) - additive <= paged


@every_row
def test_each_response_body_has_the_specified_fields(row):
    content = response(row, row.status).get("content", {})
    assert bool(content) == (row.status != 204)
    for answer in row.answers:
        [body] = fields_of(answer)
        assert unlike(body, content["application/json"]["schema"], "body") == []


def test_frozen_questions_have_no_answer_key():
    question = whole_document()["components"]["schemas"]["PaperQuestion"]["properties"]
    assert not {"correct_answer", "difficulty"} & set(question)


@pytest.mark.parametrize(("shape", "field", "values"), VALUES)
def test_enumerations_in_responses_have_the_specified_values(shape, field, values):
    schema = whole_document()["components"]["schemas"][shape]["properties"][field]
    assert set(resolved(schema)["enum"]) == set(values.split())


@pytest.mark.parametrize(("method", "path", "field", "values"), REQUEST_VALUES)
def test_enumerations_in_requests_have_the_specified_values(method, path, field, values):
    content = whole_document()["paths"][path][method.lower()]["requestBody"]["content"]
    schema = content["application/json"]["schema"]["properties"][field]
    assert set(schema["enum"]) == set(values.split())


@pytest.mark.parametrize(("path", "name", "values"), QUERY_VALUES)
def test_enumerations_in_queries_have_the_specified_values(path, name, values):
    parameters = whole_document()["paths"][path]["get"]["parameters"]
    [schema] = [each["schema"] for each in parameters if each["name"] == name]
    assert set(schema["enum"]) == set(values.split())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{nothing}", "body.nothing is missing"),
        ("{status:integer}", "body.status is no integer"),
        ("{status[]}", "body.status is no array"),
        ("{timestamp:time?}", "body.timestamp is never null"),
        ("[]{status}", "body is no array"),
    ],
)
def test_the_comparison_detects_differences(text, problem):
    [row] = [row for row in ROWS if row.path == "/health/"]
    schema = response(row, 200)["content"]["application/json"]["schema"]
    [body] = fields_of(text)
    [found] = unlike(body, schema, "body")
    assert found.startswith(problem)
