"""Lists of candidates and of staff."""

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from sqlalchemy import event, text

from competition.core.work import begin
from competition.testing.service import each_page


def emails(person, path):
    return [item["user"]["email"] for item in each_page(person.client, path)]


# The fields of an item


def test_an_item_of_the_candidate_list_has_the_id_of_its_detail(app, moderator):
    app.candidate("league", first_name="Ada", last_name="Byron", email="ada@x.example")
    [item] = moderator.get("/candidates/", status=200).json["results"]
    user = item.pop("user")
    app.staff("admin").get(f"/candidates/{user.pop('id')}/", status=200)
    assert user == {
        "email": "ada@x.example",
        "is_email_verified": True,
        "first_name": "Ada",
        "last_name": "Byron",
        "phone": "+4912345678",
        "date_joined": "2026-03-01T09:00:00Z",
    }
    assert item == {
        "school": "Hillside School",
        "role": "league",
        "status": "active",
        "is_active": True,
        "is_user_verified": True,
        "external_id": None,
        "group": "",
        "has_email": True,
        "season": 1,
        "year": None,
    }


def test_an_item_of_the_staff_list_has_the_id_of_its_detail(app, moderator):
    [item] = moderator.get("/staff/", status=200).json["results"]
    assert item["user"]["id"] == str(moderator.id)
    assert item["user"]["email"] == moderator.email
    assert (item["occupation"], item["role"]) == ("Teacher", "moderator")
    app.staff("manager").get(f"/staff/{item['user']['id']}/", status=200)


def test_candidates_and_staff_have_separate_lists_and_counts(app, moderator):
    candidate = app.candidate()
    for path, person in (("/candidates/", candidate), ("/staff/", moderator)):
        assert emails(moderator, path) == [person.email]
        assert moderator.get(path).json["pagination"]["count"] == 1


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, "active"),
        ({"is_email_verified": False}, "inactive"),
        ({"verification": "not_submitted"}, "inactive"),
        ({"verification": "rejected"}, "inactive"),
        ({"verification": "pending"}, "pending"),
        ({"is_active": False}, "deactivated"),
        ({"is_active": False, "verification": "pending"}, "deactivated"),
    ],
)
def test_the_status_filter_finds_the_status_that_is_shown(app, moderator, fields, status):
    person = app.candidate(**fields)
    [item] = moderator.get("/candidates/").json["results"]
    assert item["status"] == status
    for each in ("active", "inactive", "pending", "deactivated"):
        found = emails(moderator, f"/candidates/?status={each}")
        assert found == ([person.email] if each == status else [])


# Order and pages


def test_the_latest_account_comes_first_and_pages_do_not_overlap(app, moderator):
    early = [app.candidate().email for _ in range(3)]
    app.clock.advance(minutes=1)
    late = [app.candidate().email for _ in range(3)]
    found = emails(moderator, "/candidates/?limit=2")
    assert set(found[:3]) == set(late)
    assert set(found[3:]) == set(early)


# Four people, who are in a different order for each field.
ORDERS = {
    "email": "abcd",
    "first_name": "bcda",
    "last_name": "cdab",
    "role": "dabc",
    "school": "acbd",
    "occupation": "badc",
    "date_joined": "cadb",
    "updated_at": "dbca",
}
ROLES = {
    "candidate": ("final", "league", "screening", "winner"),
    "staff": ("admin", "manager", "superadmin", "volunteer"),
}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/candidates/", "candidate"),
        ("/staff/", "staff"),
        ("/user/list/?profile=candidate", "candidate"),
        ("/user/list/?profile=staff", "staff"),
    ],
)
def test_a_list_is_ordered_by_the_requested_field(app, path, kind):
    manager = app.staff("manager")
    values = {name: [f"{name}{rank}" for rank in range(4)] for name in ORDERS}
    values["email"] = [f"{rank}@ordered.example" for rank in range(4)]
    values["role"] = ROLES[kind]
    for name in ("date_joined", "updated_at"):
        values[name] = [app.clock.now - timedelta(days=4 - rank) for rank in range(4)]
    own = {*ORDERS} - {"occupation" if kind == "candidate" else "school"}
    make = app.candidate if kind == "candidate" else app.staff
    people = {
        make(**{name: values[name][ORDERS[name].index(who)] for name in own}).email: who
        for who in "abcd"
    }
    fields = own if "profile" not in path else own - {"school", "occupation"}
    for name in (*fields, "created_at"):
        expected = ORDERS["date_joined" if name == "created_at" else name]
        for sign, order in (("", expected), ("-", expected[::-1])):
            query = f"search=ordered.example&ordering={sign}{name}"
            found = emails(manager, f"{path}{'&' if '?' in path else '?'}{query}")
            assert "".join(people[each] for each in found) == order, (sign, name)


def test_people_are_filtered_by_the_time_they_joined(app, moderator):
    app.candidate()
    app.clock.advance(hours=1)
    late = app.candidate()
    after = (app.clock.now - timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%S")
    assert emails(moderator, f"/candidates/?created_after={after}") == [late.email]


def test_a_page_of_many_takes_as_many_statements_as_a_page_of_one(app, statements):
    # A manager sees the most fields.
    manager = app.staff("manager")
    paths = ("/candidates/", "/staff/", "/user/list/", "/audit/")
    counts = {}
    for count in (1, 5):
        for _ in range(count):
            candidate, _ = app.candidate(profile_picture="pictures/x.png"), app.staff("admin")
            manager.put(f"/candidates/{candidate.id}/roles/assign/", {"role": "league"})
        for path in paths:
            # The first request of a minute computes the overview, and the second one reads it.
            manager.get(path)
            manager.get(path)
            with statements() as executed:
                manager.get(path, status=200)
            counts.setdefault(path, []).append(len(executed))
    assert {path: few == many for path, (few, many) in counts.items()} == dict.fromkeys(paths, True)


# Filters


MANY = """
insert into "user" (
    id, kind, email, password_hash, password_is_generated, first_name, last_name, phone, role,
    is_active, is_email_verified, is_invited, verification, permissions, date_joined, updated_at,
    number, school
)
select
    gen_random_uuid(), 'candidate', 'pupil' || n || '@x.example', 'x', false, 'Ada', 'Name' || n,
    '', case when n % 50 = 0 then 'league' else 'screening' end, n % 50 > 0, true, false,
    case when n % 50 = 0 then 'pending' else 'approved' end, '{}',
    now() - n * interval '1 minute', now(), n, 'School ' || n % 50
from generate_series(100001, 105000) n
"""


def test_every_filter_uses_an_index(app, moderator, engine):
    with begin(app.runtime) as work:
        work.db.execute(text(MANY))
        # Clean the index as a vacuum would. A vacuum can't run in a transaction.
        work.db.execute(text("select gin_clean_pending_list('ix_user_search_text')"))
        work.db.execute(text('analyze "user"'))
    plans = []

    def explain(connection, cursor, statement, parameters, *rest):
        if "LIMIT" in statement and "count_of_all" in statement:
            with connection.connection.cursor() as asking:
                asking.execute(f"explain {statement}", parameters)
                plans.append("\n".join(row[0] for row in asking))

    event.listen(engine, "before_cursor_execute", explain)
    for query, index in (
        ("", "(kind_)?date_joined_id"),
        ("search=name101234+school", "search_text"),
        ("search=101234@x.ex", "search_text"),
        ("school=school+17", "search_text"),
        ("role=league", "kind_role_date_joined_id"),
        ("status=deactivated", "kind_status_date_joined_id"),
        ("verified=false", "unverified"),
        ("verified=true", "(kind_)?date_joined_id"),
        ("has_email=false", "search_text"),
        ("created_after=2100-01-01T00:00:00", "kind_date_joined_id"),
    ):
        moderator.get(f"/candidates/?{query}", status=200)
        assert re.search(f"(using|on) ix_user_{index} ", plans[-1]), (query, plans[-1])
    event.remove(engine, "before_cursor_execute", explain)


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("ada", True),
        ("ADA byron", True),
        ("yro", True),
        ("byron hills", True),
        ("ada@x.ex", True),
        ("hillside ada", True),
        ("ada turing", False),
        ("a%a", False),
        ("_da", False),
    ],
)
def test_candidates_are_found_by_every_word_in_name_email_and_school(app, moderator, search, found):
    app.candidate(first_name="Ada", last_name="Byron", email="ada@x.example", school="Hillside")
    app.candidate(first_name="Alan", last_name="Turing", email="alan@y.example", school="Valley")
    expected = ["ada@x.example"] if found else []
    assert emails(moderator, f"/candidates/?search={search.replace('%', '%25')}") == expected


@pytest.mark.parametrize("sign", ["%", "_", "/", "\\"])
@pytest.mark.parametrize("field", ["search", "school"])
def test_wildcards_in_a_search_are_literal(app, moderator, sign, field):
    app.candidate(email="with@x.example", school=f"Hill{sign}side")
    app.candidate(email="without@x.example", school="Hillside")
    path = f"/candidates/?{urlencode({field: f'HILL{sign}s'})}"
    assert emails(moderator, path) == ["with@x.example"]


def test_staff_are_found_by_name_and_email(app, moderator):
    app.staff("admin", first_name="Ada", last_name="Byron", email="ada@x.example")
    for search in ("byr", "x.ex", "ada byron"):
        assert emails(moderator, f"/staff/?search={search}") == ["ada@x.example"]
    assert emails(moderator, "/staff/?search=teacher") == []


def test_candidates_are_filtered_by_role(app, moderator):
    league, _ = app.candidate("league"), app.candidate("final")
    assert emails(moderator, "/candidates/?role=league") == [league.email]
    assert emails(moderator, "/candidates/?role=LEAGUE") == [league.email]
    reply = moderator.get("/candidates/?role=moderator", status=400, code="invalid")
    assert "screening, league, final, winner" in reply.json["errors"]["role"][0]


def test_staff_are_filtered_by_role_and_occupation(app, moderator):
    judge = app.staff("admin", occupation="Retired Judge")
    assert emails(moderator, "/staff/?role=admin") == [judge.email]
    assert emails(moderator, "/staff/?occupation=JUDGE") == [judge.email]
    assert emails(moderator, "/staff/?role=moderator&occupation=judge") == []
    moderator.get("/staff/?role=league", status=400, code="invalid")


def test_the_school_filter_matches_part_of_the_school_only(app, moderator):
    hill = app.candidate(school="Hillside School")
    app.candidate(school="Valley", last_name="Hillside")
    for part in ("side", "side%20sch"):
        assert emails(moderator, f"/candidates/?school={part}") == [hill.email]
    assert emails(moderator, "/candidates/?school=school%20hill") == []


def test_candidates_are_filtered_by_verification(app, moderator):
    verified = app.candidate()
    pending = app.candidate(verification="pending")
    assert emails(moderator, "/candidates/?verified=true") == [verified.email]
    assert emails(moderator, "/candidates/?verified=no") == [pending.email]
    moderator.get("/candidates/?verified=maybe", status=400, code="invalid")


def test_candidates_are_filtered_by_having_an_email_address(app, moderator):
    slip = app.candidate(email="bcd234@slip.invalid")
    named = app.candidate(last_name="@slip.invalid")
    assert emails(moderator, "/candidates/?has_email=false") == [slip.email]
    assert emails(moderator, "/candidates/?has_email=true") == [named.email]
    export = app.staff("admin").get("/exports/candidates/?has_email=false").text
    assert slip.email in export
    assert named.email not in export


def test_filters_can_be_combined(app, moderator):
    app.candidate("league", school="Valley")
    app.candidate("final", school="Hillside")
    both = app.candidate("league", school="Hillside")
    query = "role=league&school=hill&verified=true&status=active&search=ada"
    assert emails(moderator, f"/candidates/?{query}") == [both.email]


# One member of staff


def test_a_manager_sees_a_member_of_staff(app):
    admin = app.staff("admin", occupation="Judge", face_id="documents/face.png")
    seen = app.staff("manager").get(f"/staff/{admin.id}/", status=200).json
    assert seen["user"]["id"] == str(admin.id)
    assert (seen["profile_type"], seen["occupation"]) == ("staff", "Judge")
    assert "documents/face.png?" in seen["face_id"]


def test_a_candidate_is_not_found_among_staff(app):
    manager = app.staff("manager")
    manager.get(f"/staff/{app.candidate().id}/", status=404, code="not_found")
    manager.get("/staff/no-id/", status=404, code="not_found")
