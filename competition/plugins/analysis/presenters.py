import csv
import io
from collections.abc import Mapping
from typing import Any, TypedDict

from competition.plugins.analysis.models import Alarm, Analysis, Item, Option
from competition.plugins.questions.models import Difficulty

# What a spreadsheet would take for the beginning of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")

# Of a question, in the table.
COLUMNS = (
    *("question", "position", "text", "difficulty", "correct_answer"),
    *("facility", "discrimination", "omitted", "alarms"),
)
# In percent; the last one has 100 in it. `from` is a word of Python's.
HistogramBin = TypedDict("HistogramBin", {"from": int, "to": int, "candidates": int})


class AnalysedOption(TypedDict):
    """How many candidates chose it, their share of all, and how that correlates with the score in
    all other questions (null where one of the two is the same for all)."""

    chosen: int
    share: float
    discrimination: float | None


class AnalysedOptions(TypedDict):
    A: AnalysedOption
    B: AnalysedOption
    C: AnalysedOption
    D: AnalysedOption


class AnalysedQuestion(TypedDict):
    """`position` counts from 1. `correct_answer` has every option that counts as right, one after
    the other; it is empty, and `facility` null, where the question does not count any more.
    `omitted` is how many left it unanswered."""

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
    """Of the scores, in percent; `reliability` is KR-20."""

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
    return ExamNumbers(
        candidates=numbers.candidates,
        mean=round(numbers.mean, 2),
        median=round(numbers.median, 2),
        standard_deviation=round(numbers.standard_deviation, 2),
        reliability=_coefficient(numbers.reliability),
        standard_error=None if numbers.standard_error is None else round(numbers.standard_error, 2),
    )


def _question(found: Analysis, position: int, item: Item) -> AnalysedQuestion:
    question = found.paper.questions[position]
    return AnalysedQuestion(
        question=question["id"],
        position=position + 1,
        text=question["text"],
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
        share=round(option.share, 4),
        discrimination=_coefficient(option.discrimination),
    )


def _coefficient(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def table(found: ExamAnalysis) -> str:
    """CSV, a line a question. The numbers of the whole exam stand in every line, so that it is one
    table."""
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
