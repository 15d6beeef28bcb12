"""Every page of the console on a small screen. People who enlarge the text see the same (WCAG
1.4.10).
"""

import re

from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, publish, season, take
from competition.testing.identity_papers import submit as submit_papers
from tests.browser.test_console_questions import FORMULA
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import ZOOMED, cut_off
from tests.support.repository import REPOSITORY

pytestmark = needs_program(CHROMIUM)

ROUTES = REPOSITORY / "competition/plugins/console/static/routes.js"
LONG = "Wolfeschlegelsteinhausenbergerdorff"


def league(app, boss):
    """Create a league with data on every page. Returns the paths of all pages, relative to the
    console's.
    """
    over, [amara, _] = season(app, boss, ["ABBD", "ABCD"], key="ABCD", title=f"Screening of {LONG}")
    app.clock.advance(minutes=6)
    publish(app, boss)
    change = {"question": boss.get(f"/exams/{over}/questions/").json[2]["id"], "credit_all": True}
    regrade = boss.post(
        f"/exams/{over}/regrades/", {"changes": [change], "reason": "It is ambiguous."}, status=201
    ).json["id"]
    appeal = amara.post(f"/exams/{over}/appeals/", {"text": "B is right, too."}, status=201).json
    plan = boss.post(
        "/advancement/",
        {
            "from_stage": "screening",
            "to_stage": "league",
            "exams": [over],
            "rule": {"top": 1},
            "ties": "in",
        },
        status=201,
    ).json["id"]
    message = {
        "subject": f"News of {LONG}",
        "message": "The final begins at 10:00.",
        "mediums": ["email", "platform"],
        "target_roles": {"candidate": ["screening"]},
    }
    broadcast = boss.post("/broadcasts/", message, status=201).json["id"]
    question = boss.post("/questions/", FORMULA, status=201).json["id"]
    running = make_exam(app, boss, "ABCD", title="Final", questions=[question])
    sitting = app.candidate(first_name=LONG, last_name=LONG, school=f"School of {LONG}")
    take(sitting, running, status=200)
    waiting = app.candidate(first_name=LONG, verification="not_submitted")
    submit_papers(waiting)
    member = app.staff("moderator", first_name=LONG)
    leaving = app.candidate(last_name=LONG)
    boss.delete(f"/users/{leaving.id}/", status=202)
    app.run_jobs()
    app.run_task("dashboards.season")
    values = {
        "/candidates/:id": sitting.id,
        "/documents/:id": waiting.id,
        "/staff/:id": member.id,
        "/questions/:id": question,
        "/exams/:id/results/:candidate": amara.id,
        "/exams/:id/regrades/:rid": regrade,
        "/boards/:stage/:round": 1,
        "/advancement/:id": plan,
        "/advancement/:id/change": plan,
        "/appeals/:id": appeal["id"],
        "/broadcasts/:id": broadcast,
    }
    running_pages = ("/exams/:id/day", "/exams/:id/day/time", "/exams/:id/preview")

    def address(route):
        exam = running if route in running_pages else over
        path = route.replace(":stage", "screening")
        if route.startswith("/exams/"):
            path = path.replace(":id", str(exam))
        return re.sub(r":\w+", lambda _: str(values[route]), path)

    routes = re.findall(r'path: "([^"]+)"', ROUTES.read_text())
    tabs = [f"/exams/{over}?step={each}" for each in ("basics", "people", "checks", "results")]
    tabs += [f"/exams/{over}/results?tab=analysis", "/boards?tab=earlier", "/exams?tab=all"]
    tabs += [f"/exams/{running}/day?tab={each}" for each in ("candidates", "questions", "time")]
    return [*map(address, routes), *tabs]


def test_no_page_scrolls_sideways_or_hides_words_on_a_small_screen(site):
    site.tolerate("status of 404|request: chrome(-extension)?://")
    boss = site.service.staff("superadmin")
    page = site.signed_in(boss, "/console/account", viewport=ZOOMED[0], reduced_motion="reduce")
    found = []
    for path in league(site.service, boss):
        page.goto(f"/console{path}")
        page.locator("h1").wait_for()
        expect(page.locator(".loading")).to_have_count(0)
        found += [f"{path} {each}" for each in cut_off(page)]
    assert found == [], "\n".join(found)
