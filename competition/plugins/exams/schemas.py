from competition.core.choices import values_of
from competition.core.schemas import (
    LARGEST_ID,
    Boolean,
    Choice,
    Date,
    Integer,
    Nullable,
    Schema,
    Text,
    Timestamp,
    array,
    drop,
    node,
    partial,
)
from competition.core.seasons.schemas import season_filter
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.exams.models import (
    LONGEST_PAPER,
    ExamStatus,
    RankingPolicy,
    ScoresVisible,
    Stage,
)
from competition.plugins.exams.services.links import ORDERING as LINK_ORDERING
from competition.plugins.exams.services.planning import ORDERING
from competition.plugins.questions.services import ORDERING as QUESTION_ORDERING

MOST_AT_ONCE = 100
A_YEAR_IN_HOURS = 366 * 24


class NewExam(Schema):
    title = node(Text(1, 255))
    stage = node(Choice(Stage))
    round = node(Integer(1), missing=1)
    description = node(Text(0, 10_000, lines=True), missing="")
    scheduled_date = node(Nullable(Timestamp()), missing=None)
    countdown_minutes = node(Integer(1, A_YEAR_IN_HOURS * 60), missing=60)
    open_duration_hours = node(Integer(1, A_YEAR_IN_HOURS), missing=12)
    ranking = node(Choice(RankingPolicy), missing="standard")
    scores_visible = node(Nullable(Choice(ScoresVisible)), missing=None)
    is_active = node(Boolean(), missing=True)
    questions = array(node(Integer(1, LARGEST_ID)), LONGEST_PAPER, missing=())


ExamChanges = partial(NewExam, "ExamChanges")


class WholeExam(ExamChanges):  # type: ignore[misc, valid-type]  # made by a function
    """Body of PUT. `title` and `stage` are required; other fields left out stay as they are."""

    title = node(Text(1, 255))
    stage = node(Choice(Stage))


class ExamCopy(Schema):
    """Fields in which a copy differs. A title, stage or round that is left out is that of the
    original; without a date, the copy is a draft."""

    title = node(Text(1, 255), missing=drop)
    stage = node(Choice(Stage), missing=drop)
    round = node(Integer(1), missing=drop)
    scheduled_date = node(Nullable(Timestamp()), missing=None)


class ExamQuestionsQuery(ListQuery):
    ordering = ordered_by(QUESTION_ORDERING)
    search = searched("the text")


class ExamFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    stage = node(Choice(Stage), missing=None, description="Only exams of this stage.")
    active = node(Boolean(), missing=None, description="Only exams with this value of `is_active`.")
    status = node(
        Choice((*values_of(ExamStatus), "upcoming")),
        missing=None,
        description="Only exams with this status. `upcoming` is another name for `scheduled`.",
    )
    deleted = node(
        Boolean(),
        missing=False,
        description="True for the exams that were deleted after candidates had started them.",
    )
    search = searched("the title")
    date_from = node(
        Date(), missing=None, description="Only exams scheduled on this day or later, in UTC."
    )
    date_to = node(
        Date(), missing=None, description="Only exams scheduled on this day or earlier, in UTC."
    )
    season = season_filter()


class LinkChanges(Schema):
    add_to_exams = array(node(Integer(1, LARGEST_ID)), MOST_AT_ONCE, missing=())
    remove_from_exams = array(node(Integer(1, LARGEST_ID)), MOST_AT_ONCE, missing=())


class BulkAddition(Schema):
    question_ids = array(node(Integer(1, LARGEST_ID)), LONGEST_PAPER, shortest=1)
    exam_ids = array(node(Integer(1, LARGEST_ID)), MOST_AT_ONCE, shortest=1)


class QuestionExamFilters(ListQuery):
    ordering = ordered_by(LINK_ORDERING)
    search = searched("the exam's title")


EXAM_OF_QUESTIONS = node(
    Integer(1, LARGEST_ID),
    missing=None,
    name="exam",
    description="Only questions of this exam, in the order of its paper. Requires an admin.",
)
