from competition.core.events import subscriber
from competition.plugins.exams.services import importing
from competition.plugins.questions.events import QuestionsForExam, QuestionsImported


@subscriber(QuestionsForExam)
def admit_questions(event: QuestionsForExam) -> None:
    event.linked |= importing.linked(event.work, event.exam_id, locks=event.locks)
    event.is_known = True


@subscriber(QuestionsImported)
def add_questions(event: QuestionsImported) -> None:
    importing.append(event.work, event.exam_id, event.question_ids)
