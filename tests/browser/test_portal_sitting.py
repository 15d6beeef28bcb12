"""`sitting.js` alone, with a pretended service and Playwright's clock: proves how often the page of
an exam sends requests, what they contain, that candidates do not send them all at the same moment,
and that no answer is lost if a reply comes late or not at all."""

import json
from itertools import pairwise

import pytest

from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

SITTING = "/static/x/portal/static/exam/sitting.js"
# An exam of an hour with twelve questions. `trip` is how long a reply takes, in milliseconds,
# `fails` are the calls that get no reply, and `given` is extra time in milliseconds. Writes down
# the second, name and body of each call.
SERVICE = """
globalThis.trip = 0;
globalThis.fails = [];
globalThis.given = 0;
globalThis.sent = [];
const begun = Date.now(), at = ms => new Date(ms).toISOString();
globalThis.times = () => ({
  server_time: at(Date.now() - trip / 2), deadline: at(begun + 3_600_000 + given),
  hand_in_until: at(begun + 3_900_000 + given),
  opens_at: at(begun), closes_at: at(begun + 7_200_000),
});
const questions = Array.from({length: 12}, (_, n) => ({id: n + 101, text: "?"}));
let started = null;
globalThis.replies = {
  time: () => ({...times(), status: "ongoing", started_at: started, submitted: false, messages: 0}),
  open: () => {
    started ??= at(begun);
    return {...times(), title: "", questions, description: "", countdown_minutes: 60,
      draft: {sequence: 0, answers: []}};
  },
  save: () => ({...times(), applied: true, saved_at: times().server_time}),
  draft: () => ({sequence: 0, answers: []}),
  submit: () => ({receipt: {handed_in_by: "candidate"}}),
  receipt: () => { throw Object.assign(new Error(), {status: 404}); },
  messages: () => [],
};
const call = name => async (body = null) => {
  sent.push({second: (Date.now() - begun) / 1000, name, body});
  await new Promise(resolve => setTimeout(resolve, trip));
  if (fails.includes(name)) throw new Error("no reply");
  return replies[name]();
};
globalThis.service = Object.fromEntries(Object.keys(replies).map(name => [name, call(name)]));
"""
BEGIN = f"""async () => {{
  const {{ Sitting }} = await import("{SITTING}");
  globalThis.sitting = new Sitting({{service, exam: 7, user: "a", storage: localStorage}});
  void sitting.begin();
}}"""


class Pace:
    """A sitting in a page whose clock stands still until the test moves it."""

    def __init__(self, page, random, trip):
        self._page = page
        # The browser grants locks by its own clock.
        page.add_init_script("delete Navigator.prototype.locks")
        page.clock.install(time=0)
        page.goto("/blank")
        page.clock.pause_at(3_600_000)
        page.evaluate(f"Math.random = () => {random}")
        page.evaluate(f"() => {{ {SERVICE} }}")
        page.evaluate(f"trip = {trip * 1000}")
        page.evaluate(BEGIN)
        self.passes(1 + trip)

    def do(self, expression):
        return self._page.evaluate(f"() => {{ return {expression}; }}")

    def run(self, statements):
        self._page.evaluate(f"() => {{ {statements} }}")

    def passes(self, seconds, first="null"):
        """Let this time pass after an action. Returns the requests in it: their seconds, names and
        bodies.
        """
        self.do(f"sent.length = 0, {first}")
        self._page.clock.run_for(int(seconds * 1000))
        return self._page.evaluate("sent")

    def start(self):
        return self.passes(1, "void sitting.open()")


@pytest.fixture
def paced(ground):
    return lambda random=0.999, trip=0: Pace(ground.device().new_page(), random, trip)


def seconds(requests, name):
    return [each["second"] for each in requests if each["name"] == name]


def pauses(requests, name):
    times = seconds(requests, name)
    return [later - earlier for earlier, later in pairwise(times)]


def test_the_start_is_one_request(paced):
    assert [each["name"] for each in paced().start()] == ["open"]


def test_choices_in_a_row_share_one_save_which_has_only_what_has_changed(paced):
    page = paced()
    page.start()
    page.passes(60)
    for question, option in ((101, "A"), (102, "B"), (101, "C")):
        page.do(f"sitting.answer({question}, '{option}')")
        assert page.passes(0.5) == []
    [save] = [each for each in page.passes(5) if each["name"] == "save"]
    assert save["body"]["answers"] == [
        {"question": 101, "selected_option": "C"},
        {"question": 102, "selected_option": "B"},
    ]
    page.do("sitting.answer(103, 'D')")
    [save] = [each for each in page.passes(5) if each["name"] == "save"]
    assert save["body"]["answers"] == [{"question": 103, "selected_option": "D"}]
    assert page.do("sitting.saving") == "saved"


@pytest.mark.parametrize(
    ("trip", "shortest", "longest"), [(0.1, 7.5, 15), (3, 15, 30), (20, 30, 60)]
)
def test_signs_of_life_are_further_apart_on_a_slow_connection(paced, trip, shortest, longest):
    for random, expected in ((0, shortest), (0.999, longest)):
        page = paced(random, trip)
        page.passes(200, "void sitting.open()")
        saves = [each for each in page.passes(600) if each["name"] == "save"]
        assert all(each["body"]["answers"] == [] for each in saves)
        found = pauses(saves, "save")
        assert found
        # Each pause begins after the reply, and every third one after news have been read, too.
        assert all(expected - 0.1 <= each <= expected + 2 * trip + 0.2 for each in found), found


def test_retries_come_at_random_times(paced):
    for random, pause in ((0, 1.5), (0.999, 3)):
        page = paced(random)
        page.start()
        page.do("fails.push('save')")
        page.do("sitting.answer(101, 'A')")
        found = pauses(page.passes(20), "save")
        assert found
        assert found == pytest.approx([pause] * len(found), abs=0.1)
        assert page.do("sitting.saving") == "away"


def test_candidates_submit_at_different_times_in_the_first_half_of_the_grace_period(paced):
    found = []
    for random in (0, 0.5, 0.999):
        page = paced(random)
        page.start()
        page.do("sitting.answer(101, 'A')")
        found += seconds(page.passes(3_900), "submit")
    early, middle, late = found
    assert 3_600 <= early <= 3_602
    assert middle == pytest.approx(3_675, abs=2)
    assert late == pytest.approx(3_750, abs=2)


# Replies of a service on which another device has saved with a higher sequence.
ELSEWHERE = """
  replies.save = () => ({...times(), applied: false, saved_at: times().server_time});
  replies.draft = () => ({sequence: 90, answers: [
    {question: 101, selected_option: "A"}, {question: 102, selected_option: "B"}]})
"""
# The service rejects answers: the time for submitting is over.
TOO_LATE = """
  for (const each of ["save", "open", "submit"]) replies[each] = () => {
    throw Object.assign(new Error(), {status: 403, code: "exam_not_open"});
  }
"""
# The reply to `open` comes after five seconds, with what was true when it was sent.
SLOW_TO_OPEN = """
  const open = replies.open;
  replies.open = () => {
    const now = open();
    return new Promise(done => setTimeout(done, 5000, now));
  }
"""


def answers(request):
    return {each["question"]: each["selected_option"] for each in request["body"]}


def test_a_device_takes_over_what_another_one_has_saved_before_it_submits_at_the_deadline(paced):
    page = paced()
    page.start()
    page.do("sitting.answer(101, 'A')")
    page.passes(3_610)
    assert page.do("sitting.phase") == "over"
    page.run(ELSEWHERE)
    [submission] = [each for each in page.passes(200) if each["name"] == "submit"]
    assert (answers(submission)[101], answers(submission)[102]) == ("A", "B")


def test_a_choice_that_is_taken_back_is_unsaved_until_the_service_has_confirmed_it(paced):
    page = paced()
    page.start()
    page.do("sitting.answer(101, 'B')")
    page.passes(5)
    page.do("fails.push('save')")
    page.do("sitting.answer(101, 'C')")
    page.passes(2.5)
    page.do("sitting.answer(101, 'B')")
    assert page.do("sitting.unsaved") == [101]
    # If the page is closed now, the service gets the choice that counts.
    [save] = page.passes(0.1, "dispatchEvent(new Event('pagehide'))")
    expected = [{"question": 101, "selected_option": "B"}]
    assert save["body"] == {"sequence": 3, "answers": expected}
    # Another device may have saved with sequence 2, so the page reads the draft.
    page.run("replies.draft = () => ({sequence: 3, answers: " + json.dumps(expected) + "})")
    page.do("fails.length = 0")
    requests = page.passes(5)
    assert requests[0]["body"] == save["body"]
    assert "draft" in [each["name"] for each in requests]
    assert (page.do("sitting.saving"), page.do("sitting.chosen(101)")) == ("saved", "B")


def test_a_paper_that_arrives_late_undoes_no_answer(paced):
    page = paced()
    page.start()
    page.run(SLOW_TO_OPEN)
    page.do("void sitting.open()")
    page.do("sitting.answer(101, 'C')")
    requests = page.passes(10)
    assert page.do("sitting.chosen(101)") == "C"
    saves = [each["body"] for each in requests if each["name"] == "save"]
    sequences = [each["sequence"] for each in saves]
    assert sequences == sorted(set(sequences)), saves


def test_a_paper_that_arrives_late_undoes_no_submission(paced):
    page = paced()
    page.start()
    page.run(SLOW_TO_OPEN)
    page.do("void sitting.open()")
    page.do("fails.push('submit')")
    page.do("void sitting.submit()")
    page.passes(10)
    assert page.do("sitting.phase") == "submitting"
    page.do("fails.length = 0")
    page.passes(120)
    assert page.do("sitting.phase") == "ended"


@pytest.mark.parametrize(("later", "phase"), [(200, "submitting"), (900, "nothing")])
def test_time_that_is_given_after_a_rejected_submission_can_be_used(paced, later, phase):
    page = paced()
    page.start()
    page.do("fails.push('time', 'save', 'submit', 'receipt')")
    page.do("sitting.answer(101, 'A')")
    page.passes(3_950)
    page.run("const then = {...replies}; globalThis.again = () => Object.assign(replies, then)")
    page.run(TOO_LATE)
    page.do("fails.length = 0")
    page.passes(later)
    assert page.do("sitting.phase") == phase
    page.run("given = 7_200_000; again()")
    heard = "sitting.hear('clock', times())"
    requests = page.passes(60, heard)
    assert page.do("sitting.phase") == "running"
    assert "submit" not in [each["name"] for each in requests]
    assert page.do("sitting.saving") == "saved"


def test_time_that_is_given_while_the_socket_is_closed_is_found_when_it_opens(paced):
    page = paced()
    page.start()
    page.do("sitting.answer(101, 'A')")
    page.do("fails.push('time', 'save', 'submit', 'receipt')")
    page.passes(3_950)
    page.run("""
      replies.receipt = () => ({handed_in_by: "service"});
      const time = replies.time; replies.time = () => ({...time(), submitted: !given})
    """)
    page.do("fails.length = 0")
    page.passes(60)
    assert page.do("sitting.phase") == "ended"
    page.do("given = 7_200_000")
    page.passes(5, "void sitting.catchUp()")
    assert page.do("sitting.phase") == "running"


def test_an_exam_that_is_switched_off_before_the_start_is_found_when_it_is_back(paced):
    page = paced()
    page.run("""
      const time = replies.time;
      globalThis.status = "cancelled"; replies.time = () => ({...time(), status})
    """)
    page.passes(1, "void sitting.begin()")
    assert page.do("sitting.phase") == "refused"
    page.do("status = 'ongoing'")
    page.passes(61)
    assert page.do("sitting.phase") == "ready"


def test_a_page_that_is_seen_again_after_sleep_does_not_trust_its_clock(paced):
    page = paced()
    page.start()
    page.do("fails.push('time', 'save')")
    left = page.do("sitting.secondsLeft")
    # While a device sleeps, only the clock of its operating system goes on.
    page.run("const now = Date.now; Date.now = () => now() + 600_000")
    page.do("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.do("sitting.isUnsure")
    assert page.do("sitting.secondsLeft") == pytest.approx(left - 600, abs=2)
