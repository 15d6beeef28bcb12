"""A league in which every page of the console has something to show, and the pages' addresses."""

from sqlalchemy import select, update

from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.work import begin
from competition.plugins.exams.models import ExamQuestion
from competition.plugins.notifications.events import Notify
from competition.testing.exam_day import answers, make_exam, publish, season, submit, take
from competition.testing.identity_papers import PNG, documents
from competition.testing.identity_papers import submit as send_documents
from competition.testing.service import Person
from tests.support.browser import Site

KEY = "ABCD"
SHEETS = ["ABBD"] * 12 + ["ABBC"] * 4 + ["DCCA"] * 4
DAY_TABS = ("questions", "announcements", "time")
PLAN = {"from_stage": "screening", "to_stage": "league", "ties": "in", "rule": {"top": 2}}


def league(site: Site, boss: Person) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Hold some exams, and create what the other pages show. `boss` is a superadmin.

    Returns the address of each page, by its route, and the addresses of further views: tabs, and
    objects in another state.
    """
    app = site.service
    over, people = season(app, boss, SHEETS, key=KEY, title="Round 1")
    waiting, _ = season(app, boss, SHEETS[:2], key=KEY, title="Round 2", round=2)
    app.clock.advance(minutes=6)
    publish(app, boss)
    at = "2030-12-14T18:00:00Z"
    boss.post("/leaderboard/publish/", {"exams": [waiting], "publish_at": at}, status=202)
    coming = make_exam(app, boss, KEY, title="Round 4", round=4, scheduled_date=at)
    question = paper_of(site, over)[2]
    change = {"changes": [{"question": question, "accept": ["B"]}], "reason": "B is right."}
    regrade = boss.post(f"/exams/{over}/regrades/", change, status=201).json["id"]
    appeal = {"question": question, "text": "B is right, too."}
    appeal_id = people[0].post(f"/exams/{over}/appeals/", appeal, status=201).json["id"]
    plan = boss.post("/advancement/", {**PLAN, "exams": [over]}, status=201).json["id"]
    broadcast = {
        "subject": "The final",
        "message": "The final begins at 10:00.",
        "mediums": ["platform"],
        "target_roles": {"candidate": ["screening"]},
    }
    broadcast_id = boss.post("/broadcasts/", broadcast, status="any").json["id"]
    member = app.staff("moderator", first_name="Tunde", last_name="Ade")
    invitation = {
        "first_name": "Ngozi",
        "last_name": "Eze",
        "email": "ngozi@example.org",
        "phone": "+2348012345678",
        "role": "volunteer",
    }
    boss.post("/staff/invite/", invitation, status=201)
    documented = app.candidate(verification="not_submitted", first_name="Amara", last_name="Obi")
    # Chromium's viewer for PDFs would be an origin of its own.
    send_documents(documented, documents(id_card=("card.png", PNG)))
    boss.delete(f"/users/{app.candidate().id}/", status="any")
    app.run_jobs()
    day, sitter = open_exam(site, boss)
    others = in_other_states(site, boss, day)
    failed_rows(site)
    pages = {
        "/sign-in": "/sign-in",
        "/password": "/password",
        "/restore": "/restore",
        "/account": "/account",
        "/": "/",
        "/notifications": "/notifications",
        "/candidates": "/candidates",
        "/candidates/:id": f"/candidates/{sitter.id}",
        "/documents": "/documents",
        "/documents/:id": f"/documents/{documented.id}",
        "/staff": "/staff",
        "/staff/invite": "/staff/invite",
        "/staff/:id": f"/staff/{member.id}",
        "/leaving": "/leaving",
        "/questions": "/questions",
        "/questions/new": "/questions/new",
        "/questions/:id": f"/questions/{question}",
        "/exams": "/exams",
        "/exams/new": "/exams/new",
        "/exams/:id": f"/exams/{coming}",
        "/exams/:id/paper": f"/exams/{coming}/paper",
        "/exams/:id/preview": f"/exams/{coming}/preview",
        "/day": "/day",
        "/day/questions": "/day/questions",
        "/exams/:id/day": f"/exams/{day}/day",
        "/exams/:id/day/time": f"/exams/{day}/day/time?candidate={sitter.id}",
        "/exams/:id/results": f"/exams/{over}/results",
        "/exams/:id/results/:candidate": f"/exams/{over}/results/{people[0].id}",
        "/exams/:id/printed": f"/exams/{over}/printed",
        "/exams/:id/regrades": f"/exams/{over}/regrades",
        "/exams/:id/regrades/new": f"/exams/{over}/regrades/new?question={question}",
        "/exams/:id/regrades/:rid": f"/exams/{over}/regrades/{regrade}",
        "/boards": "/boards",
        "/boards/publish": f"/boards/publish?exams={over}",
        "/boards/:stage/:round": "/boards/screening/1",
        "/advancement": "/advancement",
        "/advancement/new": "/advancement/new",
        "/advancement/:id": f"/advancement/{plan}",
        "/advancement/:id/change": f"/advancement/{plan}/change",
        "/appeals": "/appeals",
        "/appeals/:id": f"/appeals/{appeal_id}",
        "/broadcasts": "/broadcasts",
        "/broadcasts/new": "/broadcasts/new",
        "/broadcasts/:id": f"/broadcasts/{broadcast_id}",
        "/house/service": "/house/service",
        "/house/audit": "/house/audit",
        "/house/flags": "/house/flags",
        "/house/keys": "/house/keys",
        "/house/jobs": "/house/jobs",
        "/house/mails": "/house/mails",
    }
    return pages, others


def in_other_states(site: Site, boss: Person, day: int) -> dict[str, list[str]]:
    app = site.service
    over, _ = season(app, boss, SHEETS, key=KEY, title="Round 5", round=5)
    app.clock.advance(minutes=6)
    publish(app, boss)
    first = paper_of(site, over)[0]
    change = {"changes": [{"question": first, "credit_all": True}], "reason": "No option is right."}
    regrade = boss.post(f"/exams/{over}/regrades/", change, status=201).json["id"]
    boss.post(f"/exams/{over}/regrades/{regrade}/apply/", status=200)
    plan = boss.post("/advancement/", {**PLAN, "exams": [over]}, status=201).json["id"]
    boss.post(f"/advancement/{plan}/apply/", status=200)
    at = "2030-12-15T18:00:00Z"
    coming = make_exam(app, boss, KEY, title="Round 6", round=6, scheduled_date=at)
    open_plan = boss.post("/advancement/", {**PLAN, "exams": [coming]}, status=201).json["id"]
    boss.post(f"/exams/{coming}/prepare/", status="any")
    with begin(app.runtime) as work:
        work.emit(Notify(work, [boss.id], "Round 6", "The paper is frozen."))
    app.run_jobs()
    return {
        "/exams/:id": [f"/exams/{coming}?step={each}" for each in ("basics", "checks", "results")],
        "/exams/:id/day": [f"/exams/{day}/day?tab={each}" for each in DAY_TABS],
        "/exams/:id/results": [f"/exams/{over}/results?tab=analysis"],
        "/exams/:id/regrades/:rid": [f"/exams/{over}/regrades/{regrade}"],
        "/advancement/:id": [f"/advancement/{plan}", f"/advancement/{open_plan}"],
    }


def paper_of(site: Site, exam_id: int) -> list[int]:
    """The ids of an exam's questions, in their order."""
    rows = select(ExamQuestion.question_id).where(ExamQuestion.exam_id == exam_id)
    with begin(site.service.runtime) as work:
        return list(work.db.scalars(rows.order_by(ExamQuestion.position)))


def failed_rows(site: Site) -> None:
    """A job and an email that have failed."""
    with begin(site.service.runtime) as work:
        jobs.enqueue(work, "leaderboard.publish")
        mails.send(work, "accounts.email_code", "ben@example.org")
        work.db.flush()
        failed = {"state": "failed", "last_error": "No connection."}
        own = Job.name == "leaderboard.publish", Mail.recipient == "ben@example.org"
        for table, one in zip((Job, Mail), own, strict=True):
            work.db.execute(update(table).where(one).values(**failed))


def open_exam(site: Site, boss: Person) -> tuple[int, Person]:
    """An exam that is open, with a candidate who is taking it, a question and extra time. Returns
    the exam's id and the candidate."""
    app = site.service
    exam_id = make_exam(app, boss, KEY, title="Round 3", round=3)
    sitter = app.candidate(first_name="Ben", last_name="Carter")
    take(sitter, exam_id, status=200)
    done = app.candidate()
    take(done, exam_id, status=200)
    submit(done, exam_id, answers(app, exam_id, "ABCD"), status=201)
    question = {"question": None, "text": "Is zero a natural number?"}
    sitter.post(f"/exams/{exam_id}/clarifications/", question, status=201)
    time = {"candidate_id": str(sitter.id), "extra_minutes": 5, "reason": "Fire alarm."}
    boss.post(f"/exams/{exam_id}/allowances/", time, status=201)
    app.clock.advance(minutes=3)
    return exam_id, sitter
