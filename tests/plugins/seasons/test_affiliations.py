"""The tables of a closed season show the schools, years and groups of the season's end."""

import pytest
from sqlalchemy import select

from competition.core.seasons.models import PastSeason
from competition.core.users import affiliations, personal_data
from competition.core.users.models import USERS
from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.testing.exam_day import answers, make_exam, publish, submit, take
from tests.support.exported import lines, members

HILL, VALLEY = "Hillside School", "Valley School"
THEN = {"school": HILL, "year": "7", "group": "7A"}


@pytest.fixture
def superadmin(app):
    return app.staff("superadmin")


def close(app, superadmin):
    app.new_session(superadmin).post("/seasons/", {"name": "2027"}, status=201)


def move(app, *people):
    """Move candidates to another school, in a higher year."""
    boss = app.new_session(app.staff("manager"))
    for person in people:
        now = {"school": VALLEY, "year": 8, "group": "8B"}
        boss.patch(f"/account-management/{person.id}/", now, status=200)


class Year:
    """An exam with everything that a table of it can have: `person` has taken it, `absent` has
    not. Both are of `HILL`."""

    def __init__(self, app, admin):
        self.app, self.admin = app, admin
        self.person, self.absent = people = [app.candidate(year=7, group="7A") for _ in range(2)]
        self.id = make_exam(app, admin, "AB")
        path = f"/exams/{self.id}/"
        plan = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}, "ties": "in"}
        self.plan = admin.post("/advancement/", {**plan, "exams": [self.id]}, status=201).json["id"]
        for person in people:
            time = {"candidate_id": str(person.id), "extra_minutes": 5, "reason": "Noise"}
            admin.post(f"{path}allowances/", time, status=201)
        person = self.person
        take(person, self.id, status=200)
        person.post(f"{path}clarifications/", {"question": None, "text": "Why?"}, status=201)
        body = answers(app, self.id, "AB")
        submit(person, self.id, body, status=201)
        app.run_jobs()
        admin.post(f"{path}conclude/", status=200)
        change = {"question": body["answers"][0]["question"], "accept": ["B"]}
        regrade = {"changes": [change], "reason": "A wrong key"}
        self.regrade = admin.post(f"{path}regrades/", regrade, status=201).json["id"]
        publish(app, admin)
        admin.post(f"/advancement/{self.plan}/apply/", status=200)
        app.run_jobs()
        appeal = person.post(f"{path}appeals/", {"question": None, "text": "Why?"}, status=201).json
        rejected = {"status": "rejected", "answer": "No."}
        admin.post(f"/appeals/{appeal['id']}/answer/", rejected, status=200)
        self.appeal = appeal["id"]
        self.season = admin.get("/seasons/", status=200).json["results"][0]["id"]

    @property
    def lists(self):
        """The paths of all lists that show a school of a candidate, with the name of the list."""
        path = f"/exams/{self.id}/"
        of_one = f"season={self.season}&candidate={self.person.id}"
        return (
            (f"{path}results/", None),
            (f"{path}scores/", "results"),
            (f"{path}scores/?search=hillside", "results"),
            (f"{path}invigilation/", "results"),
            (f"{path}invigilation/?search=hillside", "results"),
            (f"{path}allowances/", "results"),
            (f"{path}clarifications/", "results"),
            (f"{path}appeals/", "results"),
            (f"{path}regrades/{self.regrade}/", "results"),
            (f"{path}regrades/{self.regrade}/?search=hillside", "results"),
            (f"/clarifications/?{of_one}", "results"),
            (f"/appeals/?{of_one}", "results"),
            (f"/advancement/{self.plan}/preview/", "advance"),
            (f"/advancement/{self.plan}/candidates/", "results"),
            (f"/advancement/{self.plan}/candidates/?search=hillside", "results"),
        )

    @property
    def exports(self):
        path = f"/exports/exams/{self.id}/"
        return (
            *(f"{path}results/", f"{path}results/?absent=true", f"{path}answers/"),
            *(f"{path}allowances/", f"/exports/advancement/{self.plan}/"),
        )


def schools(row):
    """The schools that a row of a list shows."""
    found = row.get("candidate", row)
    return {found[name] for name in ("school", "candidate_school") if name in found}


@pytest.mark.parametrize("is_closed", [True, False])
def test_lists_show_the_schools_of_the_season_of_the_exam(app, admin, superadmin, is_closed):
    """In the current season, they show the present school, as the candidate has typed it."""
    year = Year(app, admin)
    if is_closed:
        close(app, superadmin)
        move(app, year.person, year.absent)
        expected = HILL
    else:
        # Some of the lists are searched by a part of the name of the school.
        expected = "Valley School, Hillside"
        year.person.patch("/account-management/", {"school": expected}, status=200)
    admin = app.new_session(admin)
    for path, name in year.lists:
        reply = admin.get(path, status=200).json
        rows = reply if name is None else reply[name]
        shown = [schools(row) for row in rows if str(year.absent.id) not in str(row)]
        assert shown == [{expected}], path
    appeal = admin.get(f"/appeals/{year.appeal}/", status=200).json
    assert schools(appeal) == {expected}


def test_exports_have_the_school_year_and_group_of_the_season_of_the_exam(app, admin, superadmin):
    year = Year(app, admin)
    close(app, superadmin)
    move(app, year.person, year.absent)
    admin = app.new_session(admin)
    for path in year.exports:
        rows = lines(admin.get(path, status=200))
        assert rows, path
        for row in rows:
            assert {name: row[name] for name in THEN} == THEN, path
    path = f"/exports/exams/{year.id}/results/"
    assert len(lines(admin.get(f"{path}?school={HILL}", status=200))) == 1
    assert lines(admin.get(f"{path}?school={VALLEY}", status=200)) == []
    assert [*members(admin.get(f"{path}?per_school=true", status=200))] == [f"{HILL}.csv"]


def test_the_invigilation_of_a_closed_season_is_filtered_by_its_schools(app, admin, superadmin):
    year = Year(app, admin)
    close(app, superadmin)
    move(app, year.person)
    admin = app.new_session(admin)
    for school, count in ((HILL, 2), (VALLEY, 0)):
        shown = admin.get(f"/exams/{year.id}/invigilation/?school={school}", status=200).json
        assert len(shown["results"]) == count


def test_an_unknown_year_of_a_past_season_stays_unknown(app, admin, superadmin):
    year = Year(app, admin)
    with begin(app.runtime) as work:
        work.db.get(type(app.user(year.person)), year.person.id).year = None
    close(app, superadmin)
    move(app, year.person)
    [row] = lines(app.new_session(admin).get(f"/exports/exams/{year.id}/results/", status=200))
    assert (row["school"], row["year"]) == (HILL, "")


def test_undoing_a_season_shows_the_present_schools_again(app, admin, superadmin):
    year = Year(app, admin)
    close(app, superadmin)
    move(app, year.person)
    app.new_session(superadmin).post("/seasons/undo/", {}, status=200)
    [row] = app.new_session(admin).get(f"/exams/{year.id}/results/", status=200).json
    assert row["candidate_school"] == VALLEY


def test_the_statements_of_the_current_season_join_nothing(app, admin):
    exam_id = make_exam(app, admin, "A")
    with begin(app.runtime) as work:
        then = affiliations.of_exam(work.db.get_one(Exam, exam_id))
        rows = select(*then.candidate).select_from(USERS)
        assert then.join(rows) is rows


def test_a_renamed_or_merged_school_has_its_name_in_past_seasons_too(app, admin, superadmin):
    year = Year(app, admin)
    close(app, superadmin)
    move(app, year.person)
    boss = app.new_session(app.staff("manager"))
    [school] = boss.get("/schools/?search=hillside", status=200).json["results"]
    boss.patch(f"/schools/{school['id']}/", {"name": "Hillside Academy"}, status=200)

    def shown(school):
        path = f"/exams/{year.id}/invigilation/?school={school}"
        rows = app.new_session(admin).get(path, status=200).json["results"]
        return {each["candidate"]["school"] for each in rows}

    # Both names find the school.
    for name in (HILL, "Hillside Academy"):
        assert shown(name) == {"Hillside Academy"}
    [past] = boss.get(f"/candidates/{year.person.id}/", status=200).json["seasons"]
    assert past["school"] == "Hillside Academy"
    other = boss.post("/schools/", {"name": "Hill"}, status=201).json["id"]
    body = {"names": ["Hillside Academy"], "reason": "one school"}
    boss.post(f"/schools/{other}/merge/", body, status=200)
    assert shown("Hillside Academy") == {"Hill"}


def test_an_erasure_leaves_no_school_year_or_group_in_past_seasons(app, admin, superadmin):
    year = Year(app, admin)
    close(app, superadmin)
    with begin(app.runtime) as work:
        [past] = personal_data.export(work, year.person.id)["seasons"]
        assert {"school": HILL, "year": 7, "group": "7A"}.items() <= past.items()
    with begin(app.runtime) as work:
        personal_data.erase(work, year.person.id)
    with begin(app.runtime) as work:
        row = work.db.get_one(PastSeason, (year.person.id, year.season))
        assert (row.school, row.year, row.group, row.pupil_of) == ("Erased", None, "", None)
