"""The console shows no link to a page that the API denies to the user."""

import re
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, publish, season, take
from competition.testing.identity_papers import PNG, documents
from competition.testing.identity_papers import submit as send_documents
from tests.support.console_league import paper_of
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

RANKS = ("volunteer", "moderator", "admin", "manager")
PLAN = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}, "ties": "in"}


def league(site, boss):
    """Create what pages link to. Returns the addresses of the pages whose links depend on the
    state of the object."""
    app = site.service
    over, [amara, ben] = season(app, boss, ["ABBD", "ABCD"], key="ABCD", title="Round 1")
    app.clock.advance(minutes=6)
    publish(app, boss)
    question = paper_of(site, over)[2]
    change = {"changes": [{"question": question, "accept": ["B"]}], "reason": "B is right."}
    regrade = boss.post(f"/exams/{over}/regrades/", change, status=201).json["id"]
    text = {"text": "B is right."}
    answered, waiting = (
        each.post(f"/exams/{over}/appeals/", text, status=201).json["id"] for each in (amara, ben)
    )
    boss.post(f"/exams/{over}/regrades/{regrade}/apply/", status=200)
    ruling = {"status": "accepted", "answer": "You are right.", "regrade": regrade}
    boss.post(f"/appeals/{answered}/answer/", ruling, status=200)
    app.run_jobs()
    applied = boss.post("/advancement/", {**PLAN, "exams": [over]}, status=201).json["id"]
    boss.post(f"/advancement/{applied}/apply/", status=200)
    coming = make_exam(
        app, boss, "AB", title="Round 2", round=2, scheduled_date="2030-12-14T18:00:00Z"
    )
    planned = boss.post("/advancement/", {**PLAN, "exams": [coming]}, status=201).json["id"]
    running = make_exam(app, boss, "AB", title="Round 3", round=3)
    sitter = app.candidate(first_name="Ben")
    take(sitter, running, status=200)
    sitter.post(f"/exams/{running}/clarifications/", {"question": None, "text": "Why?"}, status=201)
    nobody = make_exam(app, boss, "AB", title="Final", stage="final")
    # Chromium's viewer for PDFs would be an origin of its own.
    papers = documents(id_card=("card.png", PNG))
    send_documents(app.candidate(verification="not_submitted"), papers)
    boss.delete(f"/users/{app.candidate().id}/", status=202)
    app.run_jobs()
    return [
        f"/console/appeals/{answered}",
        f"/console/appeals/{waiting}",
        f"/console/advancement/{applied}",
        f"/console/advancement/{planned}",
        f"/console/exams/{nobody}/day",
        f"/console/exams/{nobody}?step=people",
        f"/console/exams/{running}/day",
        f"/console/exams/{over}/results",
    ]


def kind(address):
    """The page of an address, without the ids of its objects."""
    parts = urlsplit(address)
    path = re.sub(r"/[0-9a-f-]{36}\b|/\d+\b", "/…", parts.path)
    tabs = [value if name in ("tab", "step") else name for name, value in parse_qsl(parts.query)]
    return path, *tabs


def may_open(rank, address):
    """Whether a rank may open one of the special pages. Moderators don't plan exams."""
    if rank == "moderator":
        return "/day" in address or "/exams/" not in address
    return rank != "volunteer"


def test_no_rank_sees_a_link_that_leads_to_a_rejection(site):
    boss = site.service.staff("superadmin")
    special = league(site, boss)
    # A candidate without saved answers, and an exam without a leaderboard.
    site.tolerate("status of 404")
    denied = []
    for rank in RANKS:
        page = site.signed_in(site.service.staff(rank), "/console/")

        def check(reply, rank=rank, page=page):
            if reply.status == 403:
                denied.append(f"{rank}: {page.url} requested {reply.url}")

        page.on("response", check)
        waiting = ["/console/", *(each for each in special if may_open(rank, each))]
        known = {*waiting, *map(kind, waiting)}
        while waiting:
            page.goto(waiting.pop(0))
            page.locator("h1").wait_for()
            expect(page.locator(".loading")).to_have_count(0)
            links = page.locator("a[href^='/console/'], a[href^='?']")
            for each in links.evaluate_all("all => all.map(each => each.pathname + each.search)"):
                if kind(each) not in known:
                    known.add(kind(each))
                    waiting.append(each)
        page.context.close()
    assert denied == [], "\n".join(denied)
