"""Every event that plugins can subscribe to.

An event is emitted once for each cause. If its transaction fails, nothing is stored. Each story is
one way to cause an event. If you add an event, add a story.
"""

import dataclasses
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Select, inspect, select, text
from sqlalchemy.exc import IntegrityError

import competition
from competition.core.errors import ApiError, Invalid, ThrottleExceeded
from competition.core.imports import Asked, Line, Row
from competition.core.messages import worded
from competition.core.seasons.events import CandidateJoined, SeasonOpened, SeasonUndone
from competition.core.users import accounts, callers, personal_data
from competition.core.users.events import (
    AccountActivated,
    AccountChanging,
    AccountDeactivated,
    AccountErased,
    AccountErasing,
    CredentialsChanged,
    IdentitiesVouched,
    SchoolChanged,
    SchoolsRenamed,
)
from competition.core.users.models import User
from competition.core.work import Work, begin
from competition.plugins.accounts import mails
from competition.plugins.accounts.events import (
    AccountRegistered,
    AccountsRegistered,
    EmailProven,
    InvitationPreparing,
)
from competition.plugins.accounts.services import entering
from competition.plugins.accounts.services.entering import NewAccount
from competition.plugins.drafts.services import handing_in
from competition.plugins.exams.events import ExamChanged, ExamDeleting, PaperFrozen
from competition.plugins.exams.models import ExamQuestion
from competition.plugins.exams.services import rows
from competition.plugins.leaderboard.events import BoardPublished
from competition.plugins.leaderboard.models import Snapshot
from competition.plugins.leaderboard.services import publishing
from competition.plugins.notifications.events import Notify
from competition.plugins.people.events import CandidateRowsChecked, RoleAssigned, RolesAssigned
from competition.plugins.people.services import roles
from competition.plugins.people.services.importing import candidates
from competition.plugins.questions.events import QuestionsForExam, QuestionsImported
from competition.plugins.questions.services.importing import rows as importing
from competition.plugins.regrades.events import ChoicesAsked
from competition.plugins.regrades.services import applying
from competition.plugins.schools.events import SchoolDeleting, SchoolsMerged
from competition.plugins.scores.events import ScoresCorrected, ScoresRecorded
from competition.plugins.scores.services import ending, scoring
from competition.plugins.sittings.events import (
    AttemptsReopened,
    AttemptStarted,
    ClockChanged,
    ExamsSealing,
    SubmissionsStored,
    SubmissionsWithdrawing,
    SubmissionsWithdrawn,
)
from competition.plugins.sittings.models import Submission
from competition.plugins.sittings.services import reopening
from competition.plugins.verification.events import ChangesDecided, DocumentsDecided
from competition.plugins.verification.models import VerificationRequest
from competition.testing import identity_papers
from competition.testing.exam_day import (
    answers,
    make_exam,
    make_questions,
    score_by_hand,
    season,
    sit,
    submit,
    take,
)
from competition.testing.service import PASSWORD, Person, Service, text_of

EMAIL = "grace.hopper@school.example"
GRACE = {"email": EMAIL, "first_name": "Grace", "last_name": "Hopper", "phone": "+49123456789"}
CHOSEN = {"password": PASSWORD, "password2": PASSWORD}


@dataclass
class Story:
    """One way to cause an event.

    `act` causes the event, and `expected` returns its fields. If `act` runs twice, the event is
    emitted `times` times. `refused` is a similar action that is rejected.
    """

    act: Callable[[], Any]
    refused: Callable[[], Any]
    expected: Callable[[], dict[str, Any]]
    times: int = 1


STORIES: list[Any] = []


def story(event: type) -> Callable[[Any], Any]:
    def add(create: Callable[[Service], Story]) -> Any:
        STORIES.append(pytest.param(event, create, id=create.__name__))
        return create

    return add


def outcome(act: Callable[[], Any]) -> str | None:
    """The code of the error that the action ends with, or None."""
    try:
        reply = act()
    except ApiError as error:
        return error.code
    is_error = reply is not None and reply.status_int >= 400
    return reply.json["code"] if is_error else None


def in_work(app: Service, rule: Callable[..., Any], *arguments: Any) -> Callable[[], None]:
    """An action that calls a service function in a transaction, as commands and tasks do."""

    def act() -> None:
        with begin(app.runtime) as work:
            rule(work, *arguments)

    return act


def stored(app: Service) -> dict[str, str]:
    """A checksum of every table."""
    rows = "select md5(string_agg(t::text, '|' order by t::text)) from {} t"
    with begin(app.runtime) as work:
        names = inspect(work.db.connection()).get_table_names()
        return {name: work.db.scalar(text(rows.format(f'"{name}"'))) for name in names}


def counted(app: Service, event: type) -> float:
    registry = app.runtime.metrics.registry()
    return registry.get_sample_value("competition_events_total", {"event": event.__name__}) or 0


def fields(event: Any) -> dict[str, Any]:
    """The fields of the event. Queries are run, ids are sorted, and messages are in English."""
    said = {name: value for name, value in vars(event).items() if name != "work"}
    said = {
        name: event.work.db.scalars(value).all() if isinstance(value, Select) else value
        for name, value in said.items()
    }
    said = {
        name: worded(value) if isinstance(value, str) else value for name, value in said.items()
    }
    if "submissions" in said:
        said["candidate_ids"] = [each.candidate_id for each in said.pop("submissions")]
    return {k: sorted(v) if isinstance(v, list | set) else v for k, v in said.items()}


def id_of(app: Service, email: str = EMAIL) -> Any:
    with begin(app.runtime) as work:
        return work.db.scalars(select(User.id).where(User.email == email)).one()


# --- Accounts


@story(AccountRegistered)
def a_candidate_registers(app: Service) -> Story:
    def register(**changes: str) -> Any:
        body = {**GRACE, **CHOSEN, "school": "Hillside School", **changes}
        return app.anonymous.post("/register/candidate/", body, status="any")

    return Story(
        act=register,
        refused=lambda: register(password2="another one"),
        expected=lambda: {"user_id": id_of(app), "kind": "candidate", "contributed": {}},
    )


@story(AccountRegistered)
def a_member_of_staff_is_invited(app: Service) -> Story:
    manager = app.staff("manager")

    def invite(role: str) -> Any:
        body = {**GRACE, "occupation": "Teacher", "role": role}
        return manager.post("/staff/invite/", body, status="any")

    return Story(
        act=lambda: invite("admin"),
        refused=lambda: invite("manager"),
        expected=lambda: {"user_id": id_of(app), "kind": "staff", "contributed": {}},
    )


@story(InvitationPreparing)
def an_invitation_is_prepared(app: Service) -> Story:
    invited = app.staff("volunteer", is_email_verified=False)
    known = app.staff("volunteer")

    def prepare(person: Person) -> None:
        with begin(app.runtime) as work:
            mails.invitation(work, person.email, user_id=str(person.id))

    return Story(
        act=lambda: prepare(invited),
        # The address is proven already, so there is no invitation.
        refused=lambda: prepare(known),
        expected=lambda: {"user_id": invited.id, "school": None},
        times=2,
    )


@story(EmailProven)
def a_code_is_used(app: Service) -> Story:
    body = {**GRACE, **CHOSEN, "school": "Hillside School"}
    app.anonymous.post("/register/candidate/", body)
    code = app.otp(EMAIL)

    def verify(otp: str) -> Any:
        body = {"email": EMAIL, "otp": otp}
        return app.anonymous.post("/verify-email-otp/", body, status="any")

    return Story(
        act=lambda: verify(code),
        refused=lambda: verify(f"{(int(code) + 1) % 10**6:06}"),
        expected=lambda: {"user_id": id_of(app)},
    )


@story(EmailProven)
def an_invitation_is_used_by_its_password_and_by_a_code(app: Service) -> Story:
    app.staff("manager").post("/staff/invite/", {**GRACE, "occupation": "Teacher"})
    lines = text_of(app.mails(EMAIL)[-1]).splitlines()
    password = [line.strip() for line in lines if line.startswith("    ")][-1]
    app.anonymous.post("/send-email-otp/", {"email": EMAIL})
    code = app.otp(EMAIL)
    acts = [
        lambda: app.log_in(EMAIL, password, status="any"),
        lambda: app.anonymous.post("/verify-email-otp/", {"email": EMAIL, "otp": code}),
    ]
    return Story(
        # Verify the address first, then log in.
        act=lambda: acts[is_email_verified(app)](),
        refused=lambda: app.log_in(EMAIL, PASSWORD, status="any"),
        expected=lambda: {"user_id": id_of(app)},
    )


def is_email_verified(app: Service) -> bool:
    with begin(app.runtime) as work:
        return work.db.get_one(User, id_of(app)).is_email_verified


@story(AccountChanging)
def a_user_changes_their_name(app: Service) -> Story:
    person = app.candidate()

    def change(**fields: str) -> Any:
        return person.patch("/account-management/", fields, status="any")

    return Story(
        act=lambda: change(first_name="Grace"),
        refused=lambda: change(school=""),
        expected=lambda: {"user_id": person.id, "values": {"first_name": "Grace"}},
        # A subscriber may hold back a change for a review. It must also see a request to keep the
        # old value.
        times=2,
    )


@story(AccountActivated)
def a_user_is_activated(app: Service) -> Story:
    person, manager = app.candidate(is_active=False), app.staff("manager")

    def switch_on(user_id: Any) -> Any:
        path = f"/account-management/{user_id}/activation/"
        return manager.put(path, {"is_active": True}, status="any")

    return Story(
        act=lambda: switch_on(person.id),
        refused=lambda: switch_on(manager.id),
        expected=lambda: {"user_id": person.id},
    )


@story(AccountDeactivated)
def a_user_is_deactivated(app: Service) -> Story:
    person, manager = app.candidate(), app.staff("manager")

    def switch_off(user_id: Any) -> Any:
        path = f"/account-management/{user_id}/activation/"
        return manager.put(path, {"is_active": False}, status="any")

    return Story(
        act=lambda: switch_off(person.id),
        refused=lambda: switch_off(manager.id),
        expected=lambda: {"user_id": person.id},
    )


@story(CredentialsChanged)
def a_user_gets_another_password(app: Service) -> Story:
    person = app.candidate()
    app.anonymous.post("/auth/password-change/request/", {"email": person.email})
    otp = app.otp(person.email)

    def change(new: str) -> Any:
        body = {"email": person.email, "otp": otp, "new_password": new, "confirm_password": new}
        return app.anonymous.post("/auth/password-change/", body, status="any")

    return Story(
        act=lambda: change("rings and ideals"),
        refused=lambda: change("short"),
        expected=lambda: {"user_id": person.id, "credential": "password"},
    )


@story(AccountErasing)
@story(AccountErased)
def a_user_is_erased(app: Service) -> Story:
    person = app.candidate()
    return Story(
        act=in_work(app, personal_data.erase, person.id),
        refused=in_work(app, personal_data.erase, uuid4()),
        expected=lambda: {"user_id": person.id},
        # A second erasure deletes data that was missed before, such as data of a plugin that was
        # disabled.
        times=2,
    )


@story(SchoolChanged)
def a_candidate_has_another_school(app: Service) -> Story:
    person, manager = app.candidate(school="West"), app.staff("manager")

    def change(school: str) -> Any:
        path = f"/account-management/{person.id}/"
        return manager.patch(path, {"school": school}, status="any")

    return Story(
        act=lambda: change("East"),
        refused=lambda: change(""),
        expected=lambda: {"user_id": person.id},
    )


def a_merge(app: Service, expected: Callable[[int, int], dict[str, Any]]) -> Story:
    """The merge of East into West; `expected` gets their ids."""
    app.candidate(school="East")
    admin = app.staff("admin")
    west = admin.post("/schools/", {"name": "West"}).json["id"]
    [east] = admin.get("/schools/?search=East").json["results"]

    def merge(**changes: Any) -> Any:
        body = {"names": ["East"], "reason": "one school", **changes}
        return admin.post(f"/schools/{west}/merge/", body, status="any")

    return Story(
        act=merge,
        refused=lambda: merge(reason=""),
        expected=lambda: expected(west, east["id"]),
    )


@story(SchoolsMerged)
def schools_are_merged(app: Service) -> Story:
    counts = {"own_teachers": 0, "moved_teachers": 0}
    # The second time, East is another name of West.
    return a_merge(app, lambda west, east: {"school_id": west, "merged_ids": [east], **counts})


@story(SchoolsRenamed)
def a_school_has_another_name(app: Service) -> Story:
    return a_merge(
        app, lambda west, east: {"keys": ["east"], "name": "West", "counts": {"allowances": 0}}
    )


@story(SchoolDeleting)
def a_school_is_deleted(app: Service) -> Story:
    app.candidate(school="East")
    admin = app.staff("admin")
    west = admin.post("/schools/", {"name": "West"}).json["id"]
    [east] = admin.get("/schools/?search=East").json["results"]

    def delete(school_id: int) -> Any:
        return admin.delete(f"/schools/{school_id}/", status="any")

    return Story(
        act=lambda: delete(west),
        refused=lambda: delete(east["id"]),
        expected=lambda: {"school_id": west},
    )


def a_rejection(person: Person, manager: Person, reason: str) -> Story:
    def decide(**decision: Any) -> Any:
        path = f"/user/verification/action/{person.id}/"
        return manager.post(path, decision, status="any")

    return Story(
        act=lambda: decide(is_rejected=True, rejection_reason=reason),
        refused=lambda: decide(is_approved=True, is_rejected=True),
        expected=lambda: {"user_id": person.id, "is_approved": False, "reason": reason},
    )


@story(ChangesDecided)
def a_change_is_held_back(app: Service) -> Story:
    person, manager = app.candidate(), app.staff("manager")
    waiting = {"submitted_at": app.clock.now, "updated_at": app.clock.now}
    with begin(app.runtime) as work:
        changes = {"first_name": "Grace"}
        work.db.add(VerificationRequest(user_id=person.id, changes=changes, **waiting))

    return a_rejection(person, manager, "The card says Ada.")


@story(DocumentsDecided)
def documents_are_rejected(app: Service) -> Story:
    person, manager = app.candidate(verification="not_submitted"), app.staff("manager")
    identity_papers.submit(person)

    return a_rejection(person, manager, "Too dark.")


@story(RoleAssigned)
def a_candidate_advances(app: Service) -> Story:
    person, admin = app.candidate(), app.staff("admin")

    def assign(role: str) -> Any:
        path = f"/candidates/{person.id}/roles/assign/"
        return admin.put(path, {"role": role}, status="any")

    return Story(
        act=lambda: assign("league"),
        refused=lambda: assign("champion"),
        expected=lambda: {"user_id": person.id, "old": "screening", "new": "league"},
    )


@story(RoleAssigned)
def staff_has_another_rank(app: Service) -> Story:
    person, manager = app.staff("volunteer"), app.staff("manager")

    def assign(role: str) -> Any:
        return manager.put(f"/staff/{person.id}/roles/assign/", {"role": role}, status="any")

    return Story(
        act=lambda: assign("admin"),
        refused=lambda: assign("manager"),
        expected=lambda: {"user_id": person.id, "old": "volunteer", "new": "admin"},
    )


@story(RolesAssigned)
def candidates_advance_together(app: Service) -> Story:
    people = [app.candidate(), app.candidate()]
    unverified = app.candidate(verification="pending")
    ids = sorted(person.id for person in people)
    return Story(
        act=in_work(app, roles.move_candidates, [*ids, unverified.id], "screening", "league"),
        refused=in_work(app, roles.move_candidates, [*ids, unverified.id], "league", "final"),
        expected=lambda: {"user_ids": ids, "old": "screening", "new": "league"},
    )


# --- Exams


def changes_of_an_exam(app: Service, **changes: Any) -> Story:
    admin = app.staff("admin")
    exam_id = make_exam(app, admin)
    path = f"/exams/{exam_id}/"
    return Story(
        act=lambda: admin.patch(path, changes, status="any"),
        refused=lambda: admin.patch(path, {**changes, "countdown_minutes": -1}, status="any"),
        expected=lambda: {"exam_id": exam_id, "changed": tuple(changes)},
    )


@story(ExamChanged)
def an_exam_is_edited(app: Service) -> Story:
    return changes_of_an_exam(app, title="Another", countdown_minutes=90)


@story(ExamChanged)
def an_exam_gets_other_questions(app: Service) -> Story:
    return changes_of_an_exam(app, questions=make_questions(app, "AB"))


@story(ExamChanged)
def an_exam_is_concluded(app: Service) -> Story:
    admin = app.staff("admin")
    later = (app.clock.now.replace(year=app.clock.now.year + 1)).isoformat()
    planned, ongoing = make_exam(app, admin, scheduled_date=later), make_exam(app, admin)
    return Story(
        act=lambda: admin.post(f"/exams/{ongoing}/conclude/", status="any"),
        refused=lambda: admin.post(f"/exams/{planned}/conclude/", status="any"),
        expected=lambda: {"exam_id": ongoing, "changed": ("closes_at",)},
    )


@story(ExamDeleting)
def an_exam_is_deleted(app: Service) -> Story:
    admin = app.staff("admin")
    exam_id = make_exam(app, admin)
    return Story(
        act=lambda: admin.delete(f"/exams/{exam_id}/", status="any"),
        refused=lambda: admin.delete(f"/exams/{exam_id + 1}/", status="any"),
        expected=lambda: {"exam_id": exam_id},
    )


def links_of_a_question(app: Service, direction: str, *, is_linked: bool) -> Story:
    admin = app.staff("admin")
    [question] = make_questions(app, "A")
    exam_id = make_exam(app, admin, "", questions=[question] if is_linked else [])

    def link(exam: int) -> Any:
        return admin.post(f"/questions/{question}/exams/", {direction: [exam]}, status="any")

    return Story(
        act=lambda: link(exam_id),
        refused=lambda: link(exam_id + 1),
        expected=lambda: {"exam_id": exam_id, "changed": ("questions",)},
    )


@story(ExamChanged)
def a_question_goes_into_an_exam(app: Service) -> Story:
    return links_of_a_question(app, "add_to_exams", is_linked=False)


@story(ExamChanged)
def a_question_goes_out_of_an_exam(app: Service) -> Story:
    return links_of_a_question(app, "remove_from_exams", is_linked=True)


@story(ExamChanged)
def questions_go_into_an_exam_in_bulk(app: Service) -> Story:
    admin = app.staff("admin")
    questions, exam_id = make_questions(app, "AB"), make_exam(app, admin, "")

    def add(exam: int) -> Any:
        body = {"question_ids": questions, "exam_ids": [exam]}
        return admin.post("/questions/bulk-add-to-exams/", body, status="any")

    return Story(
        act=lambda: add(exam_id),
        refused=lambda: add(exam_id + 1),
        expected=lambda: {"exam_id": exam_id, "changed": ("questions",)},
    )


@story(PaperFrozen)
def a_candidate_starts(app: Service) -> Story:
    exam_id = make_exam(app, app.staff("admin"))
    person, other = app.candidate(), app.candidate("league")
    return Story(
        act=lambda: take(person, exam_id, status="any"),
        refused=lambda: take(other, exam_id, status="any"),
        expected=lambda: {"exam_id": exam_id},
    )


@story(AttemptStarted)
def an_attempt_begins(app: Service) -> Story:
    exam_id, person = make_exam(app, app.staff("admin"), "AB"), app.candidate()
    other = app.candidate("league")
    return Story(
        act=lambda: take(person, exam_id, status="any"),
        refused=lambda: take(other, exam_id, status="any"),
        expected=lambda: {"exam_id": exam_id, "candidate_id": person.id},
    )


@story(SubmissionsWithdrawn)
def a_candidate_continues(app: Service) -> Story:
    """Only a submission that the service made is withdrawn, not one by the candidate."""
    admin, person = app.staff("admin"), app.candidate()
    exam_id, other = make_exam(app, admin, "AB"), make_exam(app, admin, "AB")
    for each in (exam_id, other):
        take(person, each)
    submit(person, other, answers(app, other, "AB"))
    with begin(app.runtime) as work:
        work.db.add(
            Submission(
                exam_id=exam_id,
                candidate_id=person.id,
                answers="AB",
                submitted_at=work.now,
                handed_in_by="service",
            )
        )

    return Story(
        act=in_work(app, reopening.reopen, exam_id),
        refused=in_work(app, reopening.reopen, other),
        expected=lambda: {
            "exam_id": exam_id,
            "candidate_ids": [person.id],
            "is_own": False,
        },
    )


@story(AttemptsReopened)
def an_exam_gets_longer(app: Service) -> Story:
    admin = app.staff("admin")
    exam_id = make_exam(app, admin, "AB")
    take(app.candidate(), exam_id)

    def change(**changes: Any) -> Callable[[], Any]:
        return lambda: admin.patch(f"/exams/{exam_id}/", changes, status="any")

    return Story(
        act=change(countdown_minutes=90),
        refused=change(countdown_minutes=30),
        expected=lambda: {"exam_id": exam_id},
    )


def a_submission_is_taken_back(app: Service, **said: Any) -> Story:
    admin, person, other = app.staff("admin"), app.candidate(), app.candidate()
    exam_id = make_exam(app, admin, "AB")
    sit(app, person, exam_id, "AB")
    take(other, exam_id)

    def reopen(whose: Person) -> Callable[[], Any]:
        path = f"/exams/{exam_id}/attempts/{whose.id}/reopen/"
        return lambda: admin.post(path, {"reason": "Sent by mistake."}, status="any")

    return Story(
        act=reopen(person),
        refused=reopen(other),
        expected=lambda: {"exam_id": exam_id, "candidate_ids": [person.id], "is_own": True},
    )


@story(SubmissionsWithdrawing)
def staff_take_back_a_submission(app: Service) -> Story:
    return a_submission_is_taken_back(app)


@story(ClockChanged)
def the_clock_of_a_candidate_runs_again(app: Service) -> Story:
    taken_back = a_submission_is_taken_back(app)

    def expected() -> dict[str, Any]:
        said = taken_back.expected()
        return {"exam_id": said["exam_id"], "candidate_id": said["candidate_ids"][0]}

    return dataclasses.replace(taken_back, expected=expected)


@story(SubmissionsStored)
def a_candidate_submits(app: Service) -> Story:
    exam_id, person = make_exam(app, app.staff("admin"), "AB"), app.candidate()
    take(person, exam_id)
    body = answers(app, exam_id, "AB")
    twice = {"answers": body["answers"][:1] * 2}
    return Story(
        act=lambda: submit(person, exam_id, body, status="any"),
        refused=lambda: submit(person, exam_id, twice, status="any"),
        expected=lambda: {
            **{"exam_id": exam_id, "candidate_ids": [person.id]},
            "handed_in_by": "candidate",
        },
    )


@story(SubmissionsStored)
def the_service_hands_in(app: Service) -> Story:
    exam_id = make_exam(app, app.staff("admin"), "AB")
    people = [app.candidate(), app.candidate()]
    for person in people:
        take(person, exam_id)
        person.put(f"/exams/{exam_id}/draft/", {"sequence": 1, **answers(app, exam_id, "A")})
    hand_in = in_work(app, handing_in.hand_in_what_is_due)

    def too_early() -> None:
        hand_in()
        app.clock.advance(days=1)

    return Story(
        act=hand_in,
        refused=too_early,
        expected=lambda: {
            **{"exam_id": exam_id, "handed_in_by": "service"},
            "candidate_ids": sorted(person.id for person in people),
        },
    )


@story(ExamsSealing)
def an_exam_is_sealed(app: Service) -> Story:
    admin = app.staff("admin")
    exam_id = make_exam(app, admin, "AB")
    take(app.candidate(), exam_id)
    seal = in_work(app, ending.seal_and_score)

    def too_early() -> None:
        seal()
        app.clock.advance(days=1)

    return Story(act=seal, refused=too_early, expected=lambda: {"exam_ids": [exam_id]})


# --- Scores


def entered_score(app: Service, expected: Callable[..., dict[str, Any]]) -> Story:
    admin, person = app.staff("admin"), app.candidate()
    exam_id = make_exam(app, admin)
    return Story(
        act=lambda: score_by_hand(admin, exam_id, person, 33.333, status="any"),
        refused=lambda: score_by_hand(admin, exam_id, admin, 33.333, status="any"),
        expected=lambda: expected(exam_id, person),
    )


@story(ScoresRecorded)
def a_candidate_gets_a_score(app: Service) -> Story:
    return entered_score(
        app, lambda exam_id, person: {"exam_id": exam_id, "candidate_ids": [person.id]}
    )


@story(Notify)
def a_user_is_notified(app: Service) -> Story:
    return entered_score(
        app,
        lambda exam_id, person: {
            "user_ids": [person.id],
            "subject": "Your score",
            "message": "You have a score in Screening.",
            "about": "scores",
        },
    )


@story(ScoresRecorded)
def submissions_are_scored(app: Service) -> Story:
    exam_id = make_exam(app, app.staff("admin"), "AB")
    people = [app.candidate(), app.candidate()]
    for person in people:
        sit(app, person, exam_id, "A")
    return Story(
        act=in_work(app, scoring.score_submissions, exam_id),
        refused=in_work(app, scoring.score_submissions, exam_id + 1),
        expected=lambda: {
            "exam_id": exam_id,
            "candidate_ids": sorted(person.id for person in people),
        },
    )


@story(ScoresCorrected)
def a_key_is_corrected(app: Service) -> Story:
    admin = app.staff("admin")
    exam_id, [_, person] = season(app, admin, ["A", "B"], key="A")
    app.clock.advance(minutes=6)
    in_work(app, ending.seal_and_score)()
    [answer] = answers(app, exam_id, "A")["answers"]
    body = {"changes": [{"question": answer["question"], "credit_all": True}], "reason": "-"}
    preview = admin.post(f"/exams/{exam_id}/regrades/", body, status=201).json["id"]
    path = f"/exams/{exam_id}/regrades/{preview}/apply/"
    return Story(
        act=lambda: admin.post(path, status="any"),
        refused=lambda: app.staff("moderator").post(path, status="any"),
        expected=lambda: {"exam_id": exam_id, "candidate_ids": [person.id]},
    )


@story(ChoicesAsked)
def a_regrade_asks_whom_others_choose(app: Service) -> Story:
    exam_id, _ = season(app, app.staff("admin"), ["A"], key="A")

    def look(exam: int) -> Callable[[], None]:
        return in_work(app, lambda work: applying.Moment.now(work, rows.get(work, exam)))

    return Story(
        act=look(exam_id),
        refused=look(exam_id + 1),
        expected=lambda: {"exam_id": exam_id, "choices": []},
        # With this event, the service collects choices from subscribers, so it is emitted for each
        # request.
        times=2,
    )


@story(BoardPublished)
def boards_are_published(app: Service) -> Story:
    moderator = app.staff("moderator")

    def last() -> Any:
        with begin(app.runtime) as work:
            return work.db.scalar(select(Snapshot.id).order_by(Snapshot.id.desc()).limit(1))

    return Story(
        act=in_work(app, publishing.publish),
        refused=lambda: moderator.post("/leaderboard/publish/", status="any"),
        expected=lambda: {"snapshot_id": last()},
        # Each publication creates a new snapshot.
        times=2,
    )


# --- Imports


def as_staff(app: Service, person: Person, rule: Callable[..., Any], *arguments: Any) -> Any:
    """An action that calls a service function as this member of staff."""

    def act() -> None:
        with begin(app.runtime) as work:
            user = work.db.get_one(User, person.id)
            work.actor = callers.identity_of(work, user, person.id, has_second_factor=True)
            rule(work, *arguments)

    return act


def import_row(**cells: str) -> Row:
    return Row(Line(2, cells), dict(cells))


@story(AccountsRegistered)
def candidates_are_imported(app: Service) -> Story:
    manager = app.staff("manager")

    def enter(email: str) -> Any:
        fields = {"school": "Hillside School"}
        new = NewAccount(email, "Grace", "Hopper", fields, contributed={"guardian_name": "Max"})

        def rule(work: Work) -> None:
            try:
                entering.enter_candidates(work, [new], invite=True)
            except IntegrityError:
                raise Invalid from None

        return as_staff(app, manager, rule)

    return Story(
        act=enter(EMAIL),
        refused=enter(manager.email),
        expected=lambda: {
            "kind": "candidate",
            "contributed": {id_of(app): {"guardian_name": "Max"}},
        },
    )


@story(IdentitiesVouched)
def staff_vouch_for_an_identity(app: Service) -> Story:
    manager, ada = app.staff("manager"), app.candidate(verification="not_submitted")
    rejected = app.candidate(verification="rejected")

    def vouch(person: Person) -> Any:
        return as_staff(
            app, manager, lambda work: accounts.vouch(work, [work.db.get_one(User, person.id)])
        )

    return Story(
        act=vouch(ada),
        refused=vouch(rejected),
        expected=lambda: {"user_ids": [ada.id], "pending": []},
    )


@story(CandidateRowsChecked)
def rows_of_candidates_are_checked(app: Service) -> Story:
    manager = app.staff("manager")
    row = import_row(first_name="Grace", last_name="Hopper", school="Hillside School")

    def rule(work: Work) -> None:
        list(candidates.check(work, Asked(1, None, frozenset()), []))

    return Story(
        act=as_staff(app, manager, rule),
        refused=lambda: row.reject("email", "x"),
        expected=lambda: {"rows": []},
        times=2,
    )


@story(QuestionsForExam)
def questions_are_to_be_imported_into_an_exam(app: Service) -> Story:
    admin, moderator = app.staff("admin"), app.staff("moderator")
    exam_id = make_exam(app, admin)
    asked = Asked(1, exam_id, frozenset())
    return Story(
        act=as_staff(app, admin, importing.admit, asked),
        refused=as_staff(app, moderator, importing.admit, asked),
        expected=lambda: {
            "exam_id": exam_id,
            "locks": False,
            "is_known": True,
            "linked": sorted(_ids_of_questions(app, exam_id)),
        },
        times=2,
    )


def _ids_of_questions(app: Service, exam_id: int) -> list[int]:
    with begin(app.runtime) as work:
        return [
            *work.db.scalars(
                select(ExamQuestion.question_id).where(ExamQuestion.exam_id == exam_id)
            )
        ]


@story(QuestionsImported)
def questions_are_imported_into_an_exam(app: Service) -> Story:
    admin = app.staff("admin")
    exam_id = make_exam(app, admin)
    [question_id] = make_questions(app, "A")
    row = Row(Line(2, {}), {}, "changed", found=question_id)
    asked = Asked(1, exam_id, frozenset())
    return Story(
        act=as_staff(app, admin, importing.apply, asked, [row]),
        refused=as_staff(app, admin, importing.apply, asked, []),
        expected=lambda: {"exam_id": exam_id, "question_ids": [question_id]},
        times=2,
    )


# --- Seasons


def open_season(boss: Person, name: str) -> Any:
    return boss.post("/seasons/", {"name": name}, status="any")


@story(SeasonOpened)
def a_season_is_opened(app: Service) -> Story:
    boss = app.staff("superadmin")
    [first] = boss.get("/seasons/").json["results"]

    def expected() -> dict[str, Any]:
        return {
            "season_id": boss.get("/seasons/").json["results"][0]["id"],
            "closed_id": first["id"],
        }

    return Story(
        act=lambda: open_season(boss, "The next year"),
        refused=lambda: open_season(boss, first["name"]),
        expected=expected,
    )


@story(SeasonUndone)
def the_opening_of_a_season_is_undone(app: Service) -> Story:
    boss = app.staff("superadmin")
    [first] = boss.get("/seasons/").json["results"]
    new = open_season(boss, "The next year").json
    return Story(
        act=lambda: boss.post("/seasons/undo/", {}, status="any"),
        refused=lambda: boss.post("/seasons/undo/", {"season": new["id"]}, status="any"),
        expected=lambda: {"season_id": first["id"], "undone_id": new["id"]},
    )


@story(CandidateJoined)
def a_candidate_joins_the_season(app: Service) -> Story:
    person = app.candidate()
    open_season(app.staff("superadmin"), "The next year")
    return Story(
        act=lambda: person.post("/seasons/join/", {"year": 9}, status="any"),
        refused=lambda: person.post("/seasons/join/", {"year": 99}, status="any"),
        expected=lambda: {"user_id": person.id, "contributed": {}},
    )


# --- All events

EACH = pytest.mark.parametrize(("event", "create"), STORIES)


@EACH
def test_an_event_is_emitted_exactly_when_its_cause_happens(
    app: Service, event: type, create: Callable[[Service], Story]
) -> None:
    story = create(app)
    heard: list[Any] = []
    app.subscribe(event, lambda each: heard.append(fields(each)))
    before = counted(app, event)
    outcome(story.refused)
    assert heard == [] and counted(app, event) == before
    assert outcome(story.act) is None
    assert heard == [story.expected()]
    outcome(story.act)
    assert len(heard) == story.times
    assert counted(app, event) == before + story.times


@EACH
def test_an_error_of_a_subscriber_is_returned_and_rolls_back(
    app: Service, event: type, create: Callable[[Service], Story]
) -> None:
    story = create(app)
    outcome(story.refused)
    heard: list[Any] = []

    def refuse(each: Any) -> None:
        heard.append(each)
        if len(heard) == 1:
            raise ThrottleExceeded

    app.subscribe(event, refuse)
    before, count = stored(app), counted(app, event)
    assert outcome(story.act) == ThrottleExceeded.code
    assert (stored(app), counted(app, event)) == (before, count)
    assert outcome(story.act) is None
    assert (len(heard), counted(app, event)) == (2, count + 1)


def test_every_event_is_tested() -> None:
    package = Path(competition.__file__).parent
    modules = [
        importlib.import_module(".".join(("competition", *path.parts)).removesuffix(".py"))
        for path in (each.relative_to(package) for each in package.rglob("events.py"))
    ]
    events = {
        each
        for module in modules
        for each in vars(module).values()
        if getattr(each, "__module__", "") == module.__name__ and dataclasses.is_dataclass(each)
    }
    assert {param.values[0] for param in STORIES} == events
