"""`sitting.js` alone, with a pretended service and Playwright's clock: proves how often the page of
an exam sends requests, what they contain, and that candidates do not send them all at the same
moment."""

from itertools import pairwise

import pytest

from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

SITTING = "/static/x/portal/static/exam/sitting.js"
# An exam of an hour with twelve questions. `trip` is how long a reply takes, in milliseconds, and
# `fails` are the calls that get no reply. Writes down the second, name and body of each call.
SERVICE = """
globalThis.trip = 0;
globalThis.fails = [];
globalThis.sent = [];
const begun = Date.now(), at = ms => new Date(ms).toISOString();
const times = () => ({
  server_time: at(Date.now() - trip / 2), deadline: at(begun + 3_600_000),
  hand_in_until: at(begun + 3_900_000), opens_at: at(begun), closes_at: at(begun + 7_200_000),
});
const questions = Array.from({length: 12}, (_, n) => ({id: n + 101, text: "?"}));
let started = null;
const replies = {
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
