from datetime import datetime
from typing import TypedDict

from competition.plugins.exams.models import Exam, PaperQuestion, Stage


class ExamPaper(TypedDict):
    """What a candidate works on. `server_time` lets a client correct its own clock; after
    `deadline` there is a grace for the way, not for thinking."""

    id: int
    title: str
    stage: Stage
    round: int
    stage_display: str
    description: str
    open_duration_hours: int
    scheduled_date: datetime | None
    countdown_minutes: int
    question_count: int
    questions: list[PaperQuestion]
    server_time: datetime
    started_at: datetime
    deadline: datetime
    seconds_remaining: int


class Message(TypedDict):
    message: str


def paper(
    exam: Exam,
    questions: list[PaperQuestion],
    started_at: datetime,
    deadline: datetime,
    now: datetime,
) -> ExamPaper:
    return ExamPaper(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        round=exam.round,
        stage_display=exam.stage_display,
        description=exam.description,
        open_duration_hours=exam.open_duration_hours,
        scheduled_date=exam.scheduled_date,
        countdown_minutes=exam.countdown_minutes,
        question_count=len(questions),
        questions=questions,
        server_time=now,
        started_at=started_at,
        deadline=deadline,
        seconds_remaining=max(0, int((deadline - now).total_seconds())),
    )
