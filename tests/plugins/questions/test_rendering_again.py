"""After an upgrade, jobs render stored questions and papers again."""

import pytest
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.exams.models import Paper
from competition.plugins.questions.models import Question
from competition.testing.exam_day import make_exam, take

OLD = {"html": "<math><mi>x</mi><mi>⁴</mi></math>", "words": "x script 4"}
NEW = "x to the 4"


@pytest.fixture
def question_id(moderator):
    options = {f"option_{letter}": letter for letter in "abcd"}
    body = {"text": r"\(x⁴\)", **options, "correct_answer": "B"}
    return moderator.post("/questions/", body, status=201).json["id"]


def words_of(app, exam_id):
    with begin(app.runtime) as work:
        return work.db.get_one(Paper, exam_id).questions[0]["spoken"]["text"]


def make_old(app):
    """Store the words and the HTML of an earlier version in all questions and papers."""
    with begin(app.runtime) as work:
        for question in work.db.scalars(select(Question).where(Question.rendered.is_not(None))):
            question.rendered = {**question.rendered, "text": OLD["html"]}
            question.spoken = {**question.spoken, "text": OLD["words"]}
        for paper in work.db.scalars(select(Paper)):
            first, *rest = paper.questions
            rendered = {**first["rendered"], "text": OLD["html"]}
            spoken = {**first["spoken"], "text": OLD["words"]}
            paper.questions = [{**first, "rendered": rendered, "spoken": spoken}, *rest]


def test_questions_get_their_right_words_and_stay_unedited(app, moderator, question_id):
    question = moderator.get(f"/questions/{question_id}/").json
    make_old(app)
    assert moderator.get(f"/questions/{question_id}/").json["spoken"]["text"] == OLD["words"]
    app.run_task("questions.render_again")
    assert moderator.get(f"/questions/{question_id}/").json == question
    assert question["spoken"]["text"] == NEW


def test_only_papers_that_nobody_has_started_are_rendered_again(app, admin, question_id):
    prepared, started = (make_exam(app, admin, questions=[question_id]) for _ in range(2))
    admin.post(f"/exams/{prepared}/prepare/")
    take(app.candidate(), started, status=200)
    make_old(app)
    app.run_task("exams.render_again")
    assert words_of(app, prepared) == NEW
    assert words_of(app, started) == OLD["words"]


def test_a_text_that_can_no_longer_be_read_stays_as_it_was(app, moderator, question_id):
    make_old(app)
    with begin(app.runtime) as work:
        work.db.get_one(Question, question_id).text = r"\(\foo\)"
    app.run_task("questions.render_again")
    assert moderator.get(f"/questions/{question_id}/").json["spoken"]["text"] == OLD["words"]
