"""Saving answers during an exam, and reading them again."""

from datetime import timedelta

from sqlalchemy import func, select, text

from competition.core.audit import AuditEntry
from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.drafts.models import Draft
from competition.plugins.drafts.services import saving
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.services import taking
from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.races import overtaken, together
from tests.support.statements import above, counts

NOTHING = {"sequence": 0, "answered": 0, "saved_at": None, "answers": []}


def shown(time):
    return time.isoformat().replace("+00:00", "Z")


def save(app, person, exam_id, sequence, letters="", **expected):
    """Save `letters` in the order of the questions. A dot leaves out a question, and a space clears
    its answer.
    """
    sheet = answers(app, exam_id, letters)["answers"]
    named = [each for each, letter in zip(sheet, letters, strict=True) if letter != "."]
    return put(person, exam_id, {"sequence": sequence, "answers": named}, **expected)


def put(person, exam_id, body, **expected):
    return person.put(f"/exams/{exam_id}/draft/", body, **expected)


def read(person, exam_id, **expected):
    return person.get(f"/exams/{exam_id}/draft/", **expected)


def letters_of(app, exam_id, draft):
    """The letters of a draft, in the format of `save`."""
    given = {each["question"]: each["selected_option"] for each in draft["answers"]}
    asked = answers(app, exam_id, "-" * 10)["answers"]
    return "".join(given.get(each["question"], "-") for each in asked)


def test_saves_are_merged_and_another_device_continues_the_draft(app, admin):
    exam_id, person = make_exam(app, admin, "ABCD"), app.candidate()
    assert take(person, exam_id).json["draft"] == NOTHING == read(person, exam_id).json
    first = save(app, person, exam_id, 3, "a.c.").json
    deadline = app.clock.now + timedelta(minutes=60)
    assert first == {
        **{"applied": True, "sequence": 3, "answered": 2, "saved_at": shown(app.clock.now)},
        **{"server_time": shown(app.clock.now), "deadline": shown(deadline)},
        "seconds_remaining": 3600,
    }
    app.clock.advance(seconds=30)
    # One answer is changed, one is cleared, and one is new.
    second = save(app, person, exam_id, 10**12, "B. D").json
    assert (second["applied"], second["answered"], second["seconds_remaining"]) == (True, 2, 3570)
    other_device = app.new_session(person)
    draft = take(other_device, exam_id).json["draft"]
    assert draft == read(other_device, exam_id).json
    assert (draft["sequence"], draft["saved_at"]) == (10**12, shown(app.clock.now))
    assert letters_of(app, exam_id, draft) == "B--D"
    # A save without answers is a heartbeat.
    app.clock.advance(seconds=30)
    alive = save(app, person, exam_id, 10**12 + 1).json
    assert (alive["applied"], alive["answered"]) == (True, 2)
    assert alive["saved_at"] == shown(app.clock.now)
    assert read(app.candidate(), exam_id, status=400).json["code"] == "exam_not_started"


def test_a_late_save_changes_nothing_and_a_retry_gets_the_same_reply(app, admin):
    exam_id, person = make_exam(app, admin, "ABCD"), app.candidate()
    take(person, exam_id)
    save(app, person, exam_id, 7, "AB..")
    saved_at = shown(app.clock.now)
    app.clock.advance(seconds=1)
    for sequence, letters, applied in (
        (6, "DDDD", False),
        (7, "AC..", False),
        # With the same sequence, but fewer or more answers, it is a different save.
        (7, "A...", False),
        (7, "AB. ", False),
        (7, "ab..", True),
    ):
        reply = save(app, person, exam_id, sequence, letters, status=200).json
        assert (reply["applied"], reply["sequence"]) == (applied, 7), letters
        assert (reply["answered"], reply["saved_at"]) == (2, saved_at)
    assert letters_of(app, exam_id, read(person, exam_id).json) == "AB--"


def test_an_invalid_save_changes_nothing(app, admin):
    exam_id, person = make_exam(app, admin, "ABCD"), app.candidate()
    take(person, exam_id)
    save(app, person, exam_id, 1, "A...")
    before = read(person, exam_id).json
    [mine, other] = answers(app, exam_id, "BC")["answers"]
    [foreign] = answers(app, make_exam(app, admin, "A"), "A")["answers"]
    for body, field in (
        ({"answers": [mine]}, "sequence"),
        ({"sequence": 0, "answers": [mine]}, "sequence"),
        ({"sequence": "x", "answers": [mine]}, "sequence"),
        ({"sequence": 2**63, "answers": [mine]}, "sequence"),
        ({"sequence": 2}, "answers"),
        ({"sequence": 2, "answers": None}, "answers"),
        ({"sequence": 2, "answers": "A"}, "answers"),
        ({"sequence": 2, "answers": [mine, foreign]}, "answers"),
        ({"sequence": 2, "answers": [mine, other, mine]}, "answers"),
        ({"sequence": 2, "answers": [other, {**mine, "selected_option": "E"}]}, "answers"),
        ({"sequence": 2, "answers": [mine] * 501}, "answers"),
    ):
        reply = put(person, exam_id, body, status=400, code="invalid")
        assert list(reply.json["errors"]) == [field]
    assert read(person, exam_id).json == before


def test_only_candidates_taking_the_exam_can_save(app, admin):
    exam_id, person, late = make_exam(app, admin, "ABCD"), app.candidate(), app.candidate()
    body = {"sequence": 1, "answers": []}
    unverified = app.candidate(verification="pending")
    put(unverified, exam_id, body, status=403, code="unverified_candidate")
    put(person, exam_id + 1, body, status=404, code="not_found")
    # The candidate's status is checked before the body.
    put(person, exam_id, {}, status=400, code="exam_not_started")
    for each in (person, late):
        take(each, exam_id)
    save(app, person, exam_id, 1, "A...")
    submit(person, exam_id, answers(app, exam_id, "BBBB"), status=201)
    for ask in (
        lambda: put(person, exam_id, {}, status="any"),
        lambda: read(person, exam_id, status="any"),
    ):
        assert ask().json["code"] == "exam_already_submitted"
    app.clock.advance(minutes=65)
    save(app, late, exam_id, 1, "A...", status=200)
    app.clock.advance(seconds=1)
    save(app, late, exam_id, 2, "B...", status=403, code="exam_not_open")
    read(late, exam_id, status=403, code="exam_not_open")


def test_a_save_takes_few_statements_and_updates_no_index(app_with, ours, statements):
    app = app_with(ours)
    exam_id, person = make_exam(app, app.staff("admin"), "ABCD"), app.candidate()
    take(person, exam_id)
    take(person, exam_id)
    bodies = [
        {"sequence": each, **answers(app, exam_id, letters)}
        for each, letters in ((1, "A"), (2, "BB"), (2, "BC"))
    ]
    acts = {
        name: lambda body=body: put(person, exam_id, body)
        for name, body in zip(("first", "next", "late"), bodies, strict=True)
    }
    acts["read"] = lambda: read(person, exam_id)
    acts["paper"] = lambda: take(person, exam_id)
    # The first statement of each request loads the caller. A save updates its draft without looking
    # for it first.
    limits = {"first": 5, "next": 3, "late": 6, "read": 3, "paper": 3}
    assert above(limits, counts(statements, acts)) == {}
    updated = text(
        "select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = 'draft'"
    )
    with begin(app.runtime) as work:
        changed, without_an_index = work.db.execute(updated).one()
        assert changed == without_an_index > 0


def test_saving_has_a_rate_limit_of_its_own(app_with):
    app = app_with({"competition.ratelimit.enabled": "true"})
    exam_id, person = make_exam(app, app.staff("admin")), app.candidate()
    take(person, exam_id)
    for _ in range(10):
        person.get("/candidates/me/", status="any")
    assert save(app, person, exam_id, 1, "A").headers["X-RateLimit-Limit"] == "120"


def test_staff_can_read_drafts_until_the_exam_is_published(app_with):
    app = app_with({"competition.drafts.kept_days": "2"})
    admin = app.staff("admin")
    exam_id, person = make_exam(app, admin, "ABCD"), app.candidate()
    take(person, exam_id)
    path = f"/exams/{exam_id}/drafts/{person.id}/"
    admin.get(path, status=404, code="not_found")
    save(app, person, exam_id, 1, "AB..")
    submit(person, exam_id, answers(app, exam_id, "DDDD"), status=201)
    draft = admin.get(path).json
    assert (draft["sequence"], letters_of(app, exam_id, draft)) == (1, "AB--")
    with begin(app.runtime) as work:
        entry = work.db.scalars(select(AuditEntry).where(AuditEntry.action == "draft.read")).one()
        assert (entry.actor_id, entry.target_id) == (admin.id, person.id)
        assert entry.subject == f"exam {exam_id}"
        exam = work.db.get_one(Exam, exam_id)
        exam.sealed_at = exam.published_at = work.now

    def stored_drafts():
        app.forget("drafts.drafts")
        with begin(app.runtime) as work:
            return work.db.scalar(select(func.count()).select_from(Draft))

    app.clock.advance(days=2, seconds=-1)
    admin = app.staff("admin")
    admin.get(path, status=200)
    assert stored_drafts() == 1
    app.clock.advance(seconds=1)
    admin.get(path, status=404)
    assert stored_drafts() == 0


def test_a_draft_is_personal_data(app, admin):
    exam_id, person, other = make_exam(app, admin, "ABCD"), app.candidate(), app.candidate()
    for each in (person, other):
        take(each, exam_id)
        save(app, each, exam_id, 1, "AB..")
    with begin(app.runtime) as work:
        assert personal_data.export(work, person.id)["drafts"] == [
            {"exam_title": "Screening", "answers": "AB--", "saved_at": app.clock.now}
        ]
        personal_data.erase(work, person.id)
        assert work.db.scalars(select(Draft.candidate_id)).all() == [other.id]


def test_the_highest_sequence_wins_and_every_devices_answers_are_stored(live):
    exam_id, person = make_exam(live, live.staff("admin"), "ABCDABCDAB"), live.candidate()
    take(person, exam_id)
    sheet = answers(live, exam_id, "ABCDABCDAB")["answers"]

    # Each request saves another question. The first requests find no row yet.
    def save_one(index):
        return put(person, exam_id, {"sequence": index + 1, "answers": [sheet[index]]}).json

    replies = together(10, save_one)
    applied = {index for index, reply in enumerate(replies) if reply["applied"]}
    assert 9 in applied
    draft = read(person, exam_id).json
    assert draft["sequence"] == 10
    assert {each["question"] for each in draft["answers"]} == {
        sheet[index]["question"] for index in applied
    }


def test_opening_the_paper_while_another_device_saves_shows_its_save(live):
    exam_id, person = make_exam(live, live.staff("admin"), "AB"), live.candidate()
    [question, _] = [each["question"] for each in answers(live, exam_id, "AB")["answers"]]

    def start_and_save(work):
        taking.take_exam(work, exam_id)
        saving.save(work, saving.running_attempt(work, exam_id), exam_id, 7, [(question, "A")])

    opened = overtaken(live, person, start_and_save, lambda: take(person, exam_id, status=200))
    assert opened.json["draft"]["sequence"] == 7
