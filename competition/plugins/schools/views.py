from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import Invalid, NotFound, PermissionDenied
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams.models import STAGES
from competition.plugins.leaderboard.errors import LeaderboardHidden, LeaderboardNotPublished
from competition.plugins.schools import presenters, schemas
from competition.plugins.schools.models import School
from competition.plugins.schools.services import boards, editing, reading

ADMIN = staff(StaffRole.ADMIN)
MODERATOR = staff(StaffRole.MODERATOR)

schools = Service("/schools/")
school = Service("/schools/{school_id:int}/")
school_merge = Service("/schools/{school_id:int}/merge/")
school_merge_preview = Service("/schools/{school_id:int}/merge/preview/")
school_alias = Service("/schools/{school_id:int}/aliases/{alias_id:int}/")
school_board = Service(
    "/leaderboard/{stage}/{round}/schools/",
    schemas={
        "stage": {
            "type": "string",
            "enum": [*STAGES],
            "description": "The stage. The status is 400 for an unknown value.",
        },
        "round": {"type": "integer", "minimum": 1},
    },
)


@schools.get(access=MODERATOR, query=schemas.SchoolFilters, limit="schools.reading")
def list_schools(request: Request) -> presenters.SchoolList:
    """List the schools by name, with the numbers of their candidates."""
    page = reading.page_of_schools(request.work, request.validated)
    numbers = reading.numbers(request.work, [each.key for each in page.items])
    return presenters.school_list(request.work, page, numbers, request.public_url)


def _shown(request: Request, found: School) -> presenters.School:
    numbers = reading.numbers(request.work, [found.key])
    return presenters.school(request.work, found, numbers)


@schools.post(access=ADMIN, status=201, body=schemas.NewSchool)
def add_school(request: Request) -> presenters.School:
    """Add a school. The status is 400 if another school has this name or code, also as an alias."""
    found = editing.add(request.work, request.validated)
    return _shown(request, found)


@school.get(access=MODERATOR, limit="schools.reading")
def get_school(request: Request, school_id: int) -> presenters.School:
    """Get a school, with its other names and the numbers of its candidates."""
    return _shown(request, reading.one(request.work, school_id))


@school.patch(access=ADMIN, body=schemas.SchoolChanges, guard=editing.locked)
def change_school(request: Request, school_id: int) -> presenters.School:
    """Change a school. Its candidates get the new name, and the old name becomes an alias."""
    found = editing.change(request.work, request.target, request.validated)
    return _shown(request, found)


@school.delete(access=ADMIN, status=204, guard=editing.locked, errors=(Invalid,))
def delete_school(request: Request, school_id: int) -> None:
    """Delete a school that has neither candidates nor teachers, with its aliases."""
    editing.delete(request.work, request.target)


@school_merge.post(
    access=ADMIN, body=schemas.MergeOrder, guard=editing.locked, errors=(PermissionDenied,)
)
def merge_schools(request: Request, school_id: int) -> presenters.School:
    """Merge other schools, and other ways to write the school's name, into a school.

    Their names become aliases, and their candidates and teachers become those of this school. For
    candidates this is no change of school. If a teacher may get further candidates, only managers
    can merge the schools.
    """
    order = request.validated
    found = editing.merge(request.work, request.target, order["names"], order["reason"])
    return _shown(request, found)


@school_merge_preview.post(access=ADMIN, body=schemas.MergePreviewOrder, guard=editing.locked)
def preview_merge(request: Request, school_id: int) -> presenters.SchoolMerge:
    """Preview how many candidates, teachers and allowances a merge would move. Nothing is
    changed."""
    return editing.preview(request.work, request.target, request.validated["names"])


@school_alias.delete(access=ADMIN, status=204, guard=editing.locked)
def delete_school_alias(request: Request, school_id: int, alias_id: int) -> None:
    """Delete another name of a school. Candidates who had chosen it stay candidates of the
    school."""
    editing.delete_alias(request.work, request.target, alias_id)


@school_board.get(
    access=candidate() | MODERATOR,
    query=schemas.SchoolBoardQuery,
    errors=(LeaderboardHidden, LeaderboardNotPublished, NotFound, PermissionDenied),
    polled=True,
)
def read_school_leaderboard(
    request: Request, stage: str, round: str
) -> presenters.SchoolLeaderboard:
    """Read the published leaderboard of schools of a stage and round.

    The score of a school is the sum of the scores of its best candidates. `rule` says how many
    count. Schools with equal scores share a rank. The leaderboard is published together with that
    of the candidates, and does not change until the next publication.
    """
    page = boards.page(request.work, stage, round, request.validated)
    return presenters.school_leaderboard(page, request.public_url)
