from datetime import datetime
from typing import TypedDict

from competition.plugins.exams.models import Exam, Paper
from competition.plugins.exams.presenters import ExamHead, exam_head
from competition.plugins.questions.presenters import PaperQuestion
from competition.plugins.sittings.models import UNANSWERED, Submission


class OpenExam(ExamHead):
    """An exam that is on, as a candidate sees it."""

    description: str
    open_duration_hours: int
    scheduled_date: datetime | None
    countdown_minutes: int
    question_count: int


class ExamPaper(OpenExam):
    """What a candidate works on. `server_time` lets a client correct its own clock; after
    `deadline` answers are still accepted for a short grace period."""

    questions: list[PaperQuestion]
    server_time: datetime
    started_at: datetime
    deadline: datetime
    seconds_remaining: int


class Message(TypedDict):
    message: str


class AskedQuestion(TypedDict):
    """A question of the paper, as it is shown beside an answer to it."""

    question_id: int
    question_text: str
    option_a: str
    option_b: str
    option_c: str
    option_d: str


class TakenAnswer(AskedQuestion):
    """A question and what was answered. `selected_option` is empty for one left unanswered."""

    selected_option: str
    answered_at: datetime


def open_exam(exam: Exam, question_count: int) -> OpenExam:
    return OpenExam(
        **exam_head(exam),
        description=exam.description,
        open_duration_hours=exam.open_duration_hours,
        scheduled_date=exam.scheduled_date,
        countdown_minutes=exam.countdown_minutes,
        question_count=question_count,
    )


def paper(
    exam: Exam,
    questions: list[PaperQuestion],
    started_at: datetime,
    deadline: datetime,
    now: datetime,
) -> ExamPaper:
    return ExamPaper(
        **open_exam(exam, len(questions)),
        questions=questions,
        server_time=now,
        started_at=started_at,
        deadline=deadline,
        seconds_remaining=max(0, int((deadline - now).total_seconds())),
    )


def asked_question(question: PaperQuestion) -> AskedQuestion:
    return AskedQuestion(
        question_id=question["id"],
        question_text=question["text"],
        option_a=question["option_a"],
        option_b=question["option_b"],
        option_c=question["option_c"],
        option_d=question["option_d"],
    )


def taken_answers(submission: Submission, paper: Paper) -> list[TakenAnswer]:
    """Every question of the paper with its answer, in the order of the paper."""
    return [
        TakenAnswer(
            **asked_question(question),
            selected_option=selected_option(answer),
            answered_at=submission.submitted_at,
        )
        for question, answer in zip(paper.questions, submission.answers, strict=True)
    ]


def selected_option(answer: str) -> str:
    """The option of an answer as it is stored; empty for a question left unanswered."""
    return "" if answer == UNANSWERED else answer
