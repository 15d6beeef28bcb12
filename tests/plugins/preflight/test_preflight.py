"""Pre-flight checks of an exam, freezing its questions in advance, and previewing it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from types import SimpleNamespace

import pytest
from psycopg import AsyncConnection
from sqlalchemy import func, select, text

from competition.core.errors import StorageUnavailable
from competition.core.exam_checks import Finding, PreflightCheck
from competition.core.jobs.models import Job
from competition.core.mail.transport import Transport, TransportUnreachable
from competition.core.storage.contract import Storage
from competition.core.work import begin
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.exams.services import papers, rows
from competition.plugins.preflight.services import operations
from competition.plugins.preflight.services.papers import take_back
from competition.plugins.questions.models import Question
from competition.plugins.sittings.models import Attempt
from competition.testing.exam_day import answers, make_exam, make_questions, publish, season, take
from competition.testing.races import overtaken, together
from competition.ws import listener
from tests.support import javascript
from tests.support.repository import REPOSITORY

CONSOLE = REPOSITORY / "competition/plugins/console/static/exams"
NAMES = {
    *("questions", "archived", "duplicates", "formulas", "key", "shared_questions", "window"),
    *("overlap", "candidates", "worker", "mail", "sockets", "redis", "storage", "capacity"),
    "limits",
}


def checks(admin, exam_id):
    reply = admin.get(f"/exams/{exam_id}/preflight/", status=200).json
    found = {check["name"]: check for check in reply["checks"]}
    assert len(found) == len(reply["checks"])
    assert reply["ready"] == all(check["level"] != "error" for check in found.values())
    return found


def level(admin, exam_id, name):
    return checks(admin, exam_id)[name]["level"]


def change(app, model, id, **fields):
    with begin(app.runtime) as work:
        row = work.db.get_one(model, id)
        for name, value in fields.items():
            setattr(row, name, value)


class TestTheExam:
    def test_a_correct_exam_passes_all_checks(self, app, admin):
        exam_id = make_exam(app, admin, "ABCD")
        app.candidate()
        found = checks(admin, exam_id)
        assert found.keys() >= NAMES
        of_exam = ("questions", "archived", "key", "shared_questions", "window", "overlap")
        assert {name: found[name]["level"] for name in of_exam} == dict.fromkeys(of_exam, "ok")

    def test_the_console_has_words_for_every_check(self, app, admin):
        found = checks(admin, make_exam(app, admin, "AB"))
        known = javascript.strings((CONSOLE / "plan.js").read_text())
        assert found.keys() - {*known} == set()
        texts = javascript.catalogue(CONSOLE / "texts/en.js")
        for kind in ("check", "do"):
            assert {f"exams.{kind}.{name}" for name in found} - texts.keys() == set()

    def test_missing_similar_and_archived_questions_are_reported(self, app, admin):
        assert level(admin, make_exam(app, admin, ""), "questions") == "error"
        ids = make_questions(app, "BBB")
        exam_id = make_exam(app, admin, questions=ids)
        assert level(admin, exam_id, "key") == "warning"
        assert level(admin, make_exam(app, admin, "B"), "key") == "ok"

        # The test kit gives the questions different options and texts.
        assert level(admin, exam_id, "duplicates") == "ok"
        change(app, Question, ids[0], text=" What  is IT?", option_b=" 4 ")
        change(app, Question, ids[2], text="what is it?")
        found = checks(admin, exam_id)["duplicates"]
        assert found["level"] == "warning"
        assert found["items"] == [
            f"question {ids[0]}: options are alike",
            f"question {ids[0]}, question {ids[2]}: texts are alike",
        ]
        assert level(admin, exam_id, "formulas") == "ok"
        change(app, Question, ids[1], text="What is x^2?", option_d="$y$")
        found = checks(admin, exam_id)["formulas"]
        assert (found["level"], found["items"]) == (
            "warning",
            [f"question {ids[1]}: x^2", f"question {ids[1]}, option D: $y$"],
        )

        change(app, Question, ids[1], archived_at=app.clock.now)
        found = checks(admin, exam_id)
        assert (found["archived"]["level"], found["archived"]["items"]) == (
            "error",
            [f"question {ids[1]}"],
        )
        assert found["questions"]["message"] == "The paper has 2 questions."

    def test_options_in_the_same_words_are_reported(self, app, admin):
        body = {"text": "What is it?", "option_a": r"\(x^2\)", "option_b": r"\(x^{2}\)"}
        body |= {"option_c": "x", "option_d": "y", "correct_answer": "A", "difficulty": "easy"}
        made = admin.post("/questions/", body, status=201).json
        found = checks(admin, make_exam(app, admin, questions=[made["id"]]))["duplicates"]
        assert found["items"] == [f"question {made['id']}: options are read in the same words"]

    def test_messages_are_in_the_language_of_the_reader(self, app, admin):
        exam_id = make_exam(app, admin, "AA")
        headers = {"Accept-Language": "fr"}
        reply = admin.get(f"/exams/{exam_id}/preflight/", headers=headers, status=200)
        found = {each["name"]: each["message"] for each in reply.json["checks"]}
        assert found["questions"] == "Le sujet compte 2 questions."
        assert found["key"] == "La bonne réponse à toutes les questions est A."
        items = {each["name"]: each["items"] for each in reply.json["checks"]}
        assert items["capacity"][0].startswith("connexions\u00a0: ")
        assert (
            items["capacity"][1].endswith("1 attendus, aucun mesuré")
            or "0 attendus" in (items["capacity"][1])
        )
        assert reply.headers["Content-Language"] == "fr"

    def test_questions_shared_with_an_open_exam_are_a_warning(self, app, admin):
        ids = make_questions(app, "AB")
        exam_id = make_exam(app, admin, questions=ids, stage="league")
        other = make_exam(app, admin, questions=ids[1:])
        found = checks(admin, exam_id)["shared_questions"]
        assert (found["level"], found["items"]) == ("warning", [f"question {ids[1]}"])
        admin.post(f"/exams/{other}/conclude/", status=200)
        assert level(admin, exam_id, "shared_questions") == "ok"

    @pytest.mark.parametrize(
        ("text", "copy", "is_copy"),
        [
            ("Is 1.5 < x?", "is 1.5 <  x ?", True),
            ("“Is x prime”: yes, or no?", "Is x prime; yes or no", True),
            ("How large is x²?", "How large is x2?", False),
            ("Is 1.5 < x?", "Is 15 < x?", False),
            ("What is 2 + 3?", "What is 2 - 3?", False),
            ("What is n!?", "What is n?", False),
        ],
    )
    def test_a_copy_of_a_question_of_a_coming_exam_is_a_warning(
        self, app, admin, text, copy, is_copy
    ):
        ids = make_questions(app, "AB")
        with begin(app.runtime) as work:
            for question_id, written in zip(ids, (text, copy), strict=True):
                work.db.get_one(Question, question_id).text = written
        exam_id = make_exam(app, admin, questions=ids[:1], stage="league")
        make_exam(app, admin, questions=ids[1:])
        found = checks(admin, exam_id)["shared_questions"]
        expected = ("warning", [f"question {ids[0]}"]) if is_copy else ("ok", [])
        assert (found["level"], found["items"]) == expected

    def test_questions_with_published_answers_are_a_warning(self, app, admin):
        other, _ = season(app, admin, ["AB"], key="AB")
        ids = [each["id"] for each in admin.get(f"/exams/{other}/questions/").json]
        # The text of the copy equals the text of the second question.
        [copy, fresh] = make_questions(app, "CC")
        with begin(app.runtime) as work:
            known = work.db.get_one(Question, ids[1])
            work.db.get_one(Question, copy).text = f" {known.text.upper()}"
        exam_id = make_exam(app, admin, questions=[ids[0], copy, fresh], stage="league")
        app.clock.advance(minutes=6)
        found = checks(admin, exam_id)["shared_questions"]
        assert (found["level"], found["items"]) == ("warning", [f"question {ids[0]}"])
        assert "not published yet" in found["message"]
        publish(app, admin)
        found = checks(admin, exam_id)["shared_questions"]
        known = [f"question {each}" for each in sorted([ids[0], copy])]
        assert (found["level"], found["items"]) == ("warning", known)
        assert "were published" in found["message"]

    def test_a_missing_or_short_window_is_an_error(self, app, admin):
        hour = {"open_duration_hours": 1, "countdown_minutes": 60}
        now = app.clock.now.isoformat()
        exam_id = make_exam(app, admin, "AB", scheduled_date=now, **hour)
        assert level(admin, exam_id, "window") == "ok"
        admin.patch(f"/exams/{exam_id}/", {"countdown_minutes": 61})
        assert level(admin, exam_id, "window") == "error"
        for wrong in ({"scheduled_date": None}, {"is_active": False}):
            other = make_exam(app, admin, "AB", **wrong)
            assert level(admin, other, "window") == "error"
        app.clock.advance(hours=1)
        assert checks(admin, exam_id)["window"]["message"] == "The exam is concluded."

    def test_an_overlapping_exam_of_the_stage_is_a_warning(self, app, admin):
        hours = {"open_duration_hours": 2}
        exam_id = make_exam(app, admin, "AB", **hours)
        after = (app.clock.now + timedelta(hours=1)).isoformat()
        make_exam(app, admin, "AB", scheduled_date=after, **hours)
        make_exam(app, admin, "AB", stage="league", **hours)
        make_exam(app, admin, "AB", is_active=False, **hours)
        assert level(admin, exam_id, "overlap") == "ok"
        assert level(admin, make_exam(app, admin, "AB", scheduled_date=None), "overlap") == "ok"
        other = make_exam(app, admin, "AB", title="The other", **hours)
        found = checks(admin, exam_id)["overlap"]
        assert (found["level"], found["items"]) == ("warning", [f"exam {other}: The other"])

    def test_an_exam_of_another_season_is_no_rival(self, app, admin):
        """Nor is an exam that was concluded early open at the same time."""
        days = {"open_duration_hours": 72}
        earlier = make_exam(app, admin, "AB", **days)
        admin.post(f"/exams/{earlier}/conclude/", status=200)
        app.clock.advance(minutes=10)
        second = make_exam(app, admin, "AB", **days)
        found = checks(admin, second)
        assert found["overlap"]["level"] == "ok"
        assert found["round"]["items"] == [f"exam {earlier}: Screening"]
        admin.delete(f"/exams/{second}/", status=204)
        app.candidate()
        app.staff("superadmin").post("/seasons/", {"name": "The next year"}, status=201)
        found = checks(admin, make_exam(app, admin, "AB", **days))
        assert (found["overlap"]["level"], found["round"]["level"]) == ("ok", "ok")
        # The candidate has not joined the new season.
        assert found["candidates"]["message"].startswith("No candidate of the stage takes part")
        assert found["candidates"]["items"] == ["not joined the season yet: 1"]

    def test_a_stage_without_verified_candidates_is_a_warning(self, app, admin):
        exam_id = make_exam(app, admin, "AB", stage="final")
        app.candidate("league")
        found = checks(admin, exam_id)["candidates"]
        assert (found["level"], found["items"]) == ("warning", [])
        assert found["message"] == "No candidate has reached the stage of this exam yet."
        app.candidate("final", verification="not_submitted")
        found = checks(admin, exam_id)["candidates"]
        assert (found["level"], found["items"]) == ("warning", ["identity not approved yet: 1"])
        assert found["message"] == "Candidates of the stage: 0 verified, 1 not verified."
        app.candidate("final")
        assert level(admin, exam_id, "candidates") == "ok"

    def test_candidates_who_have_not_joined_are_no_starts(self, app, admin):
        """Not joining the season is named before the identity, which may be approved later."""
        app.candidate()
        app.candidate(verification="not_submitted")
        app.staff("superadmin").post("/seasons/", {"name": "The next year"}, status=201)
        app.candidate(verification="not_submitted")
        found = checks(admin, make_exam(app, admin, "AB"))
        reasons = ["not joined the season yet: 2", "identity not approved yet: 1"]
        assert (found["candidates"]["level"], found["candidates"]["items"]) == ("warning", reasons)
        assert "0 expected" in found["capacity"]["items"][1]


class TestTheService:
    @pytest.fixture
    def exam_id(self, app, admin):
        return make_exam(app, admin, "AB")

    def test_a_service_without_a_worker_is_an_error(self, app, admin, exam_id):
        assert level(admin, exam_id, "worker") == "error"
        with begin(app.runtime) as work:
            job = Job(
                name="core.any",
                args={},
                state="done",
                run_after=work.now,
                request_id="-",
                created_at=work.now,
                finished_at=work.now,
            )
            work.db.add(job)
        app.clock.advance(minutes=1)
        assert level(admin, exam_id, "worker") == "ok"
        app.clock.advance(seconds=1)
        assert level(admin, exam_id, "worker") == "error"
        change(app, Job, job.id, state="running", lease_until=app.clock.now)
        assert level(admin, exam_id, "worker") == "ok"

    def test_an_unavailable_dependency_is_a_warning(self, app, admin, exam_id, tmp_path):
        found = checks(admin, exam_id)
        assert {found[name]["level"] for name in ("mail", "redis")} == {"ok"}

        def unreachable():
            raise TransportUnreachable(ConnectionRefusedError())

        app.runtime.provide(Transport, SimpleNamespace(open=unreachable))
        app.runtime.redis = SimpleNamespace(ping=lambda: app.runtime.nothing)
        found = checks(admin, exam_id)
        assert found["mail"]["message"].endswith("ConnectionRefusedError.")
        # If a check raises an unexpected error, the error is reported, and all other checks still
        # run.
        assert "could not be made" in found["redis"]["message"]
        assert {found[name]["level"] for name in ("mail", "redis")} == {"warning"}

    def test_a_folder_that_can_not_be_written_to_is_a_warning(self, app_with, tmp_path):
        (tmp_path / "file").touch()
        # The first upload creates a folder that does not exist.
        for folder, expected in ((tmp_path / "new", "ok"), (tmp_path / "file/new", "warning")):
            app = app_with({"competition.storage.folder": str(folder)})
            admin = app.staff("admin")
            assert level(admin, make_exam(app, admin), "storage") == expected

    def test_an_s3_storage_that_does_not_respond_is_a_warning(self, app_with):
        def unavailable(*_):
            raise StorageUnavailable

        app = app_with({"competition.storage.s3_bucket": "files"})
        admin = app.staff("admin")
        exam_id = make_exam(app, admin)
        app.runtime.provide(Storage, SimpleNamespace(exists=lambda _: False))
        assert level(admin, exam_id, "storage") == "ok"
        app.runtime.provide(Storage, SimpleNamespace(exists=unavailable))
        assert level(admin, exam_id, "storage") == "warning"

    def test_a_failing_statement_of_a_check_stops_no_other_check(self, app, admin, exam_id):
        def breaks(work, subject):
            return Finding(work.db.execute(text("select 1 / 0")).scalar_one() == 1)

        broken = PreflightCheck("broken", "error", breaks)
        app.runtime.catalogue.add(PreflightCheck, "broken", broken)
        found = checks(admin, exam_id)
        assert (found["broken"]["level"], found["questions"]["level"]) == ("error", "ok")

    def test_a_missing_socket_process_is_a_warning(self, app, admin, exam_id):
        assert level(admin, exam_id, "sockets") == "warning"

    def test_a_running_socket_process_passes(self, app, admin, exam_id, monkeypatch):
        """Even if its last statement was not LISTEN, but a test of the connection."""
        monkeypatch.setattr(listener, "LONGEST_SILENCE", 0.1)
        execute, tested = AsyncConnection.execute, asyncio.Event()

        async def note(connection, statement):
            await execute(connection, statement)
            if statement == "select 1":
                tested.set()

        monkeypatch.setattr(AsyncConnection, "execute", note)
        with begin(app.runtime) as work:
            address = work.db.get_bind().engine.url.render_as_string(hide_password=False)

        async def listened() -> str:
            own = listener.Listener(address, lambda: None, lambda *_: None)
            running = asyncio.create_task(own.run())
            await tested.wait()
            found: str = await asyncio.to_thread(level, admin, exam_id, "sockets")
            running.cancel()
            return found

        # In a thread of its own, because Playwright uses asyncio in that of the tests.
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(asyncio.run, listened()).result() == "ok"

    def test_too_little_measured_capacity_is_a_warning(self, app, admin, exam_id):
        found = checks(admin, exam_id)["capacity"]
        assert found["level"] == "ok" and found["items"][1].endswith("none measured")
        take(app.candidate(), exam_id)
        seconds = operations.measured_seconds(app.runtime.metrics.request_seconds.collect())
        assert seconds > 0
        app.runtime.metrics.request_seconds.labels("GET", operations.OPENING, 200).observe(10**6)
        found = checks(admin, exam_id)["capacity"]
        assert found["level"] == "warning" and "1 expected, 0 possible" in found["items"][1]

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"enabled": False}, "disabled"),
            ({"enabled": True, "preset": "development"}, "development"),
            ({"enabled": True}, "No school network"),
        ],
    )
    def test_unsuitable_rate_limits_are_reported(self, app, changes, said):
        settings = app.runtime.settings.replace(operations.RateLimitSettings, **changes)
        work = SimpleNamespace(settings=settings)
        found = operations.limits_let_schools_in(work, 1)
        assert not found.is_fine and said in found.message

    def test_a_backup_older_than_two_days_is_a_warning(self, app, admin, exam_id):
        assert level(admin, exam_id, "backups") == "warning"
        report = {
            "status": "success",
            "environment": "prod",
            "timestamp": app.clock.now.isoformat(),
            "backup_filename": "league.dump",
        }
        app.anonymous.post("/webhooks/db-backup/", report)
        app.clock.advance(days=2)
        assert level(app.new_session(admin), exam_id, "backups") == "ok"
        app.clock.advance(seconds=1)
        assert level(app.new_session(admin), exam_id, "backups") == "warning"


class TestPreparing:
    def paper_of(self, app, exam_id):
        with begin(app.runtime) as work:
            return work.db.scalar(select(Paper.frozen_at).where(Paper.exam_id == exam_id))

    def test_preparing_freezes_the_questions_once(self, app, admin):
        exam_id = make_exam(app, admin, "ABCD")
        reply = admin.post(f"/exams/{exam_id}/prepare/", status=200).json
        assert {check["name"] for check in reply["checks"]} >= NAMES
        frozen_at = self.paper_of(app, exam_id)
        assert frozen_at == app.clock.now
        app.clock.advance(minutes=1)
        admin.post(f"/exams/{exam_id}/prepare/", status=200)
        assert self.paper_of(app, exam_id) == frozen_at
        [question] = make_questions(app, "A")
        admin.patch(f"/exams/{exam_id}/", {"questions": [question]}, status=400, code="invalid")
        report = admin.post(f"/questions/{question}/exams/", {"add_to_exams": [exam_id]}).json
        assert report["added"] == []

    def test_an_exam_without_questions_can_not_be_prepared(self, app, admin):
        exam_id = make_exam(app, admin, "")
        admin.post(f"/exams/{exam_id}/prepare/", status=400, code="invalid")

    def test_preparing_freezes_nothing_but_the_questions(self, app, admin):
        """The other restrictions (decisions G9 and G10) apply once a candidate has started."""
        exam_id = make_exam(app, admin, "AB")
        admin.post(f"/exams/{exam_id}/prepare/", status=200)
        changes = {"stage": "league", "countdown_minutes": 1, "scheduled_date": None}
        changed = admin.patch(f"/exams/{exam_id}/", changes, status=200).json
        assert {name: changed[name] for name in changes} == changes
        admin.delete(f"/exams/{exam_id}/", status=204)
        with begin(app.runtime) as work:
            assert work.db.get(Exam, exam_id) is None

    def test_a_prepared_exam_without_attempts_has_no_leaderboard(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        admin.post(f"/exams/{exam_id}/prepare/", status=200)
        admin.post(f"/exams/{exam_id}/conclude/", status=200)
        publish(app, admin)
        admin.get(f"/leaderboard/?exam_id={exam_id}", status=404)

    def test_a_preparation_can_be_undone_until_a_candidate_starts(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        undo = f"/exams/{exam_id}/prepare/"
        admin.delete(undo, status=204)
        admin.post(undo, status=200)
        # This request caches the frozen questions. Undoing the preparation must remove them from
        # the cache.
        admin.get(f"/exams/{exam_id}/", status=200)
        admin.delete(undo, status=204)
        assert self.paper_of(app, exam_id) is None
        new = make_questions(app, "DCD")
        admin.patch(f"/exams/{exam_id}/", {"questions": new}, status=200)
        person = app.candidate()
        paper = take(person, exam_id, status=200).json
        assert [question["id"] for question in paper["questions"]] == new
        admin.delete(undo, status=400, code="invalid")
        admin.post(undo, status=200)
        assert app.runtime.part(papers.PaperCache).get(exam_id) is not None

    def test_preparing_and_undoing_are_audited_once(self, app, admin, manager):
        exam_id = make_exam(app, admin, "AB")
        for _ in range(2):
            admin.post(f"/exams/{exam_id}/prepare/")
        for _ in range(2):
            admin.delete(f"/exams/{exam_id}/prepare/")
        trail = manager.get("/audit/?limit=100").json["results"]
        acts = [each["action"] for each in trail if "prepar" in each["action"]]
        assert sorted(acts) == ["exam.prepare", "exam.take_back_preparation"]

    def test_starting_while_a_preparation_is_undone_freezes_a_new_paper(self, live):
        exam_id = make_exam(live, live.staff("admin"), "AB")
        admin, person = live.staff("admin"), live.candidate()
        with begin(live.runtime) as work:
            papers.freeze(work, rows.locked(work, exam_id))
        reply = overtaken(
            live,
            admin,
            lambda work: take_back(work, rows.locked(work, exam_id)),
            lambda: take(person, exam_id, status="any"),
        )
        assert (reply.status_int, len(reply.json["questions"])) == (200, 2)
        # If both happen at the same time, either order is valid.
        other = make_exam(live, admin, "AB")
        admin.post(f"/exams/{other}/prepare/")
        one, both = together(
            2,
            lambda nth: (
                take(person, other, status="any")
                if nth
                else admin.delete(f"/exams/{other}/prepare/", status="any")
            ),
        )
        assert one.status_int in (204, 400) and both.status_int == 200
        with begin(live.runtime) as work:
            assert work.db.get(Paper, other) is not None


class TestPreview:
    def test_a_preview_shows_what_candidates_see(self, app, admin):
        exam_id = make_exam(app, admin, "ABCD")
        ids = [each["question"] for each in answers(app, exam_id, "ABCD")["answers"]]
        change(app, Question, ids[1], archived_at=app.clock.now)
        before = admin.get(f"/exams/{exam_id}/preview/", status=200).json
        admin.post(f"/exams/{exam_id}/prepare/")
        prepared = admin.get(f"/exams/{exam_id}/preview/", status=200).json
        person = app.candidate()
        paper = take(person, exam_id, status=200).json
        assert before == prepared == paper
        assert [question["id"] for question in paper["questions"]] == [ids[0], *ids[2:]]

    def test_a_preview_stores_nothing(self, app, admin):
        exam_id = make_exam(app, admin, "AB", scheduled_date=None, countdown_minutes=30)
        shown = admin.get(f"/exams/{exam_id}/preview/", status=200).json
        assert (shown["status"], shown["seconds_remaining"]) == ("draft", 30 * 60)
        assert level(admin, exam_id, "questions") == "ok"
        with begin(app.runtime) as work:
            assert work.db.scalar(select(func.count()).select_from(Attempt)) == 0
            assert work.db.get(Paper, exam_id) is None
            assert work.db.get_one(Exam, exam_id).first_started_at is None
