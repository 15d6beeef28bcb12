"""A season of the league through the pages alone: a manager in the console, and two candidates in
the portal.

All people act with the keyboard alone. Between the steps the season moves the clock of the service,
and runs its jobs.
"""

import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from playwright.sync_api import expect

from competition.testing.exam_day import make_questions
from competition.testing.identity_papers import submit
from competition.testing.service import PASSWORD, Person
from competition.testing.waiting import PATIENCE
from tests.support.acting import Keyboard
from tests.support.browser import Site

TITLE = "Screening, autumn"
KEY = "ABCD"
# The third question has two right answers, which the correction accepts.
SHEETS = {"Ada": "ABBD", "Ben": "ABCA"}
NAMES = {"Ada": "Ada Obi", "Ben": "Ben Carter"}
OUTAGE = timedelta(minutes=4)


@dataclass
class Season:
    """A season."""

    site: Site
    people: dict[str, Person] = field(default_factory=dict)
    # The candidates in the portal, by first name.
    portal: dict[str, Keyboard] = field(default_factory=dict)

    def __post_init__(self) -> None:
        service = self.site.service
        make_questions(service, KEY)
        for first, name in NAMES.items():
            school = "Hillside School" if first == "Ada" else "Lakeside School"
            last = name.split()[1]
            self.people[first] = service.candidate(
                first_name=first, last_name=last, school=school, verification="not_submitted"
            )
            submit(self.people[first])
            service.clock.advance(seconds=1)
        self.manager = service.staff("manager", first_name="Maria", last_name="Okafor")
        self.console = Keyboard(self._page("a desk", "/console/"))
        self.opens = (service.clock.now + timedelta(hours=2)).replace(second=0, microsecond=0)

    def run(self) -> None:
        self.sign_in()
        self.plan()
        self.verify()
        self.prepare()
        self.hold()
        self.give_back()
        self.submit()
        self.correct()
        self.publish()
        self.advance()
        self.broadcast()
        self.appeal()

    # The steps, in their order.

    def sign_in(self) -> None:
        act = self.console
        act.write("Email address", self.manager.email)
        # A password field has no role to find it by, so go to it with the Tab key.
        act.page.keyboard.press("Tab")
        act.page.keyboard.type(PASSWORD)
        act.press("button", "Sign in")
        self._heading("Home")

    def plan(self) -> None:
        act = self.console
        self._open("Exams")
        act.press("link", "Plan an exam", self._main)
        self._heading("Plan an exam")
        act.write("Title", TITLE)
        act.set_moment(self.opens)
        act.press("button", "Create the exam")
        self._says("The exam is created.")
        act.press("link", "Choose questions")
        for number in range(len(KEY)):
            act.press("button", f"Add: Question {number} of {KEY}")
        act.press("button", "Save the paper with 4 questions")
        self._says("The paper is saved. It has 4 questions.")

    def verify(self) -> None:
        act = self.console
        self._open("Documents")
        act.press("button", "Start reviewing")
        for name in NAMES.values():
            self._heading(name)
            act.press("button", re.compile("^Approve"))
        self._heading("Documents")
        # The decision is sent only when the time to undo it is over.
        act.press("link", re.compile("^Approved"), self._main)
        for name in NAMES.values():
            self._main.get_by_role("row").filter(has_text=name).wait_for()

    def prepare(self) -> None:
        act = self.console
        self._open("Exams")
        act.press("link", TITLE, self._main)
        steps = act.page.get_by_role("navigation", name="Steps of the plan")
        steps.get_by_text("Approved: 2, not yet: 0").wait_for()
        act.press("link", re.compile("Checks"), steps)
        # The check fails, because the service of a test has no worker process.
        missing = self._main.get_by_role("listitem").filter(has_text="Background jobs")
        missing.get_by_text("Ask the operator").wait_for()
        act.press("button", "Freeze the paper with 4 questions")
        self._says("The paper is frozen.")

    def hold(self) -> None:
        """Both candidates start. After two answers, one of them loses the connection."""
        service = self.site.service
        begun = self.opens + timedelta(seconds=5) - service.clock.now
        service.clock.advance(seconds=begun.total_seconds())
        for first, person in self.people.items():
            act = self.portal[first] = Keyboard(self._page(first, "/sign-in"))
            act.write("Email or login", person.email)
            act.page.keyboard.press("Tab")
            act.page.keyboard.type(PASSWORD)
            act.tick("radio", "My own device")
            act.press("button", "Sign in")
            act.press("link", "Go to the exam")
            act.press("button", "Start")
            self._answer(first, 1, 2)
            act.page.locator(".bar").get_by_text("All 2 answers saved at").wait_for()
        self._open("Exams")
        self.console.press("link", "Exam day", self._main)
        self._heading(f"Exam day: {TITLE}")
        self._count("Sitting", 2)
        self.site.line.cut.add("Ben")
        self._answer("Ben", 3, 3)
        bar = self.portal["Ben"].page.locator(".bar")
        bar.get_by_text("One answer saved on this device only.").wait_for()

    def give_back(self) -> None:
        act = self.console
        self.site.service.clock.advance(seconds=OUTAGE.total_seconds())
        self._count("Silent", 1)
        act.press("link", f"Give time {NAMES['Ben']}")
        self._heading("Give time")
        expect(act.page.get_by_role("radio", name=NAMES["Ben"])).to_be_checked()
        expect(act.page.get_by_role("textbox", name="Reason")).to_have_value("Network outage")
        act.press("button", "Preview")
        dialog = act.page.get_by_role("dialog")
        dialog.get_by_text("One candidate gets back what they lost").wait_for()
        act.press("button", "Give time to one candidate", dialog)
        self._says("One candidate was given time.")
        self.site.line.cut.clear()
        bar = self.portal["Ben"].page.locator(".bar")
        bar.get_by_text("more minutes, until").first.wait_for()
        bar.get_by_text("All 3 answers saved at").wait_for()

    def submit(self) -> None:
        self._answer("Ada", 3, 4)
        self._answer("Ben", 4, 4)
        for act in self.portal.values():
            act.press("link", re.compile("Finish"))
            act.press("button", "Submit now")
            act.press("button", "Submit 4 answers", act.page.get_by_role("dialog"))
            text = "The league has received your answers to 4 of 4 questions."
            act.page.get_by_role("main").get_by_text(text).wait_for()
        act = self.console
        self._count("Submitted", 2)
        act.press("button", "Conclude")
        dialog = act.page.get_by_role("dialog")
        act.press("button", re.compile("^Conclude"), dialog)
        self._says("The exam is concluded.")

    def correct(self) -> None:
        act = self.console
        # Before the exam is over for all candidates, an answer may still be on its way.
        self.site.service.clock.advance(minutes=90)
        self.site.service.run_jobs()
        act.press("link", "See the results", self._main)
        self._heading(f"Results: {TITLE}")
        self._says("2 scores found")
        act.press("link", "Corrections", self._main)
        act.press("link", "Correct a question", self._main)
        act.press("link", "Question 3", self._main)
        self._heading("Correct question 3")
        act.tick("checkbox", re.compile("^B"))
        act.write("Reason", "The third question has two right answers.")
        act.press("button", "Preview")
        self._says("One of 2 scores changes: up 1, down 0.")
        self._says("75.00 → 100.00")
        act.press("button", "Apply to one score", self._main)
        act.press("button", "Apply to one score", act.page.get_by_role("dialog"))
        self._says("The correction was applied")

    def publish(self) -> None:
        act = self.console
        self._open("Leaderboards")
        act.press("link", "Publish", act.page.get_by_role("table", name="Ready to publish"))
        self._heading("Publish leaderboards")
        act.press("button", "Check and publish")
        dialog = act.page.get_by_role("dialog")
        dialog.get_by_text("2 results are ranked.").wait_for()
        act.press("button", "Publish one leaderboard", dialog)
        self._says("The leaderboard is being published.")
        self.site.service.run_jobs()
        act.press("link", TITLE, act.page.get_by_role("table", name="Published"))
        ranked = act.page.get_by_role("table", name="First three")
        expect(ranked.get_by_role("row")).to_have_count(3)
        expect(ranked.get_by_role("row").nth(1)).to_contain_text(NAMES["Ada"])

    def advance(self) -> None:
        act = self.console
        self._open("Advancement")
        act.press("link", "New plan", self._main)
        act.tick("checkbox", re.compile(TITLE))
        act.write("How many advance", "1")
        act.press("button", "Create the plan")
        self._says("One of 2 candidates advances.")
        act.press("button", "Move one candidate", self._main)
        dialog = act.page.get_by_role("dialog")
        dialog.get_by_text(NAMES["Ada"]).wait_for()
        act.press("button", "Move one candidate", dialog)
        self._says("One candidate has moved to the stage League.")

    def broadcast(self) -> None:
        act = self.console
        self._open("Broadcasts")
        act.press("link", "New broadcast", self._main)
        act.tick("checkbox", "League: 1")
        act.write("Subject", "The league begins")
        act.write("Text", "Dear all,\n\nthe first exam is in a week.")
        act.press("button", "Send to one person")
        act.press("button", "Send to one person", act.page.get_by_role("dialog"))
        self._heading("The league begins")
        self.site.service.run_jobs()
        self._says("Emails sent: 1 of 1")
        ada = self.portal["Ada"]
        ada.press("link", "Results", ada.page.get_by_role("main"))
        ada.press(
            "link", re.compile("^Notifications"), ada.page.get_by_role("navigation", name="Pages")
        )
        ada.page.get_by_text("The league begins").first.wait_for()

    def appeal(self) -> None:
        act, ben = self.console, self.portal["Ben"]
        ben.press("link", "Results", ben.page.get_by_role("main"))
        ben.page.get_by_text("2 of 2").first.wait_for()
        ben.press("link", "Appeal against question 4")
        ben.write("Your reasons", "Option A is right as well.")
        ben.press("button", "Send the appeal")
        ben.page.get_by_text("The league has received your appeal.").wait_for()
        self._open("Appeals")
        row = self._main.get_by_role("row").filter(has_text="Option A is right")
        act.press("link", re.compile("."), row)
        self._heading(f"Appeal of {NAMES['Ben']}")
        act.tick("radio", "Reject: the result stands")
        act.write("Your answer", "Option A is wrong for odd numbers.")
        act.press("button", "Check and send")
        act.press("button", "Reject one appeal", act.page.get_by_role("dialog"))
        self._says(f"{NAMES['Ben']} was notified of your answer.")
        self.site.service.run_jobs()
        ben.page.get_by_text("Option A is wrong for odd numbers.").wait_for()

    # Functions that several steps use.

    def _page(self, device: str, path: str) -> Any:
        context = self.site.device(user_agent=device)
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.goto(path)
        return page

    @property
    def _main(self) -> Any:
        return self.console.page.get_by_role("main")

    def _open(self, name: str) -> None:
        navigation = self.console.page.get_by_role("navigation", name="Console")
        # Some links have a number, of what waits there.
        self.console.press("link", re.compile(rf"^{re.escape(name)}( \d+)?$"), navigation)
        self._heading(name)

    def _heading(self, name: str) -> None:
        self.console.page.get_by_role("heading", name=name, level=1, exact=True).wait_for()

    def _says(self, text: str) -> None:
        self._main.get_by_text(text).first.wait_for()

    def _count(self, state: str, count: int) -> None:
        link = self.console.page.get_by_role("link", name=re.compile(rf"^{count}\s*{state}$"))
        link.wait_for()

    def _answer(self, first: str, start: int, end: int) -> None:
        """Answer questions `start` to `end`. The page already shows the first one."""
        act = self.portal[first]
        for number in range(start, end + 1):
            act.page.get_by_text(f"Question {number} of {len(KEY)}").wait_for()
            act.tick("radio", re.compile(f"^{SHEETS[first][number - 1]}, "))
            if number < len(KEY):
                act.press("button", "Next")
