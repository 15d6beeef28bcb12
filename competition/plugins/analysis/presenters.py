import csv
import io
from collections.abc import Mapping
from typing import Any, TypedDict

from competition.core.rounding import rounded
from competition.plugins.analysis.models import Alarm, Analysis, Item, Option
from competition.plugins.questions.models import Difficulty
from competition.plugins.questions.presenters import RenderedTexts, rendered_texts
from competition.plugins.sittings.models import UNANSWERED

# A spreadsheet treats text that begins with one of these characters as a formula. The last four are
# the full-width forms of the first four. Some spreadsheets treat both forms alike.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")

# The columns about a question in the CSV table.
COLUMNS = (
    *("question", "position", "text", "difficulty", "correct_answer"),
    *("facility", "discrimination", "omitted", "alarms"),
)
# The bounds are scores in percent; the last bin includes 100. The type is written as a call,
# because `from` is a keyword.
HistogramBin = TypedDict("HistogramBin", {"from": int, "to": int, "candidates": int})


class AnalysedOption(TypedDict):
    """How many candidates chose the option, and their share of all candidates. `discrimination` is
    the correlation of choosing it with the score in all other questions. It is null if all
    candidates made the same choice, or have the same score in all other questions."""

    chosen: int
    share: float
    discrimination: float | None


class AnalysedOptions(TypedDict):
    A: AnalysedOption
    B: AnalysedOption
    C: AnalysedOption
    D: AnalysedOption


class AnalysedQuestion(RenderedTexts):
    """The statistics of a question. `correct_answer` lists every option that counts as right, such
    as `BD`. If the question no longer counts, `correct_answer` is empty and `facility` is null."""

    question: int
    position: int
    text: str
    difficulty: Difficulty
    correct_answer: str
    facility: float | None
    discrimination: float | None
    omitted: int
    options: AnalysedOptions
    alarms: list[Alarm]


class ExamNumbers(TypedDict):
    """Statistics of an exam's scores, in percent. `reliability` is the coefficient KR-20."""

    candidates: int
    mean: float
    median: float
    standard_deviation: float
    reliability: float | None
    standard_error: float | None


class ExamAnalysis(ExamNumbers):
    exam: int
    histogram: list[HistogramBin]
    questions: list[AnalysedQuestion]


class QuestionAnswers(TypedDict):
    """How many candidates submitted the exam, and how many of them chose each option. `facility` is
    the share of right answers; it is null if the question no longer counts."""

    candidates: int
    A: int
    B: int
    C: int
    D: int
    omitted: int
    facility: float | None


class AnsweredQuestion(TypedDict):
    """How candidates answered a question in all exams that are sealed. `facility` is the share of
    right answers."""

    question: int
    candidates: int
    facility: float


class AnsweredQuestions(TypedDict):
    results: list[AnsweredQuestion]


def answered_questions(found: Mapping[int, tuple[int, int]]) -> AnsweredQuestions:
    """The share of right answers to each question. `found` maps the question's id to the number of
    candidates who answered it, and of those who answered it right."""
    return AnsweredQuestions(
        results=[
            AnsweredQuestion(
                question=question_id, candidates=candidates, facility=rounded(right / candidates, 4)
            )
            for question_id, (candidates, right) in sorted(found.items())
        ]
    )


def question_answers(chosen: Mapping[str, int], accepted: str) -> QuestionAnswers:
    """How candidates answered a question. `chosen` maps each answer to the number of candidates who
    gave it, and `accepted` has the answers that count as right now."""
    candidates = sum(chosen.values())
    right = sum(chosen.get(answer, 0) for answer in accepted)
    return QuestionAnswers(
        candidates=candidates,
        A=chosen.get("A", 0),
        B=chosen.get("B", 0),
        C=chosen.get("C", 0),
        D=chosen.get("D", 0),
        omitted=chosen.get(UNANSWERED, 0),
        facility=rounded(right / candidates, 4) if accepted else None,
    )


def analysis(found: Analysis) -> ExamAnalysis:
    bins = found.numbers.histogram
    width = 100 // len(bins)
    return ExamAnalysis(
        **_numbers(found),
        exam=found.exam_id,
        histogram=[
            {"from": index * width, "to": (index + 1) * width, "candidates": candidates}
            for index, candidates in enumerate(bins)
        ],
        questions=[_question(found, position, item) for position, item in enumerate(found.items)],
    )


def _numbers(found: Analysis) -> ExamNumbers:
    numbers = found.numbers
    error = numbers.standard_error
    return ExamNumbers(
        candidates=numbers.candidates,
        mean=rounded(numbers.mean, 2),
        median=rounded(numbers.median, 2),
        standard_deviation=rounded(numbers.standard_deviation, 2),
        reliability=_coefficient(numbers.reliability),
        standard_error=error if error is None else rounded(error, 2),
    )


def _question(found: Analysis, position: int, item: Item) -> AnalysedQuestion:
    question = found.paper.questions[position]
    return AnalysedQuestion(
        question=question["id"],
        position=position + 1,
        text=question["text"],
        **rendered_texts(question),
        difficulty=found.difficulties[question["id"]],
        correct_answer=item.accepted,
        facility=_coefficient(item.facility),
        discrimination=_coefficient(item.discrimination),
        omitted=item.omitted,
        options=AnalysedOptions(
            A=_option(item.options["A"]),
            B=_option(item.options["B"]),
            C=_option(item.options["C"]),
            D=_option(item.options["D"]),
        ),
        alarms=list(item.alarms),
    )


def _option(option: Option) -> AnalysedOption:
    return AnalysedOption(
        chosen=option.chosen,
        share=rounded(option.share, 4),
        discrimination=_coefficient(option.discrimination),
    )


def _coefficient(value: float | None) -> float | None:
    return None if value is None else rounded(value, 4)


def table(found: ExamAnalysis) -> str:
    """The analysis as CSV, one line per question.

    Each line repeats the statistics of the whole exam, so that there is only one table.
    """
    lines = [_line(found, question) for question in found["questions"]]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(lines[0]))
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def _line(found: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
    text = question["text"]
    line = {
        **{name: question[name] for name in COLUMNS},
        "text": f"'{text}" if text.startswith(FORMULA) else text,
        "alarms": " ".join(question["alarms"]),
    }
    for letter, option in question["options"].items():
        line |= {f"{letter} {name}": value for name, value in option.items()}
    return line | {f"exam {name}": found[name] for name in ExamNumbers.__annotations__}
