"""Endpoints for managers about the teachers of a school."""

from uuid import UUID

from competition.core.auth.access import StaffRole, staff
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.teachers import presenters, schemas
from competition.plugins.teachers.services import linking

MANAGER = staff(StaffRole.MANAGER)

teachers = Service("/schools/{school_id:int}/teachers/")
teacher = Service("/schools/{school_id:int}/teachers/{user_id:uuid}/")


@teachers.get(
    access=MANAGER,
    query=schemas.TeacherFilters,
    guard=linking.school,
    limit="teachers.reading",
)
def list_teachers(request: Request, school_id: int) -> presenters.TeacherList:
    """List the teachers of a school, newest first."""
    page = linking.page_of_teachers(request.work, request.target, request.validated)
    return presenters.teacher_list(request.work, page, request.public_url)


@teachers.post(access=MANAGER, status=(201, 200), body=schemas.NewTeacher, guard=linking.school)
def add_teacher(request: Request, school_id: int) -> presenters.Teacher:
    """Make a person a teacher of a school. A person without an account is invited by email.

    This approves the person's identity on your word. Only volunteers can be teachers, and only of
    one school. The status is 200 if the person is a teacher of the school already.
    """
    link, is_new = linking.add(request.work, request.target, request.validated)
    if not is_new:
        request.response.status_int = 200
    return presenters.teacher(request.work, link)


@teacher.delete(access=MANAGER, status=204, guard=linking.school)
def remove_teacher(request: Request, school_id: int, user_id: UUID) -> None:
    """End the rights of a teacher at once. The account stays."""
    linking.remove(request.work, request.target, user_id)
