"""The question bank."""

import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.work import begin
from competition.plugins.questions import services
from competition.plugins.questions.models import Question
from competition.testing.exam_day import make_exam
from competition.testing.races import overtaken, together
from competition.testing.service import each_page

FIELDS = {
    "text": "What is $1 + 1$?\nThink.",
    "option_a": "1",
    "option_b": "2",
    "option_c": "3",
    "option_d": "4",
    "correct_answer": "B",
}


def add(person, **fields):
    return person.post("/questions/", {**FIELDS, **fields}, status=201).json


def test_a_question_is_stored_with_its_text_stripped(app, moderator):
    question = add(moderator, text="  ¿Cuánto es ½ + ¼? שלום 🙂  ", correct_answer="b")
    assert question["text"] == "¿Cuánto es ½ + ¼? שלום 🙂"
    assert question["correct_answer"] == "B"
    assert question["difficulty"] == "moderate"
    assert (question["is_archived"], question["archived_at"]) == (False, None)
    assert question["created_by"]["user"]["id"] == str(moderator.id)
    assert moderator.get(f"/questions/{question['id']}/").json == question


def test_a_list_contains_no_links_to_an_authors_documents(app, manager):
    author = app.staff("moderator", id_card="documents/card.png")
    add(author)
    [question] = manager.get("/questions/").json["results"]
    assert question["created_by"]["id_card"] is None
    with begin(app.runtime) as work:
        links = select(AuditEntry).where(AuditEntry.action == "document.link")
        assert work.db.scalars(links).all() == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *((field, None) for field in FIELDS),
        ("text", ""),
        ("text", "a\0b"),
        ("text", "x" * 10_001),
        ("option_a", "   "),
        ("option_d", "x" * 2_001),
        ("correct_answer", "E"),
        ("correct_answer", 1),
        ("difficulty", "medium"),
        ("difficulty", None),
    ],
)
def test_an_invalid_field_is_named(app, moderator, field, value):
    body = {**FIELDS, field: value}
    reply = moderator.post("/questions/", body, status=400, code="invalid")
    assert list(reply.json["errors"]) == [field]
    assert moderator.get("/questions/").json["pagination"]["count"] == 0


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_but_the_difficulty_is_required(app, moderator, field):
    body = {name: value for name, value in FIELDS.items() if name != field}
    reply = moderator.post("/questions/", body, status=400, code="invalid")
    assert list(reply.json["errors"]) == [field]


def test_a_change_records_who_made_it_and_when(app, moderator):
    question = add(moderator)
    other = app.staff("admin")
    app.clock.advance(minutes=1)
    changed = other.patch(f"/questions/{question['id']}/", {"difficulty": "hard"}).json
    assert (changed["difficulty"], changed["text"]) == ("hard", question["text"])
    assert changed["updated_by"]["user"]["id"] == str(other.id)
    assert changed["created_by"]["user"]["id"] == str(moderator.id)
    assert (changed["created_at"], changed["updated_at"]) == (
        "2026-03-01T09:00:00Z",
        "2026-03-01T09:01:00Z",
    )


def test_a_put_needs_the_whole_question(app, moderator):
    question = add(moderator, difficulty="hard")
    path = f"/questions/{question['id']}/"
    moderator.put(path, {"text": "Only the text"}, status=400, code="invalid")
    changed = moderator.put(path, {**FIELDS, "option_a": "0"}).json
    # The difficulty is optional, so it keeps its value.
    assert (changed["option_a"], changed["difficulty"]) == ("0", "hard")


def test_deleting_a_question_archives_it(app, moderator):
    question = add(moderator)
    path = f"/questions/{question['id']}/"
    app.clock.advance(minutes=1)
    moderator.delete(path, status=204)
    moderator.delete(path, status=404, code="not_found")
    archived = moderator.get(path).json
    assert (archived["is_archived"], archived["archived_at"]) == (True, "2026-03-01T09:01:00Z")
    assert archived["updated_at"] == archived["archived_at"]
    assert moderator.get("/questions/").json["results"] == []
    assert moderator.get("/questions/").json["question_pool_data"]["total_questions"] == 0
    [found] = moderator.get("/questions/?archived=true").json["results"]
    assert found["id"] == question["id"]


@pytest.mark.parametrize("method", ["get", "patch", "put", "delete"])
def test_an_unknown_question_is_not_found(app, moderator, method):
    for wrong in ("999999", "0", "abc", "99999999999999999999"):
        getattr(moderator, method)(f"/questions/{wrong}/", status=404, code="not_found")


def test_the_list_is_filtered(app, moderator):
    other = app.staff("moderator")
    easy = add(moderator, text="How many Primes below ten?", difficulty="easy")["id"]
    hard = add(other, text="How many primes below 100% of twenty?", difficulty="hard")["id"]

    def ids(query):
        return [row["id"] for row in moderator.get(f"/questions/?{query}").json["results"]]

    assert ids("") == [hard, easy]
    assert ids("difficulty=EASY") == [easy]
    assert ids("search=ten%20PRIMES") == [hard, easy][1:]
    assert ids("search=100%25") == [hard]
    assert ids("search=nothing") == []
    assert ids(f"created_by={other.id}") == [hard]
    assert ids("ordering=difficulty") == [easy, hard]
    moderator.get("/questions/?difficulty=medium", status=400, code="invalid")
    moderator.get("/questions/?created_by=me", status=400, code="invalid")


@pytest.mark.parametrize("name", services.ORDERING)
def test_the_list_is_ordered_by_the_requested_field(app, moderator, name):
    # The questions are in a different order for each field.
    made = []
    for text, difficulty, answer in ("bhB", "aeC", "dmA", "ceD"):
        level = {"e": "easy", "m": "moderate", "h": "hard"}[difficulty]
        made.append(add(moderator, text=text, difficulty=level, correct_answer=answer)["id"])
        app.clock.advance(minutes=1)
    for each in (2, 0, 3, 1):
        moderator.patch(f"/questions/{made[each]}/", {"option_a": "0"})
        app.clock.advance(minutes=1)
    for sign in ("", "-"):
        rows = moderator.get(f"/questions/?ordering={sign}{name}").json["results"]
        values = [row[name] for row in rows]
        assert values == sorted(values, reverse=sign == "-")


def test_the_counts_of_a_filtered_list_include_the_whole_bank(app, moderator):
    for difficulty in ("easy", "easy", "hard"):
        add(moderator, difficulty=difficulty)
    for difficulty, found in (("hard", 1), ("moderate", 0)):
        reply = moderator.get(f"/questions/?difficulty={difficulty}").json
        assert len(reply["results"]) == found
        assert reply["question_pool_data"] == {
            "total_questions": 3,
            "hard_questions_count": 1,
            "moderate_questions_count": 0,
            "easy_questions_count": 2,
        }


def test_pages_never_overlap(app, moderator):
    ids = [add(moderator)["id"] for _ in range(5)]
    assert [row["id"] for row in each_page(moderator, "/questions/?page_size=2")] == ids[::-1]


def test_a_page_of_many_takes_as_many_statements_as_a_page_of_few(app, moderator, statements):
    def count(questions):
        for _ in range(questions):
            add(app.staff("moderator"))
        with statements() as executed:
            moderator.get("/questions/?limit=100")
        return len(executed)

    assert count(2) == count(10)


def test_one_of_two_simultaneous_archivings_is_not_found(live):
    moderators = [live.staff("moderator"), live.staff("moderator")]
    path = f"/questions/{add(moderators[0])['id']}/"
    replies = together(2, lambda index: moderators[index].delete(path, status="any"))
    assert sorted(reply.status_int for reply in replies) == [204, 404]


def test_archiving_a_question_that_was_just_archived_is_not_found(live):
    one, other = live.staff("moderator"), live.staff("moderator")
    question_id = add(one)["id"]
    reply = overtaken(
        live,
        one,
        lambda work: services.archive(work, question_id),
        lambda: other.delete(f"/questions/{question_id}/", status="any"),
    )
    assert (reply.status_int, reply.json["code"]) == (404, "not_found")


def test_archiving_while_the_paper_is_frozen_leaves_one_paper_for_all(live):
    exam_id = make_exam(live, live.staff("admin"), "AB")
    moderator, person = live.staff("moderator"), live.candidate()
    with begin(live.runtime) as work:
        question_id = work.db.query(Question.id).order_by(Question.id).first()[0]

    def act(index):
        if index == 0:
            return moderator.delete(f"/questions/{question_id}/", status=204)
        return person.get(f"/exams/{exam_id}/take-exam/", status=200)

    _, taken = together(2, act)
    again = live.candidate().get(f"/exams/{exam_id}/take-exam/").json
    assert again["questions"] == taken.json["questions"]
