"""A question during an exam with a public answer, and an announcement."""

from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import DemoError
from tools.demo.exams import Exam

QUESTION = "May the numbers in this question be equal?"
ANSWER = "In question 1, the numbers may be equal."
ANNOUNCEMENT = "Please write your name on your notes before you leave."


def ask(candidate: Candidate, exam: Exam) -> int:
    """Ask about the first question of the paper, and return the id of the clarification."""
    [first, *_] = exam.problems
    body = {"question": first, "text": QUESTION}
    return int(candidate.client.post(f"/exams/{exam.id}/clarifications/", body)["id"])


def answer(moderator: Client, exam: Exam, clarification_id: int) -> None:
    """Answer the question for all candidates. Raises DemoError if it is not listed as open."""
    pages = moderator.pages("/clarifications/")
    found = [each["id"] for page in pages for each in page["results"] if each["exam"] == exam.id]
    if found != [clarification_id]:
        raise DemoError(f"The open questions of exam {exam.id} are {found}.")
    body = {"answer": ANSWER, "public": True}
    moderator.post(f"/clarifications/{clarification_id}/answer/", body)


def announce(moderator: Client, exam: Exam) -> None:
    moderator.post(f"/exams/{exam.id}/announcements/", {"text": ANNOUNCEMENT})


def check_delivered(candidate: Candidate, exam: Exam, asker: Candidate) -> None:
    """Check that the candidate sees the answer and the announcement. The candidate must see the
    question only if they have asked it. Raises DemoError otherwise.
    """
    clock = candidate.client.get(f"/exams/{exam.id}/time/")
    [asked] = candidate.client.get(f"/exams/{exam.id}/clarifications/")["results"]
    [made] = candidate.client.get(f"/exams/{exam.id}/announcements/")["results"]
    shown = (clock["messages"], asked["answer"], asked["text"], made["text"])
    question = QUESTION if candidate is asker else None
    if shown != (2, ANSWER, question, ANNOUNCEMENT):
        raise DemoError(f"{candidate.full_name} sees {shown} in exam {exam.id}.")
