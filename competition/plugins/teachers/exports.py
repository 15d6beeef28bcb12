"""The export of the results of a teacher's pupils."""

from competition.core.exports import Table
from competition.core.lists import Query
from competition.core.users import affiliations
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.teachers.services import exams
from competition.plugins.teachers.services.pupils import BY_NAME, FULL_NAME

PUPIL = (Candidate.id.label("user_id"), FULL_NAME.label("full_name"))


def results(work: Work, query: Query, exam_id: int) -> Table:
    """Export the scores of the pupils of your school in an exam, by name.

    `rank` is empty until the leaderboard is published. The status is 403 until nobody can submit
    the exam any longer and candidates can see their scores.
    """
    school, exam = exams.shown(work, exam_id)
    then = affiliations.of_exam(exam)
    columns = (*PUPIL, then.year.label("year"), then.group.label("group"))
    return Table(
        exams.scores(work, school, exam, *columns),
        order=BY_NAME,
        subject=f"exam {exam_id}",
    )
