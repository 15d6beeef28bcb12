"""Pages of all lists (decisions B1 to B6, B8), tested with the questions."""

from datetime import timedelta
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from competition.core.lists import Page, page_url
from competition.core.work import begin
from competition.plugins.questions.models import Question
from competition.testing.service import START, each_page


@pytest.fixture
def add(app, moderator):
    """``add(3, text="Why?")`` creates questions with the same time, and returns their ids."""

    def add(count, at=START, **fields):
        with begin(app.runtime) as work:
            made = [
                Question(
                    **{
                        "text": f"Question {index}",
                        **dict.fromkeys(("option_a", "option_b", "option_c", "option_d"), "x"),
                        "correct_answer": "A",
                        "difficulty": "easy",
                        "created_by_id": moderator.id,
                        "updated_by_id": moderator.id,
                        "created_at": at,
                        "updated_at": at,
                        **fields,
                    }
                )
                for index in range(count)
            ]
            work.db.add_all(made)
            work.db.flush()
            return [question.id for question in made]

    return add


def ids(person, query=""):
    return [row["id"] for row in person.get(f"/questions/?{query}").json["results"]]


def test_an_empty_list_has_one_empty_page(moderator):
    reply = moderator.get("/questions/").json
    assert reply["results"] == []
    assert (reply["pagination"]["count"], reply["pagination"]["total_pages"]) == (0, 1)
    moderator.get("/questions/?page=2", status=404, code="not_found")


@pytest.mark.parametrize(
    ("query", "size"),
    [("", 20), ("limit=7", 7), ("page_size=7", 7), ("limit=7&page_size=9", 7), ("limit=500", 100)],
)
def test_a_page_has_the_requested_size(moderator, add, query, size):
    add(101)
    reply = moderator.get(f"/questions/?{query}").json
    assert len(reply["results"]) == reply["pagination"]["page_size"] == size


@pytest.mark.parametrize("page", ["0", "-1", "one", "3", "", "99999999999"])
def test_a_page_beyond_the_last_is_not_found(moderator, add, page):
    add(25)
    moderator.get(f"/questions/?page={page}", status=404, code="not_found")


@pytest.mark.parametrize("ordering", ["", "difficulty", "-difficulty", "created_at", "-text"])
def test_pages_of_equal_rows_never_overlap(moderator, add, ordering):
    made = add(50, text="The same")
    seen = [row["id"] for row in each_page(moderator, f"/questions/?limit=7&ordering={ordering}")]
    assert sorted(seen) == sorted(made)
    assert len(set(seen)) == len(seen)


def test_the_newest_items_come_first_and_equal_times_are_ordered_by_id(moderator, add):
    [old] = add(1, at=START - timedelta(days=1))
    first, second = add(2)
    assert ids(moderator) == [second, first, old]


def test_a_minus_reverses_the_ordering(moderator, add):
    made = {text: add(1, text=text)[0] for text in ("b", "a", "c")}
    ascending = [made[text] for text in "abc"]
    assert ids(moderator, "ordering=text") == ascending
    assert ids(moderator, "ordering=-text") == ascending[::-1]


@pytest.mark.parametrize(
    "field", ["option_a", "created_by__email", "--text", "-", "id%3Bdrop", "%C3%A9"]
)
def test_an_unknown_ordering_is_ignored(moderator, add, field):
    add(3)
    assert ids(moderator, f"ordering={field}") == ids(moderator)


def test_the_time_bounds_are_inclusive(moderator, add):
    add(1, at=START - timedelta(seconds=1))
    [inside] = add(1)
    add(1, at=START + timedelta(seconds=1))
    moment = START.strftime("%Y-%m-%dT%H:%M:%S")
    assert ids(moderator, f"created_after={moment}&created_before={moment}") == [inside]
    assert ids(moderator, f"created_after={moment}Z&created_before={moment}Z") == [inside]


@pytest.mark.parametrize("moment", ["yesterday", "2026-13-01T00:00:00", "7"])
def test_a_malformed_time_bound_is_rejected(moderator, moment):
    reply = moderator.get(f"/questions/?created_after={moment}", status=400, code="invalid")
    assert list(reply.json["errors"]) == ["created_after"]


def test_links_have_the_public_url_and_keep_other_parameters(moderator, add):
    add(30, difficulty="hard")
    query = "search=Question&page=2&limit=10&difficulty=hard&unknown=a%26b"
    pagination = moderator.get(f"/questions/?{query}").json["pagination"]
    for name, page in (("next", "3"), ("previous", "1")):
        link = urlsplit(pagination[name])
        assert (link.scheme, link.netloc, link.path) == (
            "https",
            "league.example",
            "/v1/questions/",
        )
        assert parse_qs(link.query) == {
            "search": ["Question"],
            "limit": ["10"],
            "difficulty": ["hard"],
            "unknown": ["a&b"],
            "page": [page],
        }


def test_links_ignore_the_host_header(moderator, add):
    add(30)
    reply = moderator.get("/questions/", headers={"Host": "evil.example"})
    assert reply.json["pagination"]["next"].startswith("https://league.example/")


def test_a_page_takes_the_same_statements_for_any_size(moderator, add, statements):
    # The first request looks up the API key, the next ones don't.
    moderator.get("/questions/")
    counts = []
    for more in (1, 50):
        add(more)
        with statements() as executed:
            moderator.get("/questions/?limit=100")
        counts.append(len(executed))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("search", ["REAL", "prime real", "100%", "a_b", "straße", "\\"])
def test_a_search_finds_items_with_every_word(moderator, add, search):
    [found] = add(1, text="A real prime, 100% a_b \\ Straße")
    add(1, text="A real number, 100 a-b / Strate, imaginary")
    expected = [found] if search != "REAL" else sorted([found, found + 1], reverse=True)
    assert ids(moderator, f"search={quote(search)}") == expected


@pytest.mark.parametrize(
    ("count", "number", "pages", "following", "before"),
    [
        (0, 1, 1, None, None),
        (20, 1, 1, None, None),
        (21, 1, 2, 2, None),
        (21, 2, 2, None, 1),
        (60, 2, 3, 3, 1),
    ],
)
def test_the_first_and_last_page_have_no_link_beyond(count, number, pages, following, before):
    said = Page([], count, number, 20).pagination("https://x.example/v1/things/")
    link = "https://x.example/v1/things/?page={}"
    assert said == {
        "count": count,
        "page": number,
        "page_size": 20,
        "total_pages": pages,
        "has_next": following is not None,
        "has_previous": before is not None,
        "next": following and link.format(following),
        "previous": before and link.format(before),
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("?page=1", "?page=2"),
        ("?search=a+b&page=1&limit=5", "?search=a+b&limit=5&page=2"),
        ("?search=", "?search=&page=2"),
        ("?role=final&role=league", "?role=final&role=league&page=2"),
        ("?search=%C3%A9%26page%3D9", "?search=%C3%A9%26page%3D9&page=2"),
        ("?page=1&page=3", "?page=2"),
        ("", "?page=2"),
    ],
)
def test_a_link_keeps_every_other_parameter(before, after):
    base = "https://league.example/v1/things/"
    assert page_url(base + before, 2) == base + after


def test_a_search_ignores_the_case_of_every_greek_letter(app, moderator, add):
    [sigma] = add(1, text="ΓΩΝΙΕΣ ενός")
    for first_name in ("ΝΙΚΟΣ", "Νίκος"):
        app.candidate(first_name=first_name, school="Λύκειο Σπάρτης")
    for search in ("ΝΙΚΟΣ", "Νίκος", "νικοσ", "ΣΠΑΡΤΗΣ"):
        found = moderator.get(f"/candidates/?search={quote(search)}").json["results"]
        assert len(found) == 2, search
    for search in ("γωνίες", "ΕΝΟΣ"):
        assert ids(moderator, f"search={quote(search)}") == [sigma], search


def test_a_search_ignores_invisible_characters_and_forms_of_quotation_marks(app, moderator):
    app.candidate(
        first_name="\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
        last_name="O\u00b4Neil",
        school="The \u201cPins\u201d",
    )
    for search in (
        "\u0639\u0644\u06cc\u0631\u0636\u0627",
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
        "o'neil",
        '"pins"',
    ):
        found = moderator.get(f"/candidates/?search={quote(search)}").json["results"]
        assert len(found) == 1, search


def test_a_search_ignores_accents_and_forms_of_the_apostrophe(app, moderator, add):
    [ngugi] = add(
        1, text="Ngu\u0303gi\u0303 asks how far l\u2019Hôpital\u2019s rule reaches: 100%."
    )
    app.candidate(first_name="Ngũgĩ", last_name="O\u2019Brien", school="Straße_50% d'Ulm")
    app.candidate(first_name="Ngaga", last_name="Other", school="Strate 50 d Ulm")
    add(1, text="Another question")
    for search in (
        "Ngũgĩ",
        "ngu\u0303gi\u0303",
        "ngugi",
        "L'HOPITAL'S",
        "hôpital\u2019s ngugi\u00a0reaches",
        "100%",
    ):
        assert ids(moderator, f"search={quote(search)}") == [ngugi], search
    # Characters of patterns stand for themselves.
    for search in ("100_", "n%i", "ngugi\\", "%25"):
        assert ids(moderator, f"search={quote(search)}") == [], search
    for query in (
        "search=Ngũgĩ",
        "search=NGUGI o'brien",
        "search=O\u00b4Brien",
        "search=O`Brien",
        "search=O\u02bbBri\u200cen",
        "search=ngu\u0303gĩ",
        "school=strasse_50% D\u2019ulm",
        "school=STRASSE",
        "search=straße_",
    ):
        found = moderator.get(f"/candidates/?{quote(query, safe='=')}").json["results"]
        assert [row["user"]["last_name"] for row in found] == ["O\u2019Brien"], query
