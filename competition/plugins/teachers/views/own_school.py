"""Endpoints for teachers about their own school. Other callers get 404."""

from uuid import UUID

from competition.core.auth.access import staff
from competition.core.errors import NotFound, PermissionDenied
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters as accounts
from competition.plugins.accounts.schemas import SlipOrder
from competition.plugins.accounts.services import slips
from competition.plugins.teachers import presenters, schemas
from competition.plugins.teachers.services import exams, importing, pupils, teachers

TEACHER = staff()

school = Service("/school/")
candidates = Service("/school/candidates/")
candidate = Service("/school/candidates/{user_id:uuid}/")
confirmation = Service("/school/candidates/{user_id:uuid}/confirm/")
school_slips = Service("/school/slips/")
school_exams = Service("/school/exams/")
school_exam = Service("/school/exams/{exam_id:int}/")
school_results = Service("/school/exams/{exam_id:int}/results/")


@school.get(access=TEACHER, guard=teachers.own_school, errors=(NotFound,), limit="teachers.reading")
def get_own_school(request: Request) -> presenters.OwnSchool:
    """Get the school whose teacher you are, with the numbers of its pupils."""
    return pupils.own_school(request.work, request.target)


@candidates.get(
    access=TEACHER,
    query=schemas.PupilFilters,
    guard=teachers.own_school,
    limit="teachers.reading",
)
def list_pupils(request: Request) -> presenters.PupilList:
    """List the pupils of your school, and candidates who have typed its name, by name.

    Without `state`, removed pupils and pupils who have not joined the current season are left out.
    """
    page = pupils.page_of_pupils(request.work, request.target, request.validated)
    return presenters.pupil_list(request.work, page, request.public_url)


@candidates.post(
    access=TEACHER,
    status=201,
    body=schemas.NewPupil,
    guard=teachers.own_school,
    errors=(NotFound,),
)
def add_pupil(request: Request) -> presenters.AddedPupil:
    """Enter a pupil, by the rules of an import of one row.

    A pupil without an email address gets a login. If the school already has a pupil with this
    number or address, the request changes that pupil. The reply has `warnings`, for example if the
    school has another pupil with these names, who may be the same person.
    """
    work, own = request.work, request.target
    values = {name: value for name, value in request.validated.items() if value not in (None, "")}
    user_id, warnings = importing.enter_one(work, own, values)
    return presenters.added(work, pupils.one(work, own, user_id), warnings)


@candidate.patch(access=TEACHER, body=schemas.PupilChanges, guard=teachers.own_school)
def change_pupil(request: Request, user_id: UUID) -> presenters.Pupil:
    """Change a pupil of your school.

    Names can be changed if the school has entered the pupil, until the pupil has started an exam.
    The year can be changed until the pupil has started an exam of the current season. The group and
    the number can be changed at any time.
    """
    row = pupils.change(request.work, request.target, user_id, request.validated)
    return presenters.pupil(request.work, row)


@candidate.delete(access=TEACHER, status=204, guard=teachers.own_school)
def remove_pupil(request: Request, user_id: UUID) -> None:
    """Take a pupil off the list of your school. The account stays."""
    pupils.remove(request.work, request.target, user_id)


@confirmation.post(access=TEACHER, body=schemas.Confirmation, guard=teachers.own_school)
def confirm_pupil(request: Request, user_id: UUID) -> presenters.ConfirmedPupil:
    """Say whether a candidate who has typed the name of your school is a pupil of it.

    `true` approves the school and, by default, the identity of the candidate. It also takes a
    removed pupil back. `false` takes the candidate off the list, and the managers' dashboard shows
    that the candidate was refused. The reply has `warnings` if the school has another pupil with
    these names, who may be the same person.
    """
    work, own, is_ours = request.work, request.target, request.validated["is_ours"]
    state = pupils.confirm(work, own, user_id, is_ours)
    warnings = importing.namesakes(work, own, user_id, is_new=False) if is_ours else []
    return presenters.ConfirmedPupil(state=state, warnings=warnings)


@school_slips.post(
    access=TEACHER,
    body=SlipOrder,
    guard=teachers.own_school,
    errors=(NotFound,),
    hashes_password=True,
)
def issue_slips_of_school(request: Request) -> accounts.SchoolSlips:
    """Get the login slips of pupils without email, by group and name.

    A pupil without a code gets one, which you see only in this reply. With `renew`, pupils who have
    a code get a new one, and their sessions end. With `unused`, pupils who have signed in get none.
    """
    order, own = request.validated, request.target
    found = slips.issue(
        request.work,
        order["candidates"],
        renew=order["renew"],
        unused=order.get("unused", False),
        subject=teachers.subject(own),
        among=pupils.is_own(own),
    )
    return accounts.slips_of_school(found)


@school_exams.get(
    access=TEACHER,
    query=schemas.ExamFilters,
    guard=teachers.own_school,
    limit="teachers.reading",
)
def list_exams_of_school(request: Request) -> presenters.SchoolExamList:
    """List the exams that pupils of your school can take or have started, the latest first.

    In a closed season, these are the exams that pupils could take at its end or have started.
    """
    page = exams.page_of_exams(request.work, request.target, request.validated)
    return presenters.exam_list(request.work, page, request.public_url)


@school_exam.get(
    access=TEACHER, query=schemas.SittingFilters, guard=exams.shown, limit="teachers.reading"
)
def list_pupils_in_exam(request: Request, exam_id: int) -> presenters.PupilInExamList:
    """List the pupils of your school in an exam, by name: who has started, and who has
    submitted."""
    own, exam = request.target
    page = exams.page_of_states(request.work, own, exam, request.validated)
    return presenters.sitting_list(page, request.public_url)


@school_results.get(
    access=TEACHER,
    query=schemas.ResultFilters,
    guard=exams.shown,
    errors=(PermissionDenied,),
    limit="teachers.reading",
)
def list_results_of_school(request: Request, exam_id: int) -> presenters.PupilResultList:
    """List the scores of the pupils of your school in an exam, by name, with their average.

    In an exam of a closed season, the pupils are those of today, with the year and group of that
    season. The average is that of the pupils whom your school had at its end. The status is 403
    until nobody can submit the exam any longer and candidates can see their scores.
    """
    own, exam = request.target
    page, average = exams.results(request.work, own, exam, request.validated)
    return presenters.result_list(page, average, request.public_url)
