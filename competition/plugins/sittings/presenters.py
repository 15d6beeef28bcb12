from datetime import datetime, timedelta
from typing import Annotated, Any, NotRequired, TypedDict

from sqlalchemy import Row

from competition.core.messages import Language, Message
from competition.core.slots import Contributed, spread
from competition.core.users.affected import Affected
from competition.core.work import Work
from competition.plugins.exams.models import Exam, ExamStatus, FrozenPaper, status_of
from competition.plugins.exams.presenters.exams import ExamHead, exam_head
from competition.plugins.questions.presenters import (
    PaperQuestion,
    RenderedTexts,
    rendered_texts,
)
from competition.plugins.sittings.models import (
    UNANSWERED,
    AttemptTime,
    Clock,
    HandedInBy,
    Submission,
)
from competition.plugins.sittings.offered_slots import PAPER, SUBMISSION, TIME

MINUTE = timedelta(minutes=1)


class OpenExam(ExamHead):
    """An exam, as candidates see it."""

    description: str
    open_duration_hours: int
    scheduled_date: datetime | None
    countdown_minutes: int
    question_count: int


class ExamClock(TypedDict):
    """When an exam opens and closes, and the caller's extra time. `server_time` lets a client
    correct its own clock."""

    server_time: datetime
    status: ExamStatus
    opens_at: datetime | None
    closes_at: datetime | None
    extra_minutes: int
    submitted: bool


class ExamTime(ExamClock):
    """The caller's clock in an exam. `started_at`, `deadline`, `hand_in_until` and
    `seconds_remaining` are null until the caller has started."""

    sealed: bool
    started_at: datetime | None
    deadline: datetime | None
    hand_in_until: datetime | None
    seconds_remaining: int | None
    contributed: NotRequired[Annotated[Contributed, TIME]]


class ExamPaper(OpenExam, ExamClock):
    """The paper of an exam, with the candidate's clock. After `deadline`, answers are accepted
    during a short grace period, until `hand_in_until`."""

    questions: list[PaperQuestion]
    started_at: datetime
    deadline: datetime
    hand_in_until: datetime
    seconds_remaining: int
    contributed: NotRequired[Annotated[Contributed, PAPER]]


class Submitted(TypedDict):
    message: str
    contributed: NotRequired[Annotated[Contributed, SUBMISSION]]


class AskedQuestion(RenderedTexts):
    """A question of the paper, as it is shown next to an answer."""

    question_id: int
    question_text: str
    option_a: str
    option_b: str
    option_c: str
    option_d: str


class TakenAnswer(AskedQuestion):
    """A question and the candidate's answer. `selected_option` is empty if there is none."""

    selected_option: str
    answered_at: datetime


class SubmittedAnswers(TypedDict):
    """The caller's answers. If the service submitted them, `submitted_at` is the deadline."""

    exam: int
    submitted_at: datetime
    handed_in_by: HandedInBy
    answers: list[TakenAnswer]


class RunningExam(TypedDict):
    """An exam that a candidate is taking, with the candidate's deadline."""

    id: int
    title: str
    deadline: datetime


class ConclusionPreview(Affected):
    """The candidates who are taking an exam. If it is concluded now, they can submit until
    `hand_in_until`, or until the end of their own grace period, if that is earlier. The candidates
    who have not started, and still can, miss the exam; `not_started` is their number."""

    not_started: int
    hand_in_until: datetime


def open_exam(exam: Exam | Row[Any], question_count: int) -> OpenExam:
    return OpenExam(
        **exam_head(exam),
        description=exam.description,
        open_duration_hours=exam.open_duration_hours,
        scheduled_date=exam.scheduled_date,
        countdown_minutes=exam.countdown_minutes,
        question_count=question_count,
    )


def exam_clock(clock: Clock) -> ExamClock:
    return ExamClock(
        server_time=clock.now,
        status=status_of(clock.exam, clock.now),
        opens_at=clock.exam.scheduled_date,
        closes_at=clock.exam.closes_at,
        extra_minutes=whole_minutes(clock.extra),
        submitted=clock.is_submitted,
    )


def exam_time(work: Work, clock: Clock) -> ExamTime:
    attempt = clock.attempt
    [fields] = TIME.load(work, [clock.exam.id])
    return spread(
        ExamTime(
            **exam_clock(clock),
            sealed=clock.exam.sealed_at is not None,
            started_at=attempt.started_at if attempt else None,
            deadline=attempt.deadline if attempt else None,
            hand_in_until=attempt.hand_in_until if attempt else None,
            seconds_remaining=seconds_remaining(attempt.deadline, clock.now) if attempt else None,
            contributed=fields,
        )
    )


def paper(
    work: Work, clock: Clock, attempt: AttemptTime, paper: FrozenPaper, language: Language | None
) -> ExamPaper:
    """The paper, with `spoken` in this language, or in English if `language` is None."""
    [fields] = PAPER.load(work, [clock.exam.id])
    return spread(
        ExamPaper(
            **open_exam(clock.exam, len(paper.questions)),
            **exam_clock(clock),
            questions=paper.written_in(language),  # type: ignore[typeddict-item]  # as JSON
            started_at=attempt.started_at,
            deadline=attempt.deadline,
            hand_in_until=attempt.hand_in_until,
            seconds_remaining=seconds_remaining(attempt.deadline, clock.now),
            contributed=fields,
        )
    )


def seconds_remaining(deadline: datetime, now: datetime) -> int:
    """The time left until the deadline in whole seconds, 0 after it."""
    return max(0, int((deadline - now).total_seconds()))


def whole_minutes(extra: timedelta) -> int:
    """The extra time in minutes, rounded up."""
    return -(-extra // MINUTE)


def submitted(work: Work, exam_id: int) -> Submitted:
    [fields] = SUBMISSION.load(work, [(exam_id, work.identity.user_id)])
    return spread(
        Submitted(message=Message("Your answers have been submitted."), contributed=fields)
    )


def asked_question(question: PaperQuestion) -> AskedQuestion:
    return AskedQuestion(
        question_id=question["id"],
        question_text=question["text"],
        option_a=question["option_a"],
        option_b=question["option_b"],
        option_c=question["option_c"],
        option_d=question["option_d"],
        **rendered_texts(question),
    )


def taken_answers(
    submission: Submission, paper: FrozenPaper, language: Language | None = None
) -> list[TakenAnswer]:
    """Every question of the paper with its answer, in the order of the paper, and with `spoken` in
    this language."""
    return [
        TakenAnswer(
            **asked_question(question),
            selected_option=selected_option(answer),
            answered_at=submission.submitted_at,
        )
        for question, answer in zip(paper.questions_in(language), submission.answers, strict=True)
    ]


def submitted_answers(
    submission: Submission, paper: FrozenPaper, language: Language | None
) -> SubmittedAnswers:
    return SubmittedAnswers(
        exam=submission.exam_id,
        submitted_at=submission.submitted_at,
        handed_in_by=submission.handed_in_by,
        answers=taken_answers(submission, paper, language),
    )


def selected_option(answer: str) -> str:
    """The option of a stored answer; an empty string if the question was left unanswered."""
    return "" if answer == UNANSWERED else answer
