"""The exports of an exam's results, and of an empty sheet for answers from paper."""

from sqlalchemy import and_, case, or_, select

from competition.core.exports import Table
from competition.core.lists import Query
from competition.core.users import affiliations
from competition.core.users.columns import BY_NAME
from competition.core.users.models import USERS, Candidate
from competition.core.work import Work
from competition.plugins.exams.services import eligibility, papers, rows
from competition.plugins.exams.services.questions import in_order
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters.scores import AUTOMATIC
from competition.plugins.sittings.models import ATTEMPTS, SUBMISSIONS

SCORES = Score.metadata.tables["score"]
RECORDERS = USERS.alias("recorder")
RESULT = (
    SCORES.c.value.label("score"),
    SCORES.c.is_auto.label("auto_score"),
    case(
        (SCORES.c.is_auto, AUTOMATIC), else_=RECORDERS.c.first_name + " " + RECORDERS.c.last_name
    ).label("score_submitted_by"),
    ATTEMPTS.c.started_at,
    SUBMISSIONS.c.submitted_at,
    SUBMISSIONS.c.handed_in_by,
)


def results(work: Work, query: Query, exam_id: int) -> Table:
    """Export the results of an exam, the highest score first.

    The file has a line for each candidate who has started the exam or has a score. With `absent`,
    it has the candidates who can take the exam but have not started it, and have no score. If the
    season of the exam is closed, these are the candidates who could take it at the season's end.
    """
    exam = rows.get(work, exam_id)
    then = affiliations.of_exam(exam)
    found = then.join(select(*then.candidate, *RESULT).select_from(USERS))
    for each in (ATTEMPTS, SUBMISSIONS, SCORES):
        is_of_exam = and_(each.c.exam_id == exam_id, each.c.candidate_id == USERS.c.id)
        found = found.outerjoin(each, is_of_exam)
    found = found.outerjoin(RECORDERS, RECORDERS.c.id == SCORES.c.recorded_by_id)
    took_part = or_(ATTEMPTS.c.exam_id.is_not(None), SCORES.c.exam_id.is_not(None))
    did_not_come = and_(eligibility.could_take(exam, Candidate), ~took_part)
    wanted = did_not_come if query["absent"] else took_part
    return Table(
        found.where(USERS.c.kind == "candidate", wanted),
        order=(SCORES.c.value.desc().nulls_last(), *BY_NAME),
        subject=f"exam {exam_id}",
    )


def answer_sheet(work: Work, query: Query, exam_id: int) -> Table:
    """Export an empty sheet for the answers of candidates who sat an exam on paper, by their names.

    The file has a line for each candidate who can take the exam or has started it, and has not
    submitted. It has an empty column for each question, which is named by its position in the
    paper. Fill in the letters, and import the file as `answers`. A line without any answer changes
    nothing.
    """
    exam = rows.get(work, exam_id)
    is_of_exam = [
        and_(each.c.exam_id == exam_id, each.c.candidate_id == USERS.c.id)
        for each in (ATTEMPTS, SUBMISSIONS)
    ]
    can_take_it = or_(ATTEMPTS.c.exam_id.is_not(None), eligibility.is_eligible(exam, Candidate))
    questions = in_order(work, exam_id, papers.frozen(work, exam_id))
    then = affiliations.of_exam(exam)
    columns = then.candidate
    return Table(
        then.join(select(*columns).select_from(USERS))
        .outerjoin(ATTEMPTS, is_of_exam[0])
        .outerjoin(SUBMISSIONS, is_of_exam[1])
        .where(USERS.c.kind == "candidate", SUBMISSIONS.c.exam_id.is_(None), can_take_it),
        order=BY_NAME,
        subject=f"exam {exam_id}",
        header=[
            *(each.name for each in columns),
            *(str(place) for place, _ in enumerate(questions, start=1)),
        ],
        cells=lambda row: (*row[: len(columns)], *("" for _ in questions)),
    )
