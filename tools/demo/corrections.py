"""A wrong answer key: the alarm of the analysis, an appeal, and the regrade."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tools.demo import exams
from tools.demo.ability import answer_sheet
from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import DemoError
from tools.demo.exams import Exam
from tools.demo.problems import Problem
from tools.demo.ranking import Result

APPEAL = "I have checked it again. Another option is right."
DOUBT = "Two of the options seem right to me. Could you please look at this question again?"
ANSWER = "You are right. The key was wrong, and all scores are corrected."


@dataclass(frozen=True)
class Correction:
    """A wrong answer key and its correction. `effect` is the effect that the regrade's preview
    shows.
    """

    problem: Problem
    key: str
    suspected: Mapping[str, Any]
    effect: Mapping[str, Any]
    answer: str


def suspect(admin: Client, exam: Exam) -> Mapping[str, Any]:
    """The analysis of the question with the wrong key. Raises DemoError if it has no alarm."""
    [wrong] = exam.wrong_keys
    analysis = admin.get(f"/exams/{exam.id}/analysis/")
    [found] = [each for each in analysis["questions"] if each["question"] == wrong]
    if "key_suspected" not in found["alarms"]:
        raise DemoError(f"The analysis of exam {exam.id} does not suspect the key of {wrong}.")
    return dict(found)


def wronged(candidates: Sequence[Candidate], exam: Exam) -> Candidate:
    """A candidate whose right answer did not count."""
    [wrong] = exam.wrong_keys
    problem = exam.problems[wrong]
    return next(
        candidate
        for candidate in candidates
        if answer_sheet(candidate.mind, [problem]) == [problem.correct]
    )


def appeal(candidate: Candidate, exam: Exam) -> int:
    """Appeal against the question with the wrong key, and return the appeal's id."""
    [wrong] = exam.wrong_keys
    made = candidate.client.post(f"/exams/{exam.id}/appeals/", {"question": wrong, "text": APPEAL})
    return int(made["id"])


def doubt(candidate: Candidate, exam: Exam) -> None:
    """Appeal against the first question of the paper."""
    [first, *_] = exam.problems
    candidate.client.post(f"/exams/{exam.id}/appeals/", {"question": first, "text": DOUBT})


def preview(admin: Client, exam: Exam) -> Mapping[str, Any]:
    """Create the preview of a regrade that accepts the right answers."""
    changes = [
        {"question": question_id, "accept": [exam.problems[question_id].correct]}
        for question_id in exam.wrong_keys
    ]
    body = {"changes": changes, "reason": "The key of a question was wrong."}
    return dict(admin.post(f"/exams/{exam.id}/regrades/", body))


def apply(admin: Client, exam: Exam, regrade: Mapping[str, Any]) -> Exam:
    """Apply the regrade, and return the exam with the right keys."""
    admin.post(f"/exams/{exam.id}/regrades/{regrade['id']}/apply/")
    return replace(exam, wrong_keys={})


def answer(admin: Client, appeal_id: int, regrade: Mapping[str, Any]) -> None:
    body = {"answer": ANSWER, "status": "accepted", "regrade": regrade["id"]}
    admin.post(f"/appeals/{appeal_id}/answer/", body)


def read_answer(candidate: Candidate, exam: Exam) -> str:
    """The answer to the candidate's appeal. Raises DemoError if it was not accepted."""
    [own] = candidate.client.get(f"/exams/{exam.id}/appeals/")["results"]
    if own["status"] != "accepted":
        raise DemoError(f"The appeal of {candidate.full_name} is {own['status']}.")
    return str(own["answer"])


def corrected(
    results: Sequence[Result], candidates: Sequence[Candidate], exam: Exam
) -> list[Result]:
    """The results with the candidates' new scores. Scores that were given by hand do not change."""
    by_id = {candidate.id: candidate for candidate in candidates}
    return [
        replace(result, score=exams.worth(by_id[result.user_id], exam))
        if result.user_id in by_id
        else result
        for result in results
    ]


def check_effect(
    regrade: Mapping[str, Any], before: Sequence[Result], after: Sequence[Result]
) -> None:
    """Check that the preview has counted the changes correctly. Raises DemoError if it has not."""
    pairs = list(zip(before, after, strict=True))
    expected = {
        "up": sum(new.score > old.score for old, new in pairs),
        "down": sum(new.score < old.score for old, new in pairs),
    }
    for name, count in expected.items():
        if regrade["effect"][name] != count:
            raise DemoError(f"Wrong {name} of the preview: {regrade['effect'][name]}, not {count}.")
