"""What teachers and managers do with a school at the same time."""

from uuid import UUID

from sqlalchemy import select

from competition.core.users.credentials import AuthSession
from competition.core.work import begin
from competition.plugins.accounts.services import login
from competition.plugins.schools.models import School
from competition.plugins.schools.services import editing
from competition.plugins.seasons.services import opening
from competition.plugins.teachers.models import Pupil
from competition.plugins.teachers.services import linking, pupils
from competition.testing.races import overtaken, together


def teacher_of(live, manager, name):
    school_id = manager.post("/schools/", {"name": name}).json["id"]
    person = live.staff("volunteer")
    linked = {"email": person.email, "first_name": "Ada", "last_name": "Lovelace"}
    manager.post(f"/schools/{school_id}/teachers/", linked, status=201)
    return person


def enter(person, **expected):
    body = {"first_name": "Emmy", "last_name": "Noether"}
    return person.post("/school/candidates/", body, **expected)


def merging(manager, name):
    """A function that merges West into the school of this name."""
    school_id = manager.post("/schools/", {"name": name}).json["id"]

    def merge(work):
        school = editing.locked(work, school_id)
        editing.merge(work, school, ["West"], "one school")

    return merge


def test_two_slips_at_once_show_one_code(live):
    manager = live.staff("manager")
    west = teacher_of(live, manager, "West")
    pupil = enter(west).json
    paths = {"/school/slips/": west, "/candidates/slips/": manager}

    def issue(index):
        path, person = [*paths.items()][index]
        body = {"candidates": [pupil["user_id"]]}
        return person.post(path, body, status=200).json["slips"][0]["code"]

    codes = [code for code in together(2, issue) if code is not None]
    assert len(codes) == 1
    live.log_in(pupil["login"], codes[0])


def test_a_pupil_who_signs_in_when_unused_codes_are_replaced_keeps_the_session(live):
    manager = live.staff("manager")
    west = teacher_of(live, manager, "West")
    pupil = enter(west).json
    body = {"candidates": [pupil["user_id"]], "renew": True, "unused": True}
    [slip] = west.post("/school/slips/", body, status=200).json["slips"]
    tokens = []

    def sign_in(work):
        login.log_in(work, f"{slip['login']}@slip.invalid", slip["code"])
        tokens.append(work.identity.session_id)

    def renew():
        return west.post("/school/slips/", body, status="any")

    [late] = overtaken(live, west, sign_in, renew).json["slips"]
    assert (late["used"], late["code"]) == (True, None)
    with begin(live.runtime) as work:
        assert work.db.scalars(select(AuthSession.id).where(AuthSession.id == tokens[0])).all()
    live.log_in(slip["login"], slip["code"])


def test_one_who_is_added_twice_at_once_is_linked_once(live):
    manager = live.staff("manager")
    school_id = manager.post("/schools/", {"name": "West"}).json["id"]
    path = f"/schools/{school_id}/teachers/"
    body = {"email": "ada@example.com", "first_name": "Ada", "last_name": "Lovelace"}

    def link(work):
        linking.add(work, linking.school(work, school_id), {**body, "phone": ""})

    reply = overtaken(live, manager, link, lambda: manager.post(path, body, status="any"))
    assert reply.status_int == 200
    assert len(manager.get(path).json["results"]) == 1


def test_two_lists_at_once_make_nobody_twice(live):
    west = teacher_of(live, live.staff("manager"), "West")
    first, second = together(2, lambda _: enter(west, status="any").json)
    assert first["user_id"] == second["user_id"]


def test_a_pupil_who_is_entered_during_a_merge_is_no_candidate_of_the_old_school(live):
    manager = live.staff("manager")
    west = teacher_of(live, manager, "West")
    reply = overtaken(live, manager, merging(manager, "Westend"), lambda: enter(west, status="any"))
    # The school of the request is gone. The teacher tries again.
    assert reply.status_int == 404
    enter(west, status=201)
    with begin(live.runtime) as work:
        assert work.db.scalars(select(School.name)).all() == ["Westend"]


def test_confirming_a_candidate_during_a_merge_is_refused(live):
    manager = live.staff("manager")
    west = teacher_of(live, manager, "West")
    child = live.candidate(school="West")
    path = f"/school/candidates/{child.id}/confirm/"

    def confirm():
        return west.post(path, {"is_ours": True}, status="any")

    assert overtaken(live, manager, merging(manager, "Westend"), confirm).status_int == 404
    with begin(live.runtime) as work:
        assert work.db.scalars(select(Pupil.user_id)).all() == []
    assert confirm().json["state"] == "verified"


def test_a_candidate_who_is_confirmed_during_an_opening_joins_the_new_season(live):
    west = teacher_of(live, live.staff("manager"), "West")
    child, superadmin = live.candidate(school="West"), live.staff("superadmin")
    path = f"/school/candidates/{child.id}/confirm/"
    superadmin.post("/seasons/", {"name": "Second"}, status=201)
    overtaken(
        live,
        superadmin,
        lambda work: opening.open_season(work, "The next year", "confirm", None),
        lambda: west.post(path, {"is_ours": True}, status=200),
    )
    assert child.get("/candidates/me/").json["current_season"]["joined"] is True


def test_of_two_removals_at_once_the_second_finds_no_pupil(live):
    manager = live.staff("manager")
    west = teacher_of(live, manager, "West")
    pupil = enter(west, status=201).json["user_id"]
    path = f"/school/candidates/{pupil}/"

    def remove(work):
        school = work.db.scalars(select(School).where(School.name == "West")).one()
        pupils.remove(work, school, UUID(pupil))

    overtaken(live, west, remove, lambda: west.delete(path, status=404))
    removed = manager.get("/audit/?action=pupil.remove").json["results"]
    assert len(removed) == 1
