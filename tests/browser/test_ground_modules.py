"""The modules of the pages' shared base: addresses, dates, texts, the check of markup, requests."""

import pytest

from tests.browser.conftest import refusal
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

MODULES = "/static/x/pages/static"


@pytest.fixture
def module(ground):
    """``module("router.js", "m => …")``: the result of a JavaScript function that gets a module."""
    page = ground.visit("/blank")

    def evaluate(name, expression):
        call = f"async () => ({expression})(await import('{MODULES}/ground/{name}'))"
        return page.evaluate(call)

    return evaluate


def test_a_route_without_parameters_wins_and_parameters_are_decoded(module):
    table = "[{path: '/exams/:id'}, {path: '/exams/new'}, {path: '/'}, {path: '/a/:b/c/:d'}]"
    expected = {
        "/exams/7": ("/exams/:id", {"id": "7"}),
        "/exams/7/": ("/exams/:id", {"id": "7"}),
        "/exams/new": ("/exams/new", {}),
        "/": ("/", {}),
        "/a/x%20y/c/%C3%A9": ("/a/:b/c/:d", {"b": "x y", "d": "é"}),
    }
    for path, (route, params) in expected.items():
        found = module("router.js", f"m => m.match({table}, '{path}')")
        assert (found["route"]["path"], found["params"]) == (route, params)
    for path in ("/exams", "/exams/7/day", "/exams/%", "/b"):
        assert module("router.js", f"m => m.match({table}, '{path}')") is None


# The clocks of London go forward on 29 March 2026 at 1:00, and back on 25 October at 2:00.
TIMES = [
    ("2026-12-12", "11:00", "Africa/Lagos", "2026-12-12T10:00"),
    ("2026-03-29", "00:59", "Europe/London", "2026-03-29T00:59"),
    # Clocks skip this hour, so the result is an hour later.
    ("2026-03-29", "01:30", "Europe/London", "2026-03-29T01:30"),
    ("2026-03-29", "02:00", "Europe/London", "2026-03-29T01:00"),
    # Clocks show this time twice, and the result is the first.
    ("2026-10-25", "01:30", "Europe/London", "2026-10-25T00:30"),
    ("2026-10-25", "02:00", "Europe/London", "2026-10-25T02:00"),
    ("2026-03-08", "02:30", "America/New_York", "2026-03-08T07:30"),
    ("2026-11-01", "01:30", "America/New_York", "2026-11-01T05:30"),
    # On this island in the southern hemisphere, clocks change by half an hour.
    ("2026-10-04", "02:15", "Australia/Lord_Howe", "2026-10-03T15:45"),
    ("2026-04-05", "01:45", "Australia/Lord_Howe", "2026-04-04T14:45"),
    ("2026-01-01", "00:00", "Pacific/Kiritimati", "2025-12-31T10:00"),
]


def test_times_of_a_zone_become_utc_across_changes_of_its_clocks(module):
    for date, time, zone, utc in TIMES:
        found = module("dates.js", f"m => m.toUtc('{date}', '{time}', '{zone}')")
        assert found == f"{utc}:00.000Z", (date, time, zone)


def test_each_quarter_of_an_hour_of_a_year_becomes_utc_and_back(module):
    lost = module(
        "dates.js",
        """m => {
          let lost = 0;
          for (let at = Date.UTC(2026, 2, 1); at < Date.UTC(2026, 11, 1); at += 900_000) {
            const { date, time } = m.fromUtc(at, "Europe/Paris");
            const back = Date.parse(m.toUtc(date, time, "Europe/Paris"));
            // The hour that clocks show twice.
            if (back !== at && at - back !== 3_600_000) lost += 1;
            if (back !== at && date !== "2026-10-25") lost += 1;
          }
          return lost;
        }""",
    )
    assert lost == 0


def test_dates_name_the_leagues_time_only_where_it_differs(ground):
    page = ground.device(timezone_id="Europe/London", locale="en-GB").new_page()
    page.goto("/blank")
    found = page.evaluate(
        f"""async () => {{
          const m = await import("{MODULES}/ground/dates.js");
          m.setZone("Africa/Lagos");
          const winter = "2026-12-12T10:00Z";
          return [
            m.when(winter), m.leagueTime(winter), m.leagueTime("2026-07-12T10:00Z"),
            m.leagueTime("2026-12-12T23:30Z"), m.city(), m.clock(2538.9), m.clock(3725),
            m.clock(-1), m.span(5400), m.span(20), m.ago(0, 3 * 86_400_000),
          ];
        }}"""
    )
    assert found == [
        "Sat 12 Dec 2026, 10:00",
        "11:00",
        None,
        "Sun 13 Dec 2026, 00:30",
        "Lagos",
        "42:18",
        "1:02:05",
        "00:00",
        "1 hr 30 min",
        "0 min",
        "3 days ago",
    ]


def test_plurals_follow_the_language_and_a_missing_value_shows_its_name(ground):
    for locale, expected in {
        "en-GB": ["0 candidates", "1 candidate", "1,204 candidates", "Hello {name}", "0 copies"],
        # French uses the singular for zero too, and separates thousands by a narrow space.
        "fr-FR": ["0 candidat", "1 candidat", "1\u202f204 candidats", "Hello {name}", "0 copies"],
        # The pages have no texts in Japanese, so they use English.
        "ja": ["0 candidates", "1 candidate", "1,204 candidates", "Hello {name}", "0 copies"],
    }.items():
        page = ground.device(locale=locale).new_page()
        page.goto("/blank")
        found = page.evaluate(
            f"""async () => {{
              const m = await import("{MODULES}/ground/texts.js");
              m.begin(["en", "fr"]);
              const word = m.language() === "fr" ? "candidat" : "candidate";
              const text = {{ one: `{{count}} ${{word}}`, other: `{{count}} ${{word}}s` }};
              const counts = [0, 1, 1204].map(count => m.written(text, {{ count }}));
              const one = {{ one: "One copy", other: "{{count}} copies" }};
              return [...counts, m.written("Hello {{name}}"), m.written(one, {{ count: 0 }})];
            }}"""
        )
        assert found == expected


TRICKS = [
    "<script>alert(1)</script>",
    '<img src="/x" onerror="alert(1)">',
    "<img/src=/x/onerror=alert(1)>",
    '<math href="javascript:alert(1)"><mi>x</mi></math>',
    '<math><mi style="position:fixed">x</mi></math>',
    '<math><annotation-xml encoding="text/html"><img src="/x"></annotation-xml></math>',
    "<math><mtext><table><mglyph><style><!--</style>"
    '<img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "<svg><mi>x</mi></svg>",
    '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
    "<!-- <br> -->",
    "<<br>script>alert(1)<<br>/script>",
    '<img src="javascript:alert(1)">',
    '<img src="data:text/html,x">',
    '<mi src="/x">x</mi>',
    '<img src="/x" onerror="alert(1)"',
    "<BR>",
    "<br\n>",
    "<mi dir=ltr>x</mi>",
]


@pytest.mark.essential
def test_known_attacks_are_rejected_as_markup(ground):
    page = ground.visit("/blank")
    accepted = page.evaluate(
        f"""async texts => {{
          const m = await import("{MODULES}/ground/markup.js");
          return texts.filter(text => m.trusted(text) !== null);
        }}""",
        TRICKS,
    )
    assert accepted == []


def test_markup_has_formulas_and_images_and_only_the_base_creates_the_policy(ground):
    page = ground.visit("/blank")
    found = page.evaluate(
        f"""async () => {{
          const m = await import("{MODULES}/ground/markup.js");
          const place = document.createElement("p");
          const text = 'If a &lt; b:<br><math display="block" alttext="\\\\frac{{1}}{{2}} &lt; 3">'
            + '<mfrac><mn>1</mn><mn>2</mn></mfrac></math>'
            + '<img src="/v1/x.png" alt="A &quot;b&quot;" width="3" height="4" />';
          place.innerHTML = m.trusted(text);
          let rejected = false;
          try {{ trustedTypes.createPolicy("pages", {{}}); }} catch {{ rejected = true; }}
          return [
            place.querySelectorAll("math mfrac, img, br").length,
            m.trusted(text) === m.trusted(text),
            String(m.workerAddress()),
            rejected,
          ];
        }}"""
    )
    # The policy can't be created a second time. Chromium reports the attempt.
    assert found == [3, True, "/sw.js", True]
    ground.tolerate("trusted-types")
    ground.tolerate("Content Security Policy|404")


CALL = """async ([method, options]) => {
  const m = await import("/static/x/pages/static/ground/api.js");
  m.configure({ api: "/v1", api_key: "the-key" });
  const params = { id: "a/b", q: ["x", "y"], none: "" };
  try {
    const { body } = await m.request(method, "/things/{id}/", params, undefined, options);
    return { reply: body };
  } catch (error) {
    const { status, code, errors, requestId: id, retryAfter: after } = error;
    return { name: error.constructor.name, status, code, errors, id, after };
  }
}"""


@pytest.fixture
def call(ground, pretended):
    page = ground.visit("/blank")
    ground.tolerate("Failed to load resource")

    def request(method, answers, **options):
        replies = iter(answers)
        pretended.asked.clear()
        pretended.replies[f"{method.upper()} /things/a/b/"] = lambda _: next(replies)
        return page.evaluate(CALL, [method, options]), len(pretended.asked)

    return request


BUSY = (503, {"Retry-After": "1"}, "<html>busy</html>")
FINE = (200, {}, {"fine": True})


def test_a_request_is_retried_only_where_that_does_no_harm(call, pretended):
    assert call("get", [BUSY, FINE]) == ({"reply": {"fine": True}}, 2)
    assert pretended.asked[0].query == {"q": ["x", "y"]}
    assert call("put", [BUSY, FINE])[1] == 2
    assert call("post", [BUSY, FINE], key="k")[1] == 2
    assert [each.headers["IDEMPOTENCY-KEY"] for each in pretended.asked] == ["k", "k"]
    found, count = call("post", [BUSY])
    assert (found["name"], found["id"], count) == ("Unreachable", "8c1f0a", 1)
    assert call("patch", [BUSY])[1] == 1
    # A request that the service rejects is not retried.
    assert call("get", [refusal(400, "invalid", "No.")])[1] == 1


def test_a_replaced_api_key_is_read_again(ground, pretended):
    ground.tolerate("Failed to load resource")

    def answer(asked):
        if asked.headers["X-API-KEY"] == "old":
            return refusal(401, "authentication_failed", "Incorrect credentials.")
        return 200, {}, {"fine": True}

    pretended.replies["POST /things/"] = answer
    found = ground.visit("/blank").evaluate(
        f"""async () => {{
          const m = await import("{MODULES}/ground/api.js");
          let reads = 0;
          m.configure({{ api: "/v1", api_key: "old" }}, async () => {{
            reads += 1;
            return {{ api: "/v1", api_key: "new" }};
          }});
          return [await m.api.post("/things/", {{}}, {{}}), reads];
        }}"""
    )
    assert found == [{"fine": True}, 1]


def test_a_rejection_has_the_parts_of_the_envelope(call):
    errors = {"answers": {"1": {"selected_option": ["Too long."]}}}
    status, headers, body = refusal(429, "rate_limit_exceeded", "Slow down.", errors=errors)
    found, _ = call("get", [(status, {**headers, "Retry-After": "30"}, body)])
    assert found == {
        "name": "Refused",
        "status": 429,
        "code": "rate_limit_exceeded",
        "errors": errors,
        "id": "8c1f0a",
        "after": 30,
    }
