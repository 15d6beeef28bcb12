from typing import NotRequired

from competition.core.errors import ApiError, ErrorBody
from competition.core.messages import Message
from competition.plugins.exams.services.eligibility import Reason


class NotEligibleBody(ErrorBody):
    reason: NotRequired[Reason]


NOT_JOINED = Message(
    "You have not joined this season yet. Say on your home page that you are taking part again."
)


class ExamNotEligible(ApiError):
    status = 403
    code = "exam_not_eligible"
    advice = "Offer only the exams in the candidate's list of exams."
    detail = Message("This exam is for candidates of another stage.")
    shape = NotEligibleBody

    def __init__(self, reason: Reason = "stage") -> None:
        self.reason: Reason = reason
        super().__init__(NOT_JOINED if reason == "season_not_joined" else None)

    @property
    def body(self) -> NotEligibleBody:
        return NotEligibleBody(**super().body, reason=self.reason)


class ExamNotStarted(ApiError):
    status = 400
    code = "exam_not_started"
    advice = "Read the paper first, which starts the exam."
    detail = Message("You have not started this exam. Open the paper first.")


class ExamAlreadySubmitted(ApiError):
    status = 400
    code = "exam_already_submitted"
    advice = "Show the stored submission. Don't send answers again."
    detail = Message("You have already submitted your answers to this exam.")
