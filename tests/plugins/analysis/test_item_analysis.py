"""Item analysis: how difficult each question of an exam was, and which questions look faulty."""

import csv
import io
import random
import re
from xml.etree import ElementTree

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from competition.core.work import begin
from competition.plugins.analysis import presenters, services
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers
from competition.plugins.questions.models import Question
from competition.plugins.scores.services import scoring
from competition.testing.exam_day import KEY, make_exam, score_by_hand, sit
from tests.support.many import hand_in


def handed_in(app, admin, sheets, key=KEY):
    """An exam with these submissions. The first submission is sent through the API, the others are
    inserted into the table.
    """
    first, *others = sheets
    exam_id = make_exam(app, admin, key=key)
    sit(app, app.candidate(), exam_id, first.replace("-", " "))
    with begin(app.runtime) as work:
        hand_in(work, exam_id, others)
    return exam_id


def analysed(admin, exam_id):
    return admin.get(f"/exams/{exam_id}/analysis/", status=200).json


def random_sheets(count, key, seed=7):
    """Random answer sheets of candidates with different abilities."""
    chance = random.Random(seed)
    for _ in range(count):
        ability = chance.random()
        yield "".join(
            right if chance.random() < ability else chance.choice("ABCD-") for right in key
        )


def correlation(one, other):
    """The correlation according to numpy, or None where it is undefined."""
    if len(set(one)) == 1 or len(set(other)) == 1:
        return None
    return float(numpy.corrcoef(one, other)[0, 1])


def near(value):
    return None if value is None else pytest.approx(value, abs=0.0001)


def check_against_numpy(found, sheets, accepted):
    """Compare every number with numpy's.

    `accepted` has the accepted letters of each question.
    """
    answers = numpy.array([list(sheet) for sheet in sheets])
    right = numpy.array([[a in ok for a, ok in zip(s, accepted, strict=True)] for s in sheets])
    counted = numpy.array([ok != "" for ok in accepted])
    scores = right.sum(axis=1)
    percent = 100 * scores / counted.sum()
    assert found["candidates"] == len(sheets)
    assert found["mean"] == pytest.approx(numpy.mean(percent), abs=0.006)
    assert found["median"] == pytest.approx(numpy.median(percent), abs=0.006)
    assert found["standard_deviation"] == pytest.approx(numpy.std(percent), abs=0.006)
    bins, edges = numpy.histogram(percent, bins=10, range=(0, 100))
    assert [(each["from"], each["candidates"]) for each in found["histogram"]] == [
        (int(edge), int(candidates)) for edge, candidates in zip(edges[:-1], bins, strict=True)
    ]
    # If answers are only right or wrong, KR-20 equals Cronbach's alpha.
    covariance = numpy.cov(right[:, counted].T.astype(float))
    questions = counted.sum()
    if questions > 1 and numpy.std(percent):
        alpha = questions / (questions - 1) * (1 - numpy.trace(covariance) / covariance.sum())
        error = numpy.std(percent) * numpy.sqrt(1 - alpha)
        assert found["standard_error"] == pytest.approx(error, abs=0.006)
    else:
        alpha = None
        assert found["standard_error"] is None
    assert found["reliability"] == near(alpha)
    for at, question in enumerate(found["questions"]):
        rest = scores - right[:, at]
        is_counted = accepted[at] != ""
        assert question["facility"] == (near(right[:, at].mean()) if is_counted else None)
        assert question["discrimination"] == near(correlation(right[:, at], rest))
        assert question["omitted"] == (answers[:, at] == "-").sum()
        for letter, option in question["options"].items():
            chose = answers[:, at] == letter
            assert option["chosen"] == chose.sum()
            assert option["share"] == near(chose.mean())
            assert option["discrimination"] == near(correlation(chose, rest))


def test_every_statistic_equals_the_one_computed_with_numpy(app, admin):
    key = "ABCDABCDABCD"
    sheets = list(random_sheets(60, key))
    exam_id = handed_in(app, admin, sheets, key)
    found = analysed(admin, exam_id)
    check_against_numpy(found, sheets, list(key))
    assert found["exam"] == exam_id
    assert [each["position"] for each in found["questions"]] == list(range(1, 13))
    assert "".join(each["correct_answer"] for each in found["questions"]) == key
    first = found["questions"][0]
    assert (first["text"], first["difficulty"]) == (f"Question 0 of {key}", "easy")


@settings(max_examples=25, deadline=None, database=None, derandomize=True)
@given(
    st.lists(st.text("ABC-", min_size=4, max_size=4), min_size=2, max_size=12),
    st.lists(st.sampled_from(["A", "BC", "", "ABCD-"]), min_size=4, max_size=4).filter(any),
)
def check_random_sheets(work, exam, sheets, accepted):
    """Compare the analysis of random answer sheets with numpy. The sheets are few and short, so
    many scores are equal, and some answers are unique.
    """
    savepoint = work.db.begin_nested()
    hand_in(work, exam.id, sheets)
    asked = papers.frozen(work, exam.id).question_ids
    scoring.correct(work, exam.id, dict(zip(asked, accepted, strict=True)))
    check_against_numpy(presenters.analysis(services.analyse(work, exam)), sheets, accepted)
    savepoint.rollback()


def test_the_mean_is_rounded_half_up_as_the_exams_average_is(app, admin):
    """One right answer among four candidates with eight questions: 3.125 percent."""
    exam_id = handed_in(app, admin, ["A" + "-" * 7, *["-" * 8] * 3], key="A" * 8)
    with begin(app.runtime) as work:
        scoring.score_submissions(work, exam_id)
    exam = admin.get(f"/exams/{exam_id}/", status=200).json
    assert analysed(admin, exam_id)["mean"] == exam["average_score"] == 3.13


def test_statistics_of_random_answers_with_ties_equal_numpys(app, admin):
    exam_id = make_exam(app, admin, key="ABCD")
    app.candidate().get(f"/exams/{exam_id}/take-exam/", status=200)
    with begin(app.runtime) as work:
        check_random_sheets(work, work.db.get_one(Exam, exam_id))


def test_the_analysis_uses_the_corrected_answer_key_and_ignores_scores_by_hand(app, admin):
    key = "ABCDABCD"
    sheets = list(random_sheets(30, key))
    exam_id = handed_in(app, admin, sheets, key)
    score_by_hand(admin, exam_id, app.candidate(), 100)
    ids = [each["question"] for each in analysed(admin, exam_id)["questions"]]
    with begin(app.runtime) as work:
        corrections = {ids[0]: "AC", ids[1]: "", ids[2]: "ABCD-"}
        scoring.correct(work, exam_id, corrections)
    found = analysed(admin, exam_id)
    check_against_numpy(found, sheets, ["AC", "", "ABCD-", *key[3:]])
    assert [each["correct_answer"] for each in found["questions"][:4]] == ["AC", "", "ABCD", "D"]
    # Corrected questions raise no alarms, however easy they are.
    assert [each["alarms"] for each in found["questions"][1:3]] == [[], []]


def test_undefined_statistics_are_null(app, admin):
    exam_id = handed_in(app, admin, ["AB"], "AB")
    found = analysed(admin, exam_id)
    assert (found["mean"], found["median"], found["standard_deviation"]) == (100, 100, 0)
    assert found["reliability"] is found["standard_error"] is None
    assert found["histogram"][-1] == {"from": 90, "to": 100, "candidates": 1}
    assert [each["discrimination"] for each in found["questions"]] == [None, None]
    # If there is only one question, there is nothing to correlate it with.
    one = analysed(admin, handed_in(app, admin, ["A", "B"], "A"))
    assert one["reliability"] is one["questions"][0]["discrimination"] is None
    assert one["standard_deviation"] == 50


def alarms(app, admin, strong, weak, questions):
    """The alarms of each question, whose key is A.

    `strong` and `weak` are the numbers of strong and weak candidates. Additional questions at the
    end separate the two groups. Each item of `questions` has the answers of both groups to a
    question.
    """
    columns = [
        [
            letter
            for count, letter in re.findall(r"(\d+)(\S)", of_strong + of_weak)
            for _ in range(int(count))
        ]
        for of_strong, of_weak in questions
    ]
    apart = 2 * len(questions)
    tails = ["A" * apart] * strong + ["B" * apart] * weak
    # The last strong candidate is the weakest of the group.
    tails[strong - 1] = "A" * (apart - 1) + "B"
    sheets = ["".join(row) + tail for *row, tail in zip(*columns, tails, strict=True)]
    exam_id = handed_in(app, admin, sheets, "A" * (3 * len(questions)))
    return [each["alarms"] for each in analysed(admin, exam_id)["questions"][: len(questions)]]


def test_suspicious_questions_raise_alarms(app, admin):
    """The upper group has 27 of 100 candidates."""
    expected = {
        ("2B 2C 23A", "15A 20C 20D 18B"): [],
        # First question: the strong candidates reject the key. Second question: nobody chose the
        # key.
        ("3A 3C 3D 18B", "30A 20C 20D 3B"): ["key_suspected", "negative_discrimination"],
        ("3C 3D 21B", "40C 30D 3B"): ["key_suspected", "too_hard"],
        # B discriminates better than the key A. The alarm needs more strong candidates who chose B
        # than chose A.
        ("13B 14A", "30A 22C 21D"): [],
        ("14B 13A", "30A 22C 21D"): ["key_suspected"],
        # 95 or 96 answers are right, and 1 or 2 candidates chose the rarest option.
        ("27A", "2B 2C 1D 68A"): ["distractor_unused"],
        ("27A", "2B 2C 2D 67A"): [],
        ("27A", "2B 2C 69A"): ["too_easy", "distractor_unused"],
        ("10A 5B 5C 7D", "20B 20C 33D"): [],
        ("9A 5B 5C 8D", "20B 20C 33D"): ["too_hard"],
    }
    assert alarms(app, admin, 27, 73, expected) == list(expected.values())


def test_the_upper_group_is_rounded_up_and_below_twenty_there_are_no_alarms(app, admin):
    # The upper group has six members. If it had only five, most of them would have chosen B.
    questions = [("2A 3B 1A", "5C 5D 4A"), ("6B", "14A")]
    assert alarms(app, admin, 6, 14, questions) == [
        [],
        ["key_suspected", "negative_discrimination", "distractor_unused"],
    ]
    questions = [("6B", "13A")]
    assert alarms(app, admin, 6, 13, questions) == [[]]


def test_without_submissions_there_is_no_analysis(app, admin):
    exam_id = make_exam(app, admin)
    admin.get(f"/exams/{exam_id}/analysis/", status=404, code="not_found")
    app.candidate().get(f"/exams/{exam_id}/take-exam/", status=200)
    admin.get(f"/exams/{exam_id}/analysis/", status=404, code="not_found")
    app.staff("moderator").get(f"/exams/{exam_id}/analysis/", status=403, code="permission_denied")


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_text_in_the_csv_file_begins_a_spreadsheet_formula(app, admin, first):
    """Spreadsheets also read full-width characters as the beginning of a formula."""
    exam_id = make_exam(app, admin, key="A")
    with begin(app.runtime) as work:
        work.db.execute(update(Question).values(text=f"{first}1+1"))
    sit(app, app.candidate(), exam_id, "A")
    reply = admin.get(f"/exams/{exam_id}/analysis/?format=csv", status=200)
    [line] = csv.DictReader(io.StringIO(reply.text, newline=""))
    assert line["text"] == f"'{first}1+1"


def test_the_analysis_is_available_as_csv_and_svg(app, admin):
    exam_id = make_exam(app, admin, key="AB")
    asked = '=1 < 2 & "so on" ' + "and on" * 20
    with begin(app.runtime) as work:
        work.db.execute(update(Question).values(text=asked))
    sit(app, app.candidate(), exam_id, "AC")
    sit(app, app.candidate(), exam_id, "B ")
    url = f"/exams/{exam_id}/analysis/"
    found = analysed(admin, exam_id)

    reply = admin.get(f"{url}?format=csv", status=200)
    assert reply.headers["Content-Type"] == "text/csv; charset=utf-8"
    first, second = csv.DictReader(io.StringIO(reply.text, newline=""))
    # A spreadsheet would interpret the text as a formula.
    assert first["text"] == "'" + asked.strip()
    assert (second["position"], second["correct_answer"], second["omitted"]) == ("2", "B", "1")
    assert (second["C chosen"], second["C share"], second["facility"]) == ("1", "0.5", "0.0")
    assert second["A discrimination"] == "" and second["alarms"] == ""
    assert float(second["exam mean"]) == found["mean"]

    reply = admin.get(f"{url}?format=svg", status=200)
    assert reply.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    picture = ElementTree.fromstring(reply.text)
    titles = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[1:] == [asked.strip(), asked.strip()]
    admin.get(f"{url}?format=pdf", status=400, code="invalid")
