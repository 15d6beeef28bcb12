"""Advancement plans: stored, previewed, applied and undone."""

import random
from decimal import Decimal
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from competition.core.audit import AuditEntry
from competition.core.users import personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.advancement.models import Advanced, Plan, Rule
from competition.plugins.advancement.services import applying, plans
from competition.plugins.advancement.services.ranking import cut
from competition.plugins.people.events import RolesAssigned
from competition.plugins.scores.models import Score
from competition.plugins.sittings.services import taking
from competition.testing.exam_day import make_exam, publish, season, take
from competition.testing.races import overtaken, together

PLANS = "/advancement/"
# There are only seven values, so that nearly all candidates are tied.
SCORES = [Decimal(each) for each in ("0", "12.5", "33.33", "50", "66.67", "87.5", "100")]


def plan(admin, *exams, status=201, **fields):
    body = {
        "from_stage": "screening",
        "to_stage": "league",
        "exams": list(exams),
        "rule": {"top": 1},
        "ties": "in",
        **fields,
    }
    return admin.post(PLANS, body, status=status).json


def preview(admin, row, query=""):
    return admin.get(f"{PLANS}{row['id']}/preview/{query}", status=200).json


def act(admin, row, what, **expected):
    return admin.post(f"{PLANS}{row['id']}/{what}/", **(expected or {"status": 200})).json


def roles(app, people):
    return [app.user(person).role for person in people]


def who_advances(sums, rule, ties):
    """A simple implementation of the rules: the candidates who advance, and how many are tied at
    the cut-off."""
    [(kind, value)] = rule.items()
    if kind == "minimum":
        return {each for each in sums if sums[each] >= value}, 0
    places = value if kind == "top" else ceil(Fraction(str(value)) * len(sums) / 100)
    in_order = sorted(sums, key=sums.__getitem__, reverse=True)
    inside, outside = in_order[:places], in_order[places:]
    if not inside or not outside or sums[inside[-1]] != sums[outside[0]]:
        return set(inside), 0
    equals = {each for each in sums if sums[each] == sums[inside[-1]]}
    return ({*inside} | equals if ties == "in" else {*inside} - equals), len(equals)


RULES = st.one_of(
    st.builds(lambda n: {"top": n}, st.integers(1, 40)),
    st.builds(lambda p: {"percent": p}, st.floats(0, 100).map(lambda p: round(p, 2))),
    st.builds(lambda m: {"minimum": m}, st.sampled_from([0, 33.33, 50, 51, 100, 101])),
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(SCORES), max_size=30), RULES, st.sampled_from(["in", "out"]))
def test_the_cut_off_follows_the_rule(totals, rule, ties):
    sums = dict(enumerate(totals))
    ladder = [(each, totals.count(each)) for each in sorted(set(totals), reverse=True)]
    [(kind, value)] = rule.items()
    found = cut(ladder, Rule(kind, Decimal(str(value))), ties)
    minimum = {kind: Decimal(str(value))} if kind == "minimum" else rule
    advancing, tied = who_advances(sums, minimum, ties)
    above = {each for each in sums if found.lowest is not None and sums[each] >= found.lowest}
    assert (above, found.advancing, found.ranked) == (advancing, len(advancing), len(sums))
    assert found.tied == tied
    assert found.lowest == min((sums[each] for each in advancing), default=None)


def test_the_cut_off_is_right_in_random_seasons_with_ties(app, admin):
    """Each season has two rounds. Some candidates have missed a round, were deactivated, lost their
    approval, or have no score.
    """
    chance = random.Random(4)
    people = [app.candidate() for _ in range(24)]
    exams = [make_exam(app, admin, "AB", round=round) for round in (1, 2)]
    other = make_exam(app, admin, "AB", round=3)
    sums = {}
    with begin(app.runtime) as work:
        for index, person in enumerate(people):
            for exam_id in (*exams, other):
                if index == 0 or chance.random() < 0.2:
                    continue
                score = chance.choice(SCORES)
                work.db.add(
                    Score(
                        exam_id=exam_id,
                        candidate_id=person.id,
                        value=score,
                        is_auto=False,
                        recorded_at=work.now,
                    )
                )
                if exam_id != other:
                    sums[str(person.id)] = sums.get(str(person.id), 0) + score
        for person, change in (
            (people[1], {"is_active": False}),
            (people[2], {"verification": "pending"}),
            (people[3], {"is_email_verified": False}),
        ):
            sums.pop(str(person.id), None)
            work.db.execute(update(User).where(User.id == person.id).values(change))
    for exam_id in exams:
        admin.post(f"/exams/{exam_id}/conclude/")
    publish(app, admin)
    rules = [{"top": n} for n in (1, 3, 7, 100)]
    rules += [{"percent": p} for p in (0, 0.1, 33.3, 50, 100)]
    rules += [{"minimum": m} for m in (0, 100, 150, 201)]
    row = plan(admin, *exams)
    for rule in rules:
        for ties in ("in", "out"):
            changed = admin.patch(f"{PLANS}{row['id']}/", {"rule": rule, "ties": ties}).json
            assert (changed["rule"], changed["ties"]) == (rule, ties)
            found = preview(admin, row, "?limit=100")
            advancing, tied = who_advances(sums, rule, ties)
            listed = {each["candidate"]["user_id"] for each in found["advance"]}
            assert listed == advancing
            assert {each["candidate"]["user_id"] for each in found["stay"]} == {*sums} - listed
            assert (found["advancing"], found["ranked"]) == (len(advancing), len(sums))
            assert found["tied_at_the_cut"] == tied
            lowest = min((float(sums[each]) for each in advancing), default=None)
            assert found["cut_off"] == lowest
    ranking = [*found["advance"], *found["stay"]]
    for each in ranking:
        total = sums[each["candidate"]["user_id"]]
        assert each["total_score"] == float(total)
        assert each["rank"] == 1 + sum(other > total for other in sums.values())
    # All pages together have the same candidates, the best first. Each page splits its candidates
    # into two lists.
    pages = [
        preview(admin, row, f"?limit=5&page={page}") for page in range(1, -(-len(sums) // 5) + 1)
    ]
    listed = [each for page in pages for each in [*page["advance"], *page["stay"]]]
    assert listed[: len(ranking)] == ranking
    assert pages[0]["pagination"]["count"] == len(sums)
    admin.get(f"{PLANS}{row['id']}/preview/?page=99", status=404, code="not_found")


def test_a_plan_can_be_changed_until_a_candidate_starts(app, admin, moderator):
    second, first = (make_exam(app, admin, "AB", round=round) for round in (2, 1))
    row = plan(admin, second, first, second, rule={"percent": 33.3}, ties="out")
    assert (row["exams"], row["rule"], row["ties"]) == ([second, first], {"percent": 33.3}, "out")
    assert (row["status"], row["created_by"]["user"]["id"]) == ("open", str(admin.id))
    path = f"{PLANS}{row['id']}/"
    assert moderator.get(path, status=200).json == row
    body = {"exams": [first], "rule": {"minimum": 70.5}, "to_stage": "winner"}
    changed = admin.patch(path, body, status=200).json
    assert changed == {**row, **body}
    assert admin.patch(path, {}, status=200).json == changed
    plan(admin, second, rule={"top": 3})
    found = moderator.get(f"{PLANS}?search=winner", status=200).json["results"]
    assert found == [changed]
    admin.patch(path, {"exams": [first, second]}, status=200)
    take(app.candidate(), second, status=200)
    assert admin.get(path).json["status"] == "frozen"
    admin.patch(path, {"ties": "in"}, status=400, code="plan_frozen")
    admin.delete(path, status=400, code="plan_frozen")
    # Nobody can have relied on a plan that was made later than that.
    app.clock.advance(seconds=1)
    late = plan(admin, second)
    assert (late["status"], late["is_deletable"]) == ("frozen", True)
    admin.patch(f"{PLANS}{late['id']}/", {"ties": "in"}, status=400, code="plan_frozen")
    admin.delete(f"{PLANS}{late['id']}/", status=204)
    other = plan(admin, first)
    admin.delete(f"{PLANS}{other['id']}/", status=204)
    admin.get(f"{PLANS}{other['id']}/", status=404, code="not_found")
    # Deleting an exam of a plan only hides it, and the plan still shows it.
    third = make_exam(app, admin, "AB", round=3)
    kept = plan(admin, third)
    admin.delete(f"/exams/{third}/", status=204)
    assert admin.get(f"{PLANS}{kept['id']}/", status=200).json["exams"] == [third]
    with begin(app.runtime) as work:
        acts = work.db.scalars(
            select(AuditEntry.action)
            .where(AuditEntry.action.startswith("advancement"))
            .order_by(AuditEntry.id)
        ).all()
    assert [each.partition(".")[2] for each in acts] == [
        *("create", "change", "create", "change"),
        *("create", "delete", "create", "delete", "create"),
    ]


def test_a_plan_of_a_deleted_exam_can_be_deleted(app, admin):
    exam = make_exam(app, admin, "AB")
    row = plan(admin, exam)
    app.clock.advance(seconds=1)
    take(app.candidate(), exam, status=200)
    admin.post(f"/exams/{exam}/conclude/")
    app.clock.advance(minutes=6)
    path = f"{PLANS}{row['id']}/"
    assert admin.get(path).json["is_deletable"] is False
    admin.delete(f"/exams/{exam}/", status=204)
    reply = admin.get(f"{path}preview/", status=400, code="invalid").json
    assert "was deleted" in reply["detail"]
    assert admin.get(path).json["is_deletable"] is True
    admin.delete(path, status=204)


def test_an_inconsistent_plan_is_rejected(app, admin):
    exam_id, _ = season(app, admin, ["A"])
    league = make_exam(app, admin, "AB", stage="league")
    gone = make_exam(app, admin, "AB", round=2)
    admin.delete(f"/exams/{gone}/")
    for field, fields in {
        "to_stage": {"from_stage": "league", "exams": [league]},
        "exams": {"exams": [exam_id, league]},
        "rule": {"rule": {"top": 1, "percent": 5}},
        "ties": {"ties": "maybe"},
    }.items():
        refusal = plan(admin, exam_id, status=400, **fields)
        assert (refusal["code"], list(refusal["errors"])) == ("invalid", [field])
    for fields in (
        {"exams": [gone]},
        {"exams": [999_999]},
        {"exams": []},
        {"rule": {}},
        {"rule": {"top": 0}},
        {"rule": {"percent": 101}},
        {"rule": None},
        {"to_stage": "screening"},
        {"from_stage": "winner"},
    ):
        assert plan(admin, exam_id, status=400, **fields)["code"] == "invalid"
    row = plan(admin, exam_id)
    # The exam is not published yet, and the plan is not applied.
    admin.get(f"{PLANS}{row['id']}/preview/", status=400, code="invalid")
    act(admin, row, "apply", status=400, code="invalid")
    act(admin, row, "undo", status=400, code="invalid")
    admin.patch(f"{PLANS}{row['id']}/", {"ties": "in"}, status=400, code="plan_frozen")


def test_applying_a_plan_promotes_audits_and_notifies_each_candidate_once(app, admin):
    exam_id, people = season(app, admin, ["ABCDABCDAB", "ABCD", "ABCD", "A"])
    publish(app, admin)
    row = plan(admin, exam_id, rule={"top": 3})
    best, second, moved, last = people
    # A candidate who was moved manually keeps the rank and the role.
    admin.put(f"/candidates/{moved.id}/roles/assign/", {"role": "final"}, status=200)
    heard = []
    app.subscribe(RolesAssigned, heard.append)
    before = preview(admin, row)
    assert (before["advancing"], before["moving"]) == (3, 2)
    assert act(admin, row, "apply") == {"advanced": 2}
    assert preview(admin, row)["moving"] == 0
    assert roles(app, people) == ["league", "league", "final", "screening"]
    [event] = heard
    assert {*event.user_ids} == {best.id, second.id}
    assert (event.old, event.new) == ("screening", "league")
    with begin(app.runtime) as work:
        entries = work.db.scalars(
            select(AuditEntry).where(AuditEntry.actor_id == admin.id).order_by(AuditEntry.id)
        ).all()[-3:]
        assert {each.target_id for each in entries[:2]} == {best.id, second.id}
        assert {(e.action, e.old, e.new) for e in entries[:2]} == {
            ("candidate.role", "screening", "league")
        }
        assert (entries[2].action, entries[2].new) == (
            "advancement.apply",
            {"advanced": 2, "cut_off": 40.0},
        )
    before = len(best.get("/notifications/").json["results"])
    assert best.get("/notifications/").json["results"][0]["subject"] == "You advance"
    assert last.get("/notifications/").json["results"] == []
    assert admin.get(f"{PLANS}{row['id']}/").json["status"] == "applied"
    # Applying the plan again changes nothing, even if the scores have changed.
    with begin(app.runtime) as work:
        work.db.execute(update(Score).values(value=100))
    assert act(admin, row, "apply") == {"advanced": 2}
    assert roles(app, people) == ["league", "league", "final", "screening"]
    assert len(best.get("/notifications/").json["results"]) == before
    admin.delete(f"{PLANS}{row['id']}/", status=400, code="plan_frozen")


def test_undoing_a_plan_restores_roles_that_were_not_changed_since(app, admin):
    exam_id, people = season(app, admin, ["ABCD", "ABCD", "A"])
    publish(app, admin)
    row = plan(admin, exam_id, rule={"percent": 60})
    act(admin, row, "apply")
    admin.put(f"/candidates/{people[1].id}/roles/assign/", {"role": "winner"}, status=200)
    path = f"{PLANS}{row['id']}/candidates/"
    assert admin.get(path).json["pagination"]["count"] == 2
    [back] = admin.get(f"{path}?undoable=true", status=200).json["results"]
    assert back["candidate"]["user_id"] == str(people[0].id)
    assert act(admin, row, "undo") == {"advanced": 0}
    assert act(admin, row, "undo") == {"advanced": 0}
    assert roles(app, people) == ["screening", "winner", "screening"]
    assert admin.get(f"{PLANS}{row['id']}/").json["status"] == "undone"
    assert people[0].get("/notifications/").json["results"][0]["subject"] == "A correction"
    # After a correction of the scores, the plan can be applied again.
    assert act(admin, row, "apply") == {"advanced": 1}
    app.clock.advance(days=1)
    admin = app.new_session(admin)
    assert act(admin, row, "undo") == {"advanced": 0}
    assert act(admin, row, "apply") == {"advanced": 1}
    app.clock.advance(days=1, seconds=1)
    admin = app.staff("admin")
    refused = act(admin, row, "undo", status=400, code="invalid")
    assert admin.get(f"{PLANS}{row['id']}/").json["undo_refusal"] in refused["detail"]
    assert app.user(people[0]).role == "league"


def test_a_plan_can_not_be_undone_once_a_candidate_started_in_the_new_stage(app, admin):
    exam_id, people = season(app, admin, ["ABCD", "A"])
    early = make_exam(app, admin, "AB", stage="league")
    take(app.candidate("league"), early, status=200)
    app.clock.advance(seconds=1)
    publish(app, admin)
    row = plan(admin, exam_id)
    act(admin, row, "apply")
    act(admin, row, "undo", status=200)
    act(admin, row, "apply")
    assert admin.get(f"{PLANS}{row['id']}/").json["undo_refusal"] is None
    take(people[0], make_exam(app, admin, "AB", stage="league", round=2), status=200)
    refused = act(admin, row, "undo", status=400, code="invalid")
    assert admin.get(f"{PLANS}{row['id']}/").json["undo_refusal"] in refused["detail"]
    assert roles(app, people) == ["league", "screening"]


def test_a_plan_of_a_closed_season_says_that_it_can_not_be_undone(app, admin):
    exam_id, _ = season(app, admin, ["ABCD", "A"])
    publish(app, admin)
    row = plan(admin, exam_id)
    act(admin, row, "apply")
    superadmin = app.staff("superadmin")
    superadmin.post("/seasons/", {"name": "2027"}, status=201)
    [listed] = admin.get(f"{PLANS}?season={row['season']}", status=200).json["results"]
    assert "closed" in listed["undo_refusal"]
    superadmin.post("/seasons/undo/", {}, status=200)
    assert admin.get(f"{PLANS}{row['id']}/", status=200).json["undo_refusal"] is None


def test_the_candidates_who_advanced_are_listed_with_the_reason_at_that_time(app, admin):
    exam_id, people = season(app, admin, ["ABCD", "ABC ", "ABC ", "A   "])
    publish(app, admin)
    row = plan(admin, exam_id, rule={"top": 2})
    path = f"{PLANS}{row['id']}/candidates/"
    assert admin.get(path).json["results"] == []
    act(admin, row, "apply")
    # A later change of the scores does not change why the candidates advanced.
    with begin(app.runtime) as work:
        work.db.execute(update(Score).values(value=1))
    moderator = app.staff("moderator")

    def listed(query=""):
        return [
            (each["rank"], each["total_score"], each["reason"])
            for each in moderator.get(path + query).json["results"]
        ]

    assert listed() == [(1, 40, "place"), (2, 30, "tie"), (2, 30, "tie")]
    assert listed("?ordering=-rank") == listed()[::-1]
    assert listed("?page=2&page_size=2") == listed()[2:]
    best = app.user(people[0])
    [found] = moderator.get(f"{path}?search={best.email}").json["results"]
    assert found["candidate"]["full_name"] == best.full_name
    assert moderator.get(f"{path}?search=nobody").json["pagination"]["count"] == 0
    act(admin, row, "undo")
    assert listed() == []


def test_the_plans_by_which_a_candidate_advanced_are_listed(app, admin):
    exam_id, (best, other) = season(app, admin, ["ABCD", "A   "])
    publish(app, admin)
    plan(admin, exam_id, rule={"top": 1})
    row = plan(admin, exam_id, rule={"top": 1})
    assert row["applied_at"] is None

    def found(person):
        return admin.get(f"{PLANS}?candidate={person.id}", status=200).json["results"]

    assert found(best) == []
    act(admin, row, "apply")
    [shown] = found(best)
    assert (shown["id"], shown["to_stage"]) == (row["id"], "league")
    assert shown["applied_at"] is not None
    assert found(other) == []
    act(admin, row, "undo")
    assert found(best) == []


@pytest.mark.parametrize(
    ("rule", "ties", "reasons"),
    [
        ({"minimum": 30}, "in", ["minimum"] * 3),
        ({"top": 3}, "in", ["place"] * 3),
        ({"top": 2}, "out", ["place"]),
    ],
)
def test_an_advancement_has_a_reason_by_its_rule(app, admin, rule, ties, reasons):
    exam_id, _ = season(app, admin, ["ABCD", "ABC ", "ABC ", "A   "])
    publish(app, admin)
    row = plan(admin, exam_id, rule=rule, ties=ties)
    act(admin, row, "apply")
    found = admin.get(f"{PLANS}{row['id']}/candidates/").json["results"]
    assert [each["reason"] for each in found] == reasons


def test_records_of_advancement_are_exported_and_erased(app, admin):
    exam_id, [ada] = season(app, admin, ["ABCD"])
    publish(app, admin)
    act(admin, plan(admin, exam_id), "apply")
    with begin(app.runtime) as work:
        [kept] = personal_data.export(work, ada.id)["advancement"]
        assert (kept["from_stage"], kept["to_stage"]) == ("screening", "league")
        personal_data.erase(work, ada.id)
        assert work.db.scalars(select(Advanced)).all() == []


@pytest.fixture
def advanced(live):
    """An admin, a candidate whom a plan has advanced, that plan, and an exam of the new stage."""
    admin = live.staff("admin")
    exam_id, [ada] = season(live, admin, ["ABCD"])
    publish(live, admin)
    row = plan(admin, exam_id)
    act(admin, row, "apply")
    return admin, ada, row, make_exam(live, admin, "AB", stage="league")


@pytest.mark.parametrize("is_first", [True, False])
def test_the_first_of_undoing_and_a_start_wins(live, advanced, is_first):
    """If `is_first`, a candidate starts the exam of the new stage before the undo. The start
    freezes the questions of that exam.
    """
    admin, ada, row, league = advanced
    if not is_first:
        take(live.candidate("league"), league, status=200)
        live.clock.advance(seconds=1)
        act(admin, row, "undo", status=400, code="invalid")
        with begin(live.runtime) as work:
            work.db.execute(update(Plan).values(applied_at=work.now))

    def undo(work):
        applying.undo(work, plans.locked(work, row["id"]))

    assert overtaken(live, admin, undo, lambda: take(ada, league, status=403)).json["code"] == (
        "exam_not_eligible"
    )
    assert live.user(ada).role == "screening"
    act(admin, row, "apply")

    def start(work):
        taking.take_exam(work, league)

    path = f"{PLANS}{row['id']}/undo/"
    assert overtaken(live, ada, start, lambda: admin.post(path, status=400)).json["code"] == (
        "invalid"
    )
    assert live.user(ada).role == "league"


def test_a_change_of_a_plan_waits_for_a_first_start(live):
    admin, ada = live.staff("admin"), live.candidate()
    exam_id = make_exam(live, admin, "AB")
    row = plan(admin, exam_id)
    path = f"{PLANS}{row['id']}/"
    refused = overtaken(
        live,
        ada,
        lambda work: taking.take_exam(work, exam_id),
        lambda: admin.patch(path, {"ties": "out"}, status=400),
    )
    assert refused.json["code"] == "plan_frozen"


def test_a_plan_applied_twice_simultaneously_is_applied_once(live):
    admin = live.staff("admin")
    exam_id, [_ada] = season(live, admin, ["ABCD"])
    publish(live, admin)
    row = plan(admin, exam_id)
    assert together(2, lambda _: act(admin, row, "apply")) == [{"advanced": 1}] * 2
    with begin(live.runtime) as work:
        of_role = select(AuditEntry).where(AuditEntry.action == "candidate.role")
        moves = of_role.order_by(AuditEntry.id)
        assert len(work.db.scalars(moves).all()) == 1


def test_a_regrade_preview_names_candidates_who_would_no_longer_advance(app, admin):
    """The regrade accepts B too. The second and the third candidate are then tied for the last
    place, and neither of them advances.
    """
    exam_id, people = season(app, admin, ["ABCD", "BBCD", "BBBB"], key="ABCD")
    publish(app, admin)
    plan(admin, exam_id, rule={"top": 2})
    plan(admin, exam_id, rule={"top": 1}, ties="out")
    plan(admin, exam_id, make_exam(app, admin, "AB", round=2), rule={"top": 3})
    [first, *_] = admin.get(f"/exams/{exam_id}/questions/").json
    body = {"changes": [{"question": first["id"], "accept": ["A", "B"]}], "reason": "Both."}
    effect = admin.post(f"/exams/{exam_id}/regrades/", body, status=201).json["effect"]
    assert effect["in"] == []
    assert [each["user_id"] for each in effect["out"]] == [str(people[0].id)]
    body["changes"][0]["accept"] = ["B"]
    effect = admin.post(f"/exams/{exam_id}/regrades/", body, status=201).json["effect"]
    assert [each["user_id"] for each in effect["in"]] == [str(people[1].id)]
    assert [each["user_id"] for each in effect["out"]] == [str(people[0].id)]
