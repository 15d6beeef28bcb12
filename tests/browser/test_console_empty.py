"""Each list of the console says in a new league what will appear there."""

import re

import pytest

from competition.testing.exam_day import make_exam, make_questions
from tests.support.console_requests import Requests
from tests.support.programs import CHROMIUM, needs_program
from tests.support.views import routes

pytestmark = [needs_program(CHROMIUM), pytest.mark.long]

# An empty text is a sentence.
SHORTEST = 20
# The lists that are empty in a new league.
LISTS = [
    "/notifications",
    "/candidates",
    *(f"/documents?tab={each}" for each in ("waiting", "changes", "rejected")),
    "/leaving",
    "/questions",
    "/questions?archived=true",
    "/exams",
    "/exams?tab=all",
    "/day",
    "/day/questions",
    "/boards",
    "/boards?tab=earlier",
    "/boards/publish",
    "/boards/screening/1",
    "/advancement",
    "/advancement/new",
    *(f"/appeals?tab={each}" for each in ("open", "accepted", "rejected", "all")),
    "/broadcasts",
    "/house/service",
    "/house/jobs",
    "/house/mails",
]
TABS = ("silent", "candidates", "questions", "announcements", "time")
# The lists of an exam that has neither questions nor candidates yet.
OF_EXAM = [
    "/paper",
    "/preview",
    *(
        f"/day?tab={each}"
        for each in ("silent", "candidates", "questions", "announcements", "time")
    ),
    "/results",
    "/results?tab=analysis",
    "/printed",
    "/regrades",
    "/regrades/new",
]
# These lists have a row in any league: the caller, the caller's session, the features, the key of
# the pages, and its creation.
NEVER_EMPTY = ["/staff", "/account", "/house/flags", "/house/keys", "/house/audit"]
# Pages without a list, and pages about something that a new league does not have.
OTHERS = {
    *("/", "/sign-in", "/password", "/restore", "/staff/invite", "/questions/new", "/exams/new"),
    *("/broadcasts/new", "/documents/:id", "/staff/:id", "/exams/:id", "/exams/:id/day/time"),
    *("/exams/:id/results/:candidate", "/exams/:id/regrades/:rid", "/advancement/:id"),
    *("/advancement/:id/change", "/appeals/:id", "/broadcasts/:id"),
}


def test_each_page_is_visited_or_has_no_list():
    of_exam = [f"/exams/7{each}" for each in OF_EXAM]
    visited = {
        route_of(each) for each in (*LISTS, *NEVER_EMPTY, *of_exam, "/questions/7", "/candidates/7")
    }
    assert routes("console") - visited == OTHERS, "Add new pages with a list to LISTS or OF_EXAM."


def route_of(address):
    """The route of an address. A route without parameters wins."""
    path = address.partition("?")[0]
    found = [
        each for each in routes("console") if re.fullmatch(re.sub(r":\w+", "[^/]+", each), path)
    ]
    return min(found, key=lambda each: each.count(":"))


def test_each_list_of_a_new_league_says_what_comes_here(site):
    site.tolerate("status of 40[34]")
    boss = site.service.staff("superadmin")
    page = site.signed_in(boss, "/console/account")
    requests = Requests(page)
    page.reload()
    requests.settle()
    wrong = [each for each in LISTS if not says_why_it_is_empty(page, requests, each)]
    wrong += [each for each in NEVER_EMPTY if not has_rows(page, requests, each)]
    exam = f"/exams/{make_exam(site.service, boss, key='')}"
    of_exam = [exam + each for each in OF_EXAM]
    question = f"/questions/{make_questions(site.service, 'A')[0]}"
    for address in (*of_exam, question):
        if not says_why_it_is_empty(page, requests, address):
            wrong.append(address)
    candidate = f"/candidates/{site.service.candidate().id}"
    if not says_why_it_is_empty(page, requests, candidate):
        wrong.append(candidate)
    assert wrong == [], "\n".join(wrong)


def says_why_it_is_empty(page, requests, address):
    requests.visit(address)
    texts = page.locator("main .empty").all_inner_texts()
    return texts and all(len(each) > SHORTEST for each in texts) and not rowless(page)


def has_rows(page, requests, address):
    requests.visit(address)
    return page.locator("main tbody tr").count() > 0 and not rowless(page)


def rowless(page):
    """Whether the page has a table without rows."""
    return page.locator("main tbody:not(:has(tr))").count() > 0
