"""Extra time: which candidates get it, how much and when, and which submissions it reopens."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select

from competition.core.jobs import jobs
from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.allowances.models import ClockChange
from competition.plugins.exams.models import Exam
from competition.plugins.scores.services import ending
from competition.plugins.sittings.models import Attempt, ExtraTime, Submission
from competition.plugins.sittings.services import clock
from competition.testing.exam_day import answers, make_exam, score_of, sit, submit, take

# These tests run no worker that submits automatically. They insert such submissions with
# `hand_in_by_service`.

EVERYONE = {"everyone": True, "reason": "The projector failed."}
NOBODY = "00000000-0000-4000-8000-000000000000"


def refused(app, person, exam_id):
    reply = take(app.new_session(person), exam_id, status="any")
    return reply.json["code"] if reply.status_int >= 400 else None


def give(admin, exam_id, body, **expected):
    expected = expected or {"status": 201}
    return admin.post(f"/exams/{exam_id}/allowances/", {**EVERYONE, **body}, **expected).json


def give_to(admin, exam_id, person, minutes):
    body = {"everyone": False, "candidate_id": str(person.id), "extra_minutes": minutes}
    return give(admin, exam_id, body)


def deadline(app, person, exam_id):
    """The candidate's deadline, which must be the same in the API and in a query."""
    shown = datetime.fromisoformat(
        take(app.new_session(person), exam_id, status=200).json["deadline"]
    )
    with begin(app.runtime) as work:
        found = work.db.scalar(
            select(clock.deadlines())
            .select_from(Attempt)
            .join(Exam, Exam.id == Attempt.exam_id)
            .where(Attempt.exam_id == exam_id, Attempt.candidate_id == person.id)
        )
    assert shown == found
    return shown


def pushed(app):
    with begin(app.runtime) as work:
        return work.db.scalar(select(func.count()).select_from(ClockChange))


def hand_in_by_service(app, person, exam_id, letters="A"):
    """Insert a submission, as the service does when a candidate's time is over."""
    with begin(app.runtime) as work:
        work.db.add(
            Submission(
                exam_id=exam_id,
                candidate_id=person.id,
                answers=letters,
                submitted_at=work.now,
                handed_in_by="service",
            )
        )
        jobs.enqueue(work, "scores.score", key=str(exam_id), exam_id=exam_id, candidate_id=None)
    app.run_jobs()


def test_minutes_add_up_for_the_concerned_candidates_and_later_starters(app, admin):
    exam_id = make_exam(app, admin, "A")
    ada, ben, eve = (
        app.candidate(school=school, last_name="Obi") for school in ("Lycée Nº 1", "Lycée", "Other")
    )
    start = app.clock.now
    take(ada, exam_id), take(ben, exam_id)
    given = give_to(admin, exam_id, ada, 10)
    assert given == {
        "id": given["id"],
        "exam": exam_id,
        "candidate_id": str(ada.id),
        "candidate": {"user_id": str(ada.id), "full_name": "Ada Obi", "school": "Lycée Nº 1"},
        "school": None,
        "everyone": False,
        "extra_minutes": 10,
        "lost": None,
        "reason": EVERYONE["reason"],
        "affected": 1,
        "created_by": given["created_by"],
        "created_at": "2026-03-01T09:00:00Z",
    }
    assert given["created_by"]["user"]["id"] == str(admin.id)
    school = give(admin, exam_id, {"everyone": False, "school": " lycée nº 1 ", "extra_minutes": 5})
    assert (school["school"], school["affected"]) == ("Lycée Nº 1", 1)
    everybody = give(admin, exam_id, {"extra_minutes": 1, "lost": None, "candidate_id": None})
    assert (everybody["everyone"], everybody["affected"]) == (True, 2)
    later = app.candidate(school="LYCÉE Nº 1")
    for person, minutes in ((ada, 76), (ben, 61), (eve, 61), (later, 66)):
        assert deadline(app, person, exam_id) == start + timedelta(minutes=minutes)
    [late, *_, first] = admin.get(f"/exams/{exam_id}/allowances/").json["results"]
    assert (late["id"], first["id"]) == (everybody["id"], given["id"])
    moderator = app.staff("moderator")
    url = f"/exams/{exam_id}/allowances/"
    assert moderator.get(f"{url}?search=projector&ordering=id").json["results"][0] == first
    assert moderator.get(f"{url}?search=else").json["pagination"]["count"] == 0
    [entry, *_] = app.staff("manager").get("/audit/?action=allowance.give").json["results"]
    assert entry["new"]["reason"] == EVERYONE["reason"]


def test_extra_time_moves_the_end_for_started_candidates_until_the_exam_is_concluded(app, admin):
    exam_id = make_exam(app, admin, "A")
    ada = app.candidate()
    app.clock.advance(hours=10, minutes=30)
    admin = app.new_session(admin)
    closes = app.clock.now + timedelta(minutes=30)
    take(app.new_session(ada), exam_id)
    give(admin, exam_id, {"extra_minutes": 20})
    assert deadline(app, ada, exam_id) == closes + timedelta(minutes=20)
    app.clock.advance(minutes=30)
    # No candidate can start after the closing time, but the publication waits for candidates with
    # extra time.
    assert refused(app, app.candidate(), exam_id) == "exam_not_open"
    app.clock.advance(minutes=10)
    assert refused(app, ada, exam_id) is None
    other = make_exam(app, admin, "A")
    take(app.new_session(ada), other)
    give(admin, other, {"extra_minutes": 20})
    admin.post(f"/exams/{other}/conclude/")
    assert deadline(app, ada, other) == app.clock.now


@pytest.mark.parametrize("opened", [1, 2])
def test_a_shorter_window_takes_no_extra_time_away(app, admin, opened):
    """Whether the window is over or not, when it becomes shorter."""
    ada = app.candidate()
    exam_id = make_exam(
        app,
        admin,
        "A",
        scheduled_date=app.clock.now.isoformat(),
        open_duration_hours=opened,
        countdown_minutes=opened * 60,
    )
    take(ada, exam_id)
    give(admin, exam_id, {"extra_minutes": 40})
    app.clock.advance(minutes=70)
    ada = app.new_session(ada)
    ends = take(ada, exam_id).json["deadline"]
    earlier = (app.clock.now - timedelta(minutes=70, seconds=1)).isoformat()
    change = {"scheduled_date": earlier} if opened == 1 else {"open_duration_hours": 1}
    app.new_session(admin).patch(f"/exams/{exam_id}/", change, status=200)
    shown = take(ada, exam_id).json
    assert shown["extra_minutes"] == 40
    if opened == 1:
        assert shown["deadline"] == ends
    else:
        # The window ends now, and 40 minutes later for those with extra time.
        assert shown["seconds_remaining"] == 40 * 60
    body = {"sequence": 1, "answers": answers(app, exam_id, "A")["answers"]}
    assert ada.put(f"/exams/{exam_id}/draft/", body, status=200).json["applied"]


def test_extra_time_that_moves_no_deadline_is_rejected(app, admin):
    """An exam that ended early is over for everyone, while late answers are still accepted."""
    ada, ben = app.candidate(), app.candidate()
    exam_id = make_exam(app, admin, "A")
    for person in (ada, ben):
        take(person, exam_id)
    app.clock.advance(minutes=10)
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    lost = {"from": "2026-03-01T09:05Z", "until": "2026-03-01T09:09Z"}
    url = f"/exams/{exam_id}/allowances/"
    for given in (
        {"everyone": True, "extra_minutes": 30},
        {"candidate_id": str(ada.id), "extra_minutes": 30},
        {"everyone": True, "lost": lost},
    ):
        for path in (url, f"{url}preview/"):
            admin.post(path, {**given, "reason": "The power failed."}, status=400, code="invalid")
    assert admin.get(url).json["results"] == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"extra_minutes": 0},
        {"extra_minutes": 1441},
        {"everyone": False, "extra_minutes": 1},
        {"school": "Lycée", "extra_minutes": 1},
        {"everyone": False, "school": "", "extra_minutes": 1},
        {"everyone": False, "candidate_id": NOBODY, "extra_minutes": 1},
        {"everyone": False, "candidate_id": "ada", "extra_minutes": 1},
        {"extra_minutes": 1, "lost": {"from": "2026-03-01T09:00Z", "until": "2026-03-01T10:00Z"}},
        {"lost": {"from": "2026-03-01T10:00Z", "until": "2026-03-01T10:00Z"}},
        {"lost": {"from": "2026-03-01T10:00Z"}},
        {"lost": "all"},
        {"extra_minutes": 1, "reason": " "},
        {"extra_minutes": 1, "reason": "x" * 501},
    ],
    ids=str,
)
def test_a_malformed_allowance_is_rejected(app, admin, body):
    exam_id = make_exam(app, admin, "A")
    give(admin, exam_id, body, status=400, code="invalid")
    assert admin.get(f"/exams/{exam_id}/allowances/").json["results"] == []


def test_lost_time_is_given_back_to_running_attempts(app, admin):
    exam_id = make_exam(app, admin, "A", countdown_minutes=30)
    early, whole, half, submitted, later = [app.candidate() for _ in range(5)]
    start = app.clock.now
    take(early, exam_id)
    app.clock.advance(minutes=20)
    take(whole, exam_id), take(submitted, exam_id)
    submit(submitted, exam_id, answers(app, exam_id, "A"), status=201)
    app.clock.advance(minutes=15, seconds=0.4)
    take(half, exam_id)
    app.clock.advance(minutes=5)
    # The outage lasted from 9:25 to 9:40.
    lost = {
        "from": (start + timedelta(minutes=25)).isoformat(),
        "until": (start + timedelta(minutes=40)).isoformat(),
    }
    given = give(admin, exam_id, {"lost": lost})
    assert given["lost"] == {"from": "2026-03-01T09:25:00Z", "until": "2026-03-01T09:40:00Z"}
    # The first candidate's time was over at 9:30, during the outage. So all time from 9:25 until
    # now is given back.
    assert (given["affected"], given["extra_minutes"]) == (3, None)
    take(later, exam_id)
    with begin(app.runtime) as work:
        rows = work.db.execute(select(ExtraTime.candidate_id, ExtraTime.seconds))
        seconds = {candidate_id: seconds for candidate_id, seconds in rows}
    # Parts of a second are rounded up.
    assert seconds == {early.id: 15 * 60 + 1, whole.id: 15 * 60, half.id: 5 * 60}
    assert deadline(app, half, exam_id) == start + timedelta(minutes=70, seconds=0.4)


def test_a_percentage_extends_the_countdown_and_is_fixed_at_the_start(app, admin):
    ada = app.candidate()
    url = f"/candidates/{ada.id}/allowance/"
    unset = {"percent": 0, "reason": None, "updated_by": None, "updated_at": None}
    assert admin.get(url).json == unset
    before, after = make_exam(app, admin, "A"), make_exam(app, admin, "A", countdown_minutes=7)
    take(ada, before)
    for percent in (10, 33):
        shown = admin.put(url, {"percent": percent, "reason": "Writes slowly."}).json
    assert shown == admin.get(url).json
    assert (shown["percent"], shown["reason"]) == (33, "Writes slowly.")
    assert shown["updated_by"]["user"]["id"] == str(admin.id)
    start = app.clock.now
    assert deadline(app, ada, before) == start + timedelta(minutes=60)
    # 33 percent of 7 minutes are 138.6 seconds, rounded up.
    assert deadline(app, ada, after) == start + timedelta(minutes=7, seconds=139)
    admin.put(url, {"percent": 0, "reason": "Better now."})
    assert deadline(app, ada, after) == start + timedelta(minutes=7, seconds=139)
    # The percentage applies to the current countdown, and is added to the extra minutes.
    admin.patch(f"/exams/{after}/", {"countdown_minutes": 10})
    give_to(admin, after, ada, 2)
    assert deadline(app, ada, after) == start + timedelta(minutes=12, seconds=198)
    for body in ({"percent": 301}, {"percent": -1}, {"percent": 1, "reason": ""}):
        admin.put(url, {"reason": "No.", **body}, status=400, code="invalid")
    admin.put(f"/candidates/{NOBODY}/allowance/", {}, status=404)
    entries = app.staff("manager").get("/audit/?action=allowance.percent").json["results"]
    assert [entry["new"]["percent"] for entry in entries] == [0, 33, 10]
    assert entries[0]["new"]["reason"] == "Better now."


def test_a_percentage_also_extends_a_window_that_is_as_short_as_the_countdown(app, admin):
    ada, ben = app.candidate(), app.candidate()
    exam_id = make_exam(
        app, admin, "A", scheduled_date=app.clock.now.isoformat(), open_duration_hours=1
    )
    admin.put(f"/candidates/{ada.id}/allowance/", {"percent": 50, "reason": "Writes slowly."})
    opens = app.clock.now
    assert ada.get(f"/exams/{exam_id}/own-time/").json == {"minutes": 90}
    assert deadline(app, ben, exam_id) == opens + timedelta(minutes=60)
    app.clock.advance(minutes=20)
    # Starting late takes time from everyone, but no extra time.
    assert deadline(app, ada, exam_id) == opens + timedelta(minutes=90)
    assert take(ada, exam_id).json["extra_minutes"] == 30
    give_to(admin, exam_id, ada, 10)
    assert deadline(app, ada, exam_id) == opens + timedelta(minutes=100)
    [seat] = admin.get(f"/exams/{exam_id}/invigilation/?candidate={ada.id}").json["results"]
    assert seat["extra_minutes"] == take(ada, exam_id).json["extra_minutes"] == 40
    admin.post(f"/exams/{exam_id}/conclude/")
    # A concluded exam is over for everyone, so nobody has extra time.
    assert deadline(app, ada, exam_id) == app.clock.now
    assert take(ada, exam_id).json["extra_minutes"] == 0


def test_extra_time_of_a_candidate_who_started_can_not_be_deleted(app, admin):
    exam_id = make_exam(app, admin, "A")
    url = f"/exams/{exam_id}/allowances/"
    ada, ben = app.candidate(), app.candidate()
    hers, his = give_to(admin, exam_id, ada, 1)["id"], give_to(admin, exam_id, ben, 1)["id"]
    lost = {"from": "2026-03-01T07:00Z", "until": "2026-03-01T08:00Z"}
    unused = give(admin, exam_id, {"lost": lost})["id"]
    take(ada, exam_id)
    admin.delete(f"{url}{hers}/", status=400, code="invalid")
    admin.delete(f"/exams/{make_exam(app, admin, 'A')}/allowances/{his}/", status=404)
    for allowance_id in (his, unused):
        admin.delete(f"{url}{allowance_id}/", status=204)
        admin.delete(f"{url}{allowance_id}/", status=404)
    sit(app, ben, exam_id, "A")
    [entry, _] = app.staff("manager").get("/audit/?action=allowance.delete").json["results"]
    assert entry["old"] == {"id": unused, "reason": EVERYONE["reason"]}
    # A submission by the candidate is final.
    body = {"everyone": False, "candidate_id": str(ben.id), "extra_minutes": 1}
    give(admin, exam_id, body, status=400, code="invalid")


def test_extra_time_reopens_automatic_submissions_until_the_exam_is_sealed(app, admin):
    exam_id = make_exam(app, admin, "A")
    ada, ben, eve = (app.candidate() for _ in range(3))
    for person in (ada, ben, eve):
        take(person, exam_id)
    submit(ben, exam_id, answers(app, exam_id, "B"), status=201)
    app.clock.advance(minutes=66)
    hand_in_by_service(app, ada, exam_id)
    hand_in_by_service(app, eve, exam_id)
    assert score_of(app, ada, exam_id) == 100
    assert refused(app, ada, exam_id) == "exam_already_submitted"
    # One minute is too little to continue, so the automatic submission stays.
    assert give_to(admin, exam_id, eve, 1)["affected"] == 1
    assert score_of(app, eve, exam_id) is None
    assert give(admin, exam_id, {"extra_minutes": 10})["affected"] == 2
    assert score_of(app, ada, exam_id) is None
    assert score_of(app, ben, exam_id) == 0
    assert refused(app, ben, exam_id) == "exam_already_submitted"
    submit(app.new_session(ada), exam_id, answers(app, exam_id, "B"), status=201)
    assert score_of(app, ada, exam_id) == 0
    app.clock.advance(hours=12)
    admin = app.new_session(admin)
    hand_in_by_service(app, eve, exam_id)
    with begin(app.runtime) as work:
        assert [exam.id for exam in ending.seal_and_score(work)] == [exam_id]
    give(admin, exam_id, {"extra_minutes": 1440}, status=400, code="invalid")
    assert refused(app, eve, exam_id) == "exam_already_submitted"
    with begin(app.runtime) as work:
        assert work.db.scalar(select(func.max(ExtraTime.seconds))) == 600


def test_too_little_extra_time_reopens_nothing(app, admin):
    exam_id, ada = make_exam(app, admin, "A"), app.candidate()
    take(ada, exam_id)
    app.clock.advance(hours=2)
    admin = app.new_session(admin)
    hand_in_by_service(app, ada, exam_id)
    body = {"everyone": False, "candidate_id": str(ada.id), "extra_minutes": 54}
    give(admin, exam_id, body, status=400, code="invalid")
    assert refused(app, ada, exam_id) == "exam_already_submitted"
    assert give_to(admin, exam_id, ada, 55)["affected"] == 1
    assert refused(app, ada, exam_id) is None


def test_sealing_waits_for_the_latest_deadline(app, admin):
    exam_id, ada = make_exam(app, admin, "A"), app.candidate()
    admin.put(f"/candidates/{ada.id}/allowance/", {"percent": 100, "reason": "Slow."})
    app.clock.advance(hours=10, minutes=59)
    admin = app.new_session(admin)
    take(app.new_session(ada), exam_id)
    give_to(admin, exam_id, ada, 30)
    for minutes, sealed in ((95, False), (1, False), (1, True)):
        app.clock.advance(minutes=minutes)
        with begin(app.runtime) as work:
            assert bool(ending.seal_and_score(work)) == sealed


def test_only_changed_deadlines_are_pushed(app, admin):
    exam_id, ada = make_exam(app, admin, "A"), app.candidate()
    give(admin, exam_id, {"extra_minutes": 1})
    assert pushed(app) == 0
    take(ada, exam_id)
    admin.patch(f"/exams/{exam_id}/", {"title": "Another", "countdown_minutes": 60})
    assert pushed(app) == 0
    give(admin, exam_id, {"extra_minutes": 1})
    admin.patch(f"/exams/{exam_id}/", {"countdown_minutes": 61})
    admin.patch(f"/exams/{exam_id}/", {"is_active": False})
    admin.patch(f"/exams/{exam_id}/", {"is_active": True})
    admin.post(f"/exams/{exam_id}/conclude/")
    assert pushed(app) == 5
    app.clock.advance(days=1, seconds=1)
    app.forget("allowances.clocks")
    assert pushed(app) == 0


def test_staff_see_the_allowances_of_a_candidate(app, admin):
    exam_id, ada, ben = make_exam(app, admin, "A"), app.candidate(), app.candidate()
    nothing = {"percent": 0, "reason": None, "updated_at": None, "exams": []}
    assert admin.get(f"/candidates/{ada.id}/").json["allowances"] == nothing
    admin.put(f"/candidates/{ada.id}/allowance/", {"percent": 25, "reason": "Slow."})
    own = give_to(admin, exam_id, ada, 5)
    everybody = give(admin, exam_id, {"extra_minutes": 1})
    take(ada, exam_id)
    shown = admin.get(f"/candidates/{ada.id}/").json["allowances"]
    assert (shown["percent"], shown["reason"]) == (25, "Slow.")
    assert [each["id"] for each in shown["exams"]] == [everybody["id"], own["id"]]
    assert admin.get(f"/candidates/{ben.id}/").json["allowances"] == nothing
    for path in ("/candidates/me/", "/account-management/", "/dashboard/candidate/"):
        assert "Slow." not in ada.get(path).text
    with begin(app.runtime) as work:
        exported = personal_data.export(work, ada.id)["allowances"]
        assert (exported["percent"], len(exported["exams"])) == (25, 2)
        personal_data.erase(work, ada.id)
    shown = admin.get(f"/candidates/{ada.id}/").json["allowances"]
    assert (shown["percent"], shown["exams"][1]["reason"]) == (0, "Erased")
    for entry in app.staff("manager").get("/audit/?search=allowance").json["results"]:
        assert "Slow." not in str(entry)


def test_an_exam_that_nobody_started_is_deleted_with_its_allowances(app, admin):
    exam_id = make_exam(app, admin, "A")
    give(admin, exam_id, {"extra_minutes": 1})
    admin.delete(f"/exams/{exam_id}/", status=204)
    with begin(app.runtime) as work:
        assert work.db.get(Exam, exam_id) is None
    give(admin, exam_id, {"extra_minutes": 1}, status=404)


def test_a_reopened_draft_is_submitted_again(app, admin):
    exam_id, ada = make_exam(app, admin, "AB"), app.candidate()
    take(ada, exam_id)
    draft = {"sequence": 1, **answers(app, exam_id, "A ")}
    ada.put(f"/exams/{exam_id}/draft/", draft)
    app.clock.advance(minutes=66)
    app.run_task("drafts.hand_in")
    assert score_of(app, ada, exam_id) == 50
    give_to(admin, exam_id, ada, 30)
    assert score_of(app, ada, exam_id) is None
    ada.get(f"/exams/{exam_id}/receipt/", status=404)
    assert ada.get(f"/exams/{exam_id}/draft/").json["answered"] == 1
    app.clock.advance(minutes=30)
    app.run_task("drafts.hand_in")
    assert score_of(app, ada, exam_id) == 50
    [result] = admin.get(f"/exams/{exam_id}/results/").json
    assert result["handed_in_by"] == "service"


def test_a_candidate_learns_their_own_time_before_the_start(app, admin):
    ada, ben = app.candidate(), app.candidate()
    exam_id = make_exam(app, admin, "A")
    admin.put(f"/candidates/{ada.id}/allowance/", {"percent": 25, "reason": "Slow."})
    give_to(admin, exam_id, ada, 10)

    def minutes(person):
        return person.get(f"/exams/{exam_id}/own-time/", status=200).json["minutes"]

    assert (minutes(ada), minutes(ben)) == (85, 60)
    start = app.clock.now
    assert deadline(app, ada, exam_id) == start + timedelta(minutes=85)
    app.clock.advance(minutes=5)
    # The percentage is fixed at the start.
    admin.put(f"/candidates/{ada.id}/allowance/", {"percent": 0, "reason": "Better now."})
    assert (minutes(ada), minutes(ben)) == (85, 60)
    give_to(admin, exam_id, ada, 5)
    assert minutes(ada) == 90


def test_the_own_time_is_shorter_if_the_exam_closes_soon(app, admin):
    opens = app.clock.now + timedelta(hours=1)
    exam_id = make_exam(app, admin, "A", scheduled_date=opens.isoformat(), open_duration_hours=1)
    ada = app.candidate()
    path = f"/exams/{exam_id}/own-time/"
    assert ada.get(path, status=200).json == {"minutes": 60}
    app.clock.advance(hours=1, minutes=40)
    assert app.new_session(ada).get(path, status=200).json == {"minutes": 20}
    assert deadline(app, ada, exam_id) == app.clock.now + timedelta(minutes=20)
    app.clock.advance(minutes=30)
    assert app.candidate().get(path, status=200).json == {"minutes": 0}
    unplanned = make_exam(app, app.new_session(admin), "A", scheduled_date=None)
    ada = app.new_session(ada)
    assert ada.get(f"/exams/{unplanned}/own-time/", status=200).json == {"minutes": 60}
