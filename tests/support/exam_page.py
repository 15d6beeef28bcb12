"""The page of an exam: what a candidate does on it, and the proof that the page calls an answer
saved only after the service has stored it.

`Proof` reads each text with which a page calls an answer saved, and compares it with the database.
No clock orders the two: `Line` numbers the replies about exams. An answer must be stored by the
last reply that the device had when a page called the answer saved.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import UNANSWERED, Submission
from competition.testing.service import PASSWORD, Person
from competition.testing.waiting import wait_until
from tests.support.browser import Site

# JavaScript: whenever the page shows something new, report the chosen option of each question,
# whether the answer is on this device only, the text of the bar, and the text after the exam. Each
# report has the number of the last reply that the device has received: a tab also shows what
# another tab has received, and what was received before a reload. `reports` counts the reports of
# a document.
WATCH = """
globalThis.reports = { document: String(crypto.getRandomValues(new Uint32Array(2))), count: 0 };
let reply = 0, before = "";
const stored = () => {
  try {
    return Number(localStorage["test.reply"] ?? 0);
  } catch {
    return 0;
  }
};
const { fetch } = globalThis;
globalThis.fetch = async (...given) => {
  const answer = await fetch(...given);
  reply = Math.max(reply, stored(), Number(answer.headers.get("X-Test-Reply")));
  try {
    localStorage["test.reply"] = reply;
  } catch {}
  return answer;
};
const look = () => {
  let user = null;
  try {
    user = JSON.parse(sessionStorage.getItem("portal.session"))?.user.user.id ?? null;
  } catch {}
  const strip = [...document.querySelectorAll(".strip a")];
  const text = place => document.querySelector(place)?.textContent ?? "";
  const seen = JSON.stringify({
    path: location.pathname,
    user,
    bar: text(".bar .state"),
    after: text("main.after .note"),
    answers: strip.map(each => (each.ariaLabel ?? "").match(/\\b[A-D]\\b/)?.[0] ?? "-").join(""),
    here: strip.map(each => each.classList.contains("here-only")),
  });
  if (seen === before) return;
  before = seen;
  reports.count += 1;
  report(reports.document, reports.count, Math.max(reply, stored()), seen);
};
const all = {subtree: true, childList: true, characterData: true, attributes: true};
new MutationObserver(look).observe(document, all);
"""
# Random pauses are short, so that tests don't wait.
IN_NO_TIME = "Math.random = () => 0.01"
# The requests of the page, as `Line` names them.
TAKE = r"GET /v1/exams/\d+/take-exam/"
DRAFT = r"PUT /v1/exams/\d+/draft/"
SUBMIT = r"POST /v1/exams/\d+/submit-exam-answers/"
RECEIPT = r"GET /v1/exams/\d+/receipt/"
ALL_SAVED = re.compile(r"saved at|has had all your answers since")
# How many answers the service has received, according to the page after the exam. A text without a
# number means one answer.
RECEIVED = re.compile(
    r"received your answers? to (?P<sent>\d+|one) of"
    r"|submitted your (?P<found>\d+ )?saved answer"
    r"|Your (?P<closed>\d+ )?answers? saved by then"
)


@dataclass(frozen=True)
class Seen:
    """What a page showed, and the last reply that its device had. `answers` has the letter of each
    question. `here` has, for each question, whether the page called the answer "here only".
    """

    reply: int
    page: int
    bar: str
    after: str
    answers: str
    here: tuple[bool, ...]

    @property
    def called_saved(self) -> dict[int, str]:
        """The answers that the page called saved, by the position of their question. A question
        without an answer can be called saved too.
        """
        shown = enumerate(zip(self.answers, self.here, strict=True))
        return {number: letter for number, (letter, here) in shown if not here}


@dataclass
class Sat:
    """One candidate's exam: the answers that the service has stored, each with the number of the
    first reply after them, and what pages have shown.
    """

    stored: list[tuple[int, str]] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)

    @property
    def final(self) -> str:
        """The answers that the service has now."""
        return self.stored[-1][1] if self.stored else ""

    def had(self, reply: int, number: int, letter: str) -> bool:
        """Whether the service had stored this answer at some time before this reply."""
        return any(
            first <= reply and _letter(answers, number) == letter for first, answers in self.stored
        )

    def faults(self) -> Iterator[str]:
        """Describe each answer that a page called saved before the service had stored it. Also each
        question whose last answer that was called saved is not the answer that the service has now.
        """
        last: dict[int, tuple[int, str]] = {}
        called: dict[int, dict[int, str]] = defaultdict(dict)
        for each in sorted(self.seen, key=lambda seen: seen.reply):
            claimed = each.called_saved
            if ALL_SAVED.search(each.bar):
                claimed = dict(enumerate(each.answers))
            for number, letter in claimed.items():
                if letter != UNANSWERED and not self.had(each.reply, number, letter):
                    yield f"question {number + 1}: {letter} was not stored. The page: {each}"
                if called[each.page].get(number, UNANSWERED) != letter:
                    last[number] = (each.reply, letter)
                called[each.page][number] = letter
        for number, (reply, letter) in last.items():
            # The service may have stored a later choice, although its reply got lost.
            later = {_letter(each.answers, number) for each in self.seen if each.reply >= reply}
            if _letter(self.final, number) not in {letter, *later}:
                yield f"question {number + 1}: {letter} was called saved. Stored: {self.final}"
        ends = [found for each in self.seen if (found := RECEIVED.search(each.after))]
        for found in ends[-1:]:
            number = next(filter(None, found.groups()), "one")
            count = 1 if number == "one" else int(number)
            if count != len(self.final.replace(UNANSWERED, "")):
                yield f"The page: {found[0]!r}. Stored: {self.final}"


def choose(page: Any, question: int, letter: str) -> None:
    page.get_by_role("link", name=re.compile(rf"^Question {question}:")).first.click()
    page.get_by_role("radio", name=re.compile(f"^{letter}, ")).click()


def says(page: Any, text: str | re.Pattern[str]) -> None:
    """Wait until the bar has this text."""
    page.locator(".bar").get_by_text(text).wait_for()


def shown(page: Any) -> str:
    """One letter per question, up to the last answered question."""
    links = page.get_by_role("navigation", name="Questions").get_by_role("link")
    # All at once, because the page may be about to leave the questions.
    names = links.evaluate_all("links => links.map(each => each.ariaLabel)")
    found = [re.search(r": ([A-D])?", each) for each in names]
    return "".join((each and each[1]) or "." for each in found).rstrip(".")


def submit(page: Any) -> None:
    page.get_by_role("link", name="All questions").click()
    page.get_by_role("button", name="Submit now").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Submit ")).click()


def ends(page: Any, text: str) -> None:
    """Wait until the page after the exam has this text."""
    page.get_by_role("main").get_by_text(text).first.wait_for()


def sign_in(page: Any, email: str) -> None:
    """Sign in in the dialog of the exam."""
    dialog = page.get_by_role("dialog", name="Sign in")
    dialog.get_by_label("Email").fill(email)
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()


def stored(site: Site, model: type[Draft] | type[Submission], exam_id: int) -> list[str]:
    """The answers of each candidate, from the database."""
    with begin(site.service.runtime) as work:
        rows = work.db.scalars(select(model.answers).where(model.exam_id == exam_id))
        return [answers.rstrip(UNANSWERED).replace(UNANSWERED, ".") for answers in rows]


def _letter(answers: str, number: int) -> str:
    return answers[number] if number < len(answers) else UNANSWERED


class Proof:
    """Watches all pages of exams on all devices of a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._sat: dict[tuple[int, str], Sat] = defaultdict(Sat)
        # The candidate who uses each device, and the number of each page.
        self._owners: dict[Any, str] = {}
        self._pages: list[Any] = []
        # How many reports of each document have arrived.
        self._arrived: dict[str, int] = {}
        self._expected: set[tuple[int, str]] = set()
        site.prepare.append(self._follow)
        site.line.numbered.append(self._store)

    def expect(self, exam_id: int, person: Person) -> None:
        """From now on, `check` fails if no page of this exam reports anything."""
        self._expected.add((exam_id, str(person.id)))

    def check(self) -> None:
        """Raise AssertionError if a page has called an answer saved that was not stored, or the
        service does not have the last answers that were called saved."""
        for context in self._site.devices:
            for page in context.pages:
                self._receive_reports(page)
        self._store(self._site.line.replies)
        assert all(self._sat[each].seen for each in self._expected), "A page has reported nothing."
        found = [fault for sat in self._sat.values() for fault in sat.faults()]
        assert found == [], "\n".join(found)

    def _receive_reports(self, page: Any) -> None:
        """Wait until all reports of a page have arrived. Playwright handles them while it waits for
        the page.
        """

        def have_arrived() -> bool:
            document, count = page.evaluate("[reports.document, reports.count]")
            return self._arrived.get(document, 0) == count

        wait_until(have_arrived, pause=0)

    def _follow(self, context: Any) -> None:
        context.expose_binding("report", self._report)
        context.add_init_script(WATCH)

    def _report(self, source: Any, document: str, count: int, reply: int, shown: str) -> None:
        self._arrived[document] = count
        seen = json.loads(shown)
        # After the candidate has been signed out, the page still belongs to them.
        if seen["user"]:
            self._owners.setdefault(source["context"], seen["user"])
        owner = self._owners.get(source["context"])
        exam = re.fullmatch(r"/exams/(\d+)", seen["path"])
        if owner is None or exam is None:
            return
        if source["page"] not in self._pages:
            self._pages.append(source["page"])
        page = self._pages.index(source["page"])
        here = tuple(seen["here"])
        now = Seen(reply, page, seen["bar"], seen["after"], seen["answers"], here)
        self._sat[int(exam[1]), owner].seen.append(now)

    def _store(self, reply: int) -> None:
        """Read the answers that the service has stored by this reply. A submission replaces its
        draft.
        """
        current: dict[tuple[int, str], str] = {}
        with begin(self._site.service.runtime) as work:
            for model in (Draft, Submission):
                rows = work.db.execute(select(model.exam_id, model.candidate_id, model.answers))
                current |= {(exam_id, str(candidate)): found for exam_id, candidate, found in rows}
            for key, answers in current.items():
                if self._sat[key].final != answers:
                    self._sat[key].stored.append((reply, answers))
