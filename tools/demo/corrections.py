"""A wrong key: what makes it suspected, who appeals, and how the scores are made right."""

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

APPEAL = "I have checked it again: another option is right."
ANSWER = "You are right. The key was wrong, and all scores are corrected."


@dataclass(frozen=True)
class Correction:
    """What was found wrong in a question, and what became of it; `effect` is the preview's."""

    problem: Problem
    key: str
    suspected: Mapping[str, Any]
    effect: Mapping[str, Any]
    answer: str


def suspect(admin: Client, exam: Exam) -> Mapping[str, Any]:
    """The question with the wrong key, as the analysis has it. Raises DemoError when it is not
    suspected."""
    [wrong] = exam.wrong_keys
    analysis = admin.get(f"/exams/{exam.id}/analysis/")
    [found] = [each for each in analysis["questions"] if each["question"] == wrong]
    if "key_suspected" not in found["alarms"]:
        raise DemoError(f"The analysis of exam {exam.id} does not suspect the key of {wrong}.")
    return dict(found)


def wronged(candidates: Sequence[Candidate], exam: Exam) -> Candidate:
    """Somebody whose right answer did not count."""
    [wrong] = exam.wrong_keys
    problem = exam.problems[wrong]
    return next(
        candidate
        for candidate in candidates
        if answer_sheet(candidate.mind, [problem]) == [problem.correct]
    )


def appeal(candidate: Candidate, exam: Exam) -> int:
    """Its id."""
    [wrong] = exam.wrong_keys
    made = candidate.client.post(f"/exams/{exam.id}/appeals/", {"question": wrong, "text": APPEAL})
    return int(made["id"])


def preview(admin: Client, exam: Exam) -> Mapping[str, Any]:
    """A regrade that is not applied yet."""
    changes = [
        {"question": question_id, "accept": [exam.problems[question_id].correct]}
        for question_id in exam.wrong_keys
    ]
    body = {"changes": changes, "reason": "The key of a question was wrong."}
    return dict(admin.post(f"/exams/{exam.id}/regrades/", body))


def apply(admin: Client, exam: Exam, regrade: Mapping[str, Any]) -> Exam:
    """The exam as it is from now on."""
    admin.post(f"/exams/{exam.id}/regrades/{regrade['id']}/apply/")
    return replace(exam, wrong_keys={})


def answer(admin: Client, appeal_id: int, regrade: Mapping[str, Any]) -> None:
    body = {"answer": ANSWER, "status": "accepted", "regrade": regrade["id"]}
    admin.post(f"/appeals/{appeal_id}/answer/", body)


def read_answer(candidate: Candidate, exam: Exam) -> str:
    """What the candidate was answered. Raises DemoError when it was not accepted."""
    [own] = candidate.client.get(f"/exams/{exam.id}/appeals/")["results"]
    if own["status"] != "accepted":
        raise DemoError(f"The appeal of {candidate.full_name} is {own['status']}.")
    return str(own["answer"])


def corrected(
    results: Sequence[Result], candidates: Sequence[Candidate], exam: Exam
) -> list[Result]:
    """The results with what the candidates' answers are worth by now; scores by hand stay."""
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
    """Raises DemoError when the preview counts other changes than there are."""
    pairs = list(zip(before, after, strict=True))
    expected = {
        "up": sum(new.score > old.score for old, new in pairs),
        "down": sum(new.score < old.score for old, new in pairs),
    }
    for name, count in expected.items():
        if regrade["effect"][name] != count:
            raise DemoError(f"Wrong {name} of the preview: {regrade['effect'][name]}, not {count}.")
