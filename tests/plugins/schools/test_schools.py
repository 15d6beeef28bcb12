"""Schools: rows, other names, merges, and who may choose which (contract O3)."""

from urllib.parse import urlencode

import pytest

from tests.support.imports import bring, check, rows


@pytest.fixture
def admin(app):
    return app.staff("admin")


def add(admin, name, code=None, region="", **expected):
    return admin.post("/schools/", {"name": name, "code": code, "region": region}, **expected).json


def found(person, query=""):
    return {each["name"]: each for each in person.get(f"/schools/{query}").json["results"]}


def register(app, school, email="emmy@school.example", **expected):
    body = {
        "email": email,
        "first_name": "Emmy",
        "last_name": "Noether",
        "phone": "+49 9131 1882",
        "school": school,
        "password": "rings and ideals",
        "password2": "rings and ideals",
    }
    return app.anonymous.post("/register/candidate/", body, **expected)


def school_of(app, email="emmy@school.example"):
    return app.log_in(email, "rings and ideals").json["profile"]["school"]


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Fatih Lisesi", "FATİH LİSESİ"),
        ("I\u015f\u0131k Okulu", "I\u015eIK OKULU"),
        ("St. Mary's - North", "St. Mary\u2019s \u2013 North"),
        ("St. Mary's - North", "St. Mary\u00b4s \uff0d North"),
        ("The \u201cPins\u201d", 'The "Pins"'),
        ("Școala 1", "\u015ecoala\u31641"),
    ],
)
def test_other_capitals_dashes_and_quotation_marks_make_no_other_school(app, admin, name, typed):
    add(admin, name)
    add(admin, typed, status=400)
    register(app, typed, email="İLKER@school.example")
    assert school_of(app, "ilker@school.example") == name
    assert school_of(app, "İlker@school.example") == name


def test_a_school_has_a_row_from_its_first_candidate_to_its_last(app, admin):
    child = app.candidate(school="Hillside School")
    other = app.candidate(school="hillside  SCHOOL", verification="not_submitted")
    row = found(admin)["Hillside School"]
    assert (row["candidates"], row["verified"], row["listed"]) == (2, 1, False)
    assert row["aliases"] == []
    manager = app.staff("manager")
    for each in (child, other):
        manager.patch(f"/account-management/{each.id}/", {"school": "Lakeside School"})
    assert [*found(admin)] == ["Lakeside School"]
    app.forget("schools.unused")
    assert [*found(admin)] == ["Lakeside School"]
    admin.get(f"/schools/{row['id']}/", status=404)
    assert child.get("/candidates/me/").json["school"] == "Lakeside School"


def test_schools_that_staff_add_are_listed_and_stay(app, admin):
    added = add(admin, "West School", "W-1", "Lagos")
    assert added == {
        **{"id": added["id"], "name": "West School", "code": "W-1", "region": "Lagos"},
        **{"listed": True, "aliases": [], "candidates": 0, "verified": 0},
        **{name: added[name] for name in added if name == "teachers"},
    }
    app.candidate(school="East School")
    app.forget("schools.unused")
    assert [*found(admin)] == ["East School", "West School"]
    assert [*found(admin, "?listed=true")] == ["West School"]
    assert [*found(admin, "?listed=false")] == ["East School"]
    assert [*found(admin, "?region=lagos")] == ["West School"]
    assert [*found(admin, "?search=w-1")] == ["West School"]
    assert [*found(admin, "?search=nothing")] == []


@pytest.mark.parametrize("name", ["West School", "WEST  school", "Westend", "w-1"])
def test_a_name_an_alias_or_a_code_exists_once(app, admin, name):
    west = add(admin, "West School", "W-1")
    admin.post(f"/schools/{west['id']}/merge/", {"names": ["Westend"], "reason": "the same"})
    other = add(admin, "East School")
    for field in ("name", "code"):
        body = {"name": "North School", "code": None, "region": "", field: name}
        reply = admin.post("/schools/", body, status=400, code="invalid").json
        assert [*reply["errors"]] == [field]
        admin.patch(f"/schools/{other['id']}/", {field: name}, status=400, code="invalid")
    assert [*found(admin)] == ["East School", "West School"]


def test_a_renamed_school_keeps_its_old_name_as_an_alias(app, admin):
    child = app.candidate(school="Hillside School", external_id="n7", group="7B")
    school_id = found(admin)["Hillside School"]["id"]
    changed = admin.patch(f"/schools/{school_id}/", {"name": "Hill School"}).json
    assert [each["name"] for each in changed["aliases"]] == ["Hillside School"]
    assert (changed["listed"], changed["candidates"]) == (True, 1)
    profile = child.get("/candidates/me/").json
    assert (profile["school"], profile["external_id"], profile["group"]) == (
        *("Hill School", "n7"),
        "7B",
    )
    assert app.user(child).school_since is None
    # The old name leads to the school, also back.
    register(app, "hillside school")
    assert school_of(app) == "Hill School"
    back = admin.patch(f"/schools/{school_id}/", {"name": "Hillside School"}).json
    assert [each["name"] for each in back["aliases"]] == ["Hill School"]


def test_a_school_with_candidates_is_not_deleted(app, admin):
    app.candidate(school="Hillside School")
    school_id = found(admin)["Hillside School"]["id"]
    admin.delete(f"/schools/{school_id}/", status=400, code="invalid")
    empty = add(admin, "West School")
    admin.delete(f"/schools/{empty['id']}/", status=204)
    admin.delete(f"/schools/{empty['id']}/", status=404)


def test_a_school_is_deleted_with_its_other_names(app, admin):
    west = add(admin, "West School")
    merge(admin, west, "Westend")
    admin.delete(f"/schools/{west['id']}/", status=204)
    assert found(admin) == {}
    # The names are free again.
    add(admin, "Westend")


def merge(admin, school, *names, path="", **expected):
    body = {"names": [*names], **({} if path else {"reason": "one school"})}
    return admin.post(f"/schools/{school['id']}/merge/{path}", body, **expected).json


def test_a_merge_moves_candidates_aliases_allowances_and_waiting_changes(app_with):
    app = app_with({"competition.verification.review_changes": "true"})
    admin = app.staff("admin")
    child = app.candidate(school="Hillside", external_id="n7")
    app.candidate(school="Hillside School")
    mover = app.candidate(school="Lakeside")
    mover.patch("/account-management/", {"school": "HILLSIDE"})
    hillside, school = found(admin)["Hillside"], found(admin)["Hillside School"]
    merge(admin, hillside, "Hill Side")
    exam = {
        "title": "Round 1",
        "stage": "screening",
        "round": 1,
        "description": "",
        "scheduled_date": "2026-03-02T09:00:00Z",
        "countdown_minutes": 60,
        "open_duration_hours": 2,
    }
    exam_id = admin.post("/exams/", exam).json["id"]
    given = {"school": "Hill Side", "extra_minutes": 5, "reason": "power cut"}
    allowance = admin.post(f"/exams/{exam_id}/allowances/", given).json
    assert allowance["school"] == "Hillside"
    preview = merge(admin, school, "hill side", "Hillside", path="preview/")
    assert preview == {**{"candidates": 1, "teachers": 0, "allowances": 1, "needs_manager": False}}
    assert [*found(admin)] == ["Hillside", "Hillside School", "Lakeside"]
    merged = merge(admin, school, "hill side", "Hillside", "H. School")
    assert [each["name"] for each in merged["aliases"]] == ["H. School", "Hill Side", "Hillside"]
    assert merged["candidates"] == 2
    user = app.user(child)
    assert (user.school, user.external_id, user.school_since) == ("Hillside School", "n7", None)
    [given] = admin.get(f"/exams/{exam_id}/allowances/").json["results"]
    assert given["school"] == "Hillside School"
    manager = app.staff("manager")
    [waiting] = manager.get("/user/verification/list/?has_changes=true").json["results"]
    assert waiting["changes"][0]["new"] == "Hillside School"
    manager.post(f"/user/verification/action/{mover.id}/", {"is_approved": True})
    assert mover.get("/candidates/me/").json["school"] == "Hillside School"
    [entry] = manager.get("/audit/?action=school.merge").json["results"][:1]
    assert entry["new"]["reason"] == "one school"


def test_an_alias_of_a_third_school_is_not_merged(app, admin):
    west, east, north = (add(admin, name) for name in ("West", "East", "North"))
    merge(admin, north, "Northern")
    for path in ("", "preview/"):
        reply = merge(admin, west, "East", "Northern", path=path, status=400)
        assert [*reply["errors"]["names"]] == ["1"]
    assert [*found(admin)] == ["East", "North", "West"]
    # With the school itself, its alias comes along.
    merged = merge(admin, west, "North", "Northern")
    assert [each["name"] for each in merged["aliases"]] == ["North", "Northern"]
    assert east["id"] == found(admin)["East"]["id"]


def test_two_candidates_never_get_the_same_number(app, admin):
    app.candidate(school="West", external_id="N7", first_name="Emmy", last_name="Noether")
    app.candidate(school="East", external_id="n7", first_name="Ada", last_name="Lovelace")
    west = found(admin)["West"]
    for path in ("", "preview/"):
        reply = merge(admin, west, "East", path=path, status=400)
        [message] = reply["errors"]["names"]
        assert "Emmy Noether" in message
        assert "Ada Lovelace" in message
    assert [*found(admin)] == ["East", "West"]


def test_a_deleted_alias_leaves_the_candidates(app, admin):
    app.candidate(school="West")
    west = found(admin)["West"]
    [alias] = merge(admin, west, "Westend")["aliases"]
    path = f"/schools/{west['id']}/aliases/{alias['id']}/"
    admin.delete(path, status=204)
    admin.delete(path, status=404)
    assert found(admin)["West"]["candidates"] == 1
    register(app, "Westend")
    assert school_of(app) == "Westend"


def test_imports_name_schools_by_alias_and_by_code(app, admin):
    west = add(admin, "West School", "W-1")
    merge(admin, west, "Westend")
    manager = app.staff("manager")
    content = (
        "first_name,last_name,school,external_id\nEmmy,Noether,w-1,n1\nAda,Lovelace,WESTEND,n2\n"
    )
    checked = bring(app, manager, "candidates", content)
    assert [each["values"]["school"] for each in checked] == ["West School"] * 2
    assert found(admin)["West School"]["candidates"] == 2
    again = check(app, manager, "candidates", content)
    assert {each["state"] for each in rows(manager, again)} == {"unchanged"}


def test_a_changed_profile_gets_the_schools_own_name(app, admin):
    west = add(admin, "West School")
    merge(admin, west, "Westend")
    child = app.candidate(school="East", verification="not_submitted")
    changed = child.patch("/account-management/", {"school": "westend"}).json
    assert "West School" in str(changed)
    assert child.get("/candidates/me/").json["school"] == "West School"


def test_suggested_names_contain_listed_schools_and_find_aliases(app, admin):
    west = add(admin, "West School")
    merge(admin, west, "Saint Mary's")
    app.candidate(school="East School")
    names = app.anonymous.get("/schools/names/?search=mary").json["results"]
    assert names == ["West School"]
    assert app.anonymous.get("/schools/names/?search=school").json["results"] == ["West School"]
    # A school with many names takes the place of no other one.
    merge(admin, west, *(f"Cross{number} of Saint Mary" for number in range(20)))
    other = add(admin, "Yellow School")
    merge(admin, other, "Holy Cross")
    names = app.anonymous.get("/schools/names/?search=cross").json["results"]
    assert names == ["West School", "Yellow School"]


def test_suggestions_follow_each_change_of_the_other_names(app, admin):
    def suggested(text):
        reply = app.anonymous.get(f"/schools/names/?{urlencode({'search': text})}")
        return reply.json["results"]

    west = add(admin, "West School")
    merge(admin, west, "Saint Mary's", "Lower Hill")
    # All words have to be in one name.
    assert (suggested("hill low"), suggested("hill mary")) == (["West School"], [])
    assert suggested("hill west") == []
    admin.patch(f"/schools/{west['id']}/", {"name": "Northern School"})
    assert suggested("west") == suggested("hill") == ["Northern School"]
    # The preview of a merge changes nothing.
    east = add(admin, "East School")
    merge(admin, east, "Northern School", path="preview/")
    assert suggested("hill") == ["Northern School"]
    merge(admin, east, "Northern School")
    assert suggested("hill") == suggested("north") == ["East School"]
    for alias in found(admin)["East School"]["aliases"]:
        admin.delete(f"/schools/{east['id']}/aliases/{alias['id']}/")
    assert (suggested("hill"), suggested("east")) == ([], ["East School"])


def test_a_search_without_words_changes_no_later_suggestions(app, admin):
    west = add(admin, "West School")
    # Accents alone are no words, so nothing excludes a school.
    path = "/schools/names/?" + urlencode({"search": "\u0301\u0301"})
    # The first request counts the names of candidates' schools, and the second caches them.
    for _ in range(2):
        assert app.anonymous.get(path).json["results"] == ["West School"]
    admin.delete(f"/schools/{west['id']}/", status=204)
    for each in (path, "/schools/names/?search=west"):
        assert app.anonymous.get(each).json["results"] == []


def test_each_change_of_schools_is_suggested_by_every_process(app, app_with):
    """Each process caches the listed schools."""
    admin, processes = app.staff("admin"), (app, app_with({}))

    def suggested(text):
        path = f"/schools/names/?{urlencode({'search': text})}"
        first, second = (each.anonymous.get(path).json["results"] for each in processes)
        assert first == second
        return first

    assert suggested("hill") == []
    west = add(admin, "West Hill")
    assert suggested("hill") == ["West Hill"]
    admin.patch(f"/schools/{west['id']}/", {"name": "West School"})
    assert suggested("hill") == ["West School"]
    [alias] = found(admin)["West School"]["aliases"]
    admin.delete(f"/schools/{west['id']}/aliases/{alias['id']}/")
    assert suggested("hill") == []
    merge(admin, west, "Hillside")
    assert suggested("hill") == ["West School"]
    east = add(admin, "East School")
    merge(admin, east, "West School")
    assert suggested("hill") == ["East School"]
    admin.delete(f"/schools/{east['id']}/")
    assert suggested("hill") == suggested("school") == []
    # A school that candidates have typed is listed with its first change.
    app.candidate(school="Hill School")
    assert suggested("hill") == []
    typed = found(admin)["Hill School"]
    admin.patch(f"/schools/{typed['id']}/", {"region": "Lagos"})
    assert suggested("hill") == ["Hill School"]


def test_suggesting_needs_one_statement_until_a_listed_school_changes(app, admin, statements):
    add(admin, "West School")
    path = "/schools/names/?search=west"
    app.anonymous.get(path)
    register(app, "Western School")
    app.anonymous.get(path)
    with statements() as sent:
        assert app.anonymous.get(path).json["results"] == ["West School"]
    assert len(sent) == 1
    add(admin, "West Hill")
    with statements() as sent:
        app.anonymous.get(path)
    assert len(sent) == 2


@pytest.mark.parametrize("search", ["school of hill", "of hill school", "hill 1", "1 hill"])
def test_all_words_count_in_any_order(app, admin, search):
    for number in range(1, 4):
        add(admin, f"The school of town {number}")
    west = add(admin, "The school of Hill 1")
    merge(admin, west, "Town 2 of another school")
    reply = app.anonymous.get(f"/schools/names/?{urlencode({'search': search})}")
    assert reply.json["results"] == ["The school of Hill 1"]


@pytest.mark.parametrize("article", ["A", "The"])
def test_of_many_schools_those_that_begin_with_the_words_and_the_first_others_are_suggested(
    app, admin, article
):
    begin = [f"School of town {number}" for number in range(3)]
    others = [f"{article} school of town {number:02}" for number in range(21)]
    for name in (*others, *begin):
        add(admin, name)
    reply = app.anonymous.get("/schools/names/?search=school%20of")
    assert reply.json["results"] == [*begin, *others[:17]]


def test_suggestions_are_found_in_any_spelling_and_begin_with_the_typed_words(app, admin):
    for number in range(21):
        add(admin, f"The école of West {number}")
    add(admin, "West 100%")
    add(admin, "École d'Été")

    def suggested(text):
        reply = app.anonymous.get(f"/schools/names/?{urlencode({'search': text})}")
        return reply.json["results"]

    found = suggested("WEST")
    assert (found[0], len(found)) == ("West 100%", 20)
    assert suggested("ecole")[0] == "École d'Été"
    for text in ("ÉCOLE d\u2019ete", "ete col"):
        assert suggested(text) == ["École d'Été"]
    assert suggested("0%") == ["West 100%"]
    assert suggested("we_t") == []


def test_closed_lists_take_only_listed_schools(app_with):
    app = app_with({"competition.schools.closed": "true"})
    admin, manager = app.staff("admin"), app.staff("manager")
    west = add(admin, "West School")
    merge(admin, west, "Westend")
    reply = register(app, "East School", status=400, code="invalid").json
    assert [*reply["errors"]] == ["school"]
    register(app, "westend")
    assert school_of(app) == "West School"
    child = app.candidate(school="Old School", verification="not_submitted")
    body = {"school": "East School"}
    reply = child.patch("/account-management/", body, status=400, code="invalid").json
    assert [*reply["errors"]] == ["school"]
    child.patch("/account-management/", {"school": "Old School", "first_name": "Ada"})
    content = "first_name,last_name,school\nEmmy,Noether,East School\nAda,Lovelace,Westend\n"
    checked = rows(manager, check(app, manager, "candidates", content))
    assert [each["state"] for each in checked] == ["invalid", "new"]
    assert [*checked[0]["errors"]] == ["school"]


@pytest.mark.parametrize(
    "body",
    [
        {"name": ""},
        {"name": "x" * 201},
        {"name": None},
        {"name": "West", "code": ""},
        {"name": "West", "code": "x" * 51},
        {"name": "West", "region": "x" * 101},
        {},
    ],
)
def test_wrong_fields_of_a_school_are_named(app, admin, body):
    reply = admin.post("/schools/", body, status=400, code="invalid").json
    assert set(reply["errors"]) <= {"name", "code", "region"}
    assert found(admin) == {}
