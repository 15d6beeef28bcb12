"""Read every number that the API shows, from every endpoint that shows it, and compare them."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

Json = dict[str, Any]
# A function that returns the JSON at a path, as a certain user reads it.
Get = Callable[[str], Any]

STATUSES = ("active", "inactive", "pending", "deactivated")
ROLES = ("screening", "league", "final", "winner")
ONE_DECIMAL, TWO_DECIMALS = Decimal("0.1"), Decimal("0.01")


def compare(get: Get) -> None:
    """Compare all numbers that a superadmin can read.

    The data must not change during the comparison, or in the minute before it. Raises
    AssertionError if two numbers differ.
    """
    candidates = list(_each(get, "/candidates/"))
    exams = list(_each(get, "/exams/"))
    results = {exam["id"]: get(f"/exams/{exam['id']}/results/") for exam in exams}
    _accounts(get)
    _questions(get)
    _exams(get, exams, results)
    _season(get, results)
    _boards(get, results)
    _candidates(get, candidates, results)


def compare_own(get: Get, own: Get) -> None:
    """Compare the numbers that a candidate reads with those that a superadmin reads.

    Raises AssertionError if two numbers differ.
    """
    dashboard = own("/dashboard/candidate/")
    user_id = own("/candidates/me/")["user"]["id"]
    performance = get(f"/candidates/{user_id}/")["records"]["performance"]
    stats, taken = performance["stats"], performance["exams_taken"]
    shown = dashboard["exam_stats"]
    shared = ("average_score", "highest_score", "lowest_score", "latest_score")
    for name in (*shared, "total_exams_taken"):
        assert shown[name] == stats[name]
    assert shown["available_exams_count"] == len(dashboard["available_exams"])
    assert dashboard["leaderboard_ranking"] == stats["leaderboard_ranking"]
    scores = [(each["exam_title"], each["score"]) for each in taken]
    recent = [(each["exam_title"], each["score"]) for each in dashboard["recent_scores"]]
    assert recent == scores[:5]
    account = own("/account-management/")["profile"]["scores"]
    assert account == get(f"/account-management/{user_id}/")["profile"]["scores"]
    assert [(each["exam_title"], each["score"]) for each in account["scores"]] == scores
    assert account["total_score"] == stats["total_score"]
    assert account["average_score"] == stats["average_score"]
    exams = [*dashboard["concluded_exams"], *dashboard["available_exams"]]
    assert [each["enrollment"] for each in exams].count("done") == len(scores)


def _each(get: Get, path: str) -> Iterator[Json]:
    sign = "&" if "?" in path else "?"
    number, pages = 1, 1
    while number <= pages:
        reply = get(f"{path}{sign}limit=100&page={number}")
        yield from reply["results"]
        number, pages = number + 1, reply["pagination"]["total_pages"]


def _count(get: Get, path: str) -> int:
    count: int = get(path)["pagination"]["count"]
    return count


def _mean(values: list[float]) -> float:
    if not values:
        return 0.0
    total = sum((Decimal(str(value)) for value in values), Decimal())
    return float((total / len(values)).quantize(TWO_DECIMALS, ROUND_HALF_UP))


def _accounts(get: Get) -> None:
    overview, dashboard = get("/stats/overview/"), get("/dashboard/staff/")["candidates"]
    shared = ("total_users", "active_users", "staff_count", "candidate_count")
    assert get("/user/list/")["stats_overview"] == {name: overview[name] for name in shared}
    assert overview["total_users"] == _count(get, "/user/list/")
    assert overview["active_users"] == _count(get, "/user/list/?is_active=true")
    for kind, path in (("candidate", "/candidates/"), ("staff", "/staff/")):
        by_status = overview["candidates" if kind == "candidate" else kind]
        registered = by_status["registered"]
        assert registered == overview[f"{kind}_count"] == _count(get, path)
        assert registered == _count(get, f"/user/list/?profile={kind}")
        assert registered == sum(by_status[status] for status in STATUSES)
        off = _count(get, f"/user/list/?profile={kind}&is_active=false")
        assert by_status["deactivated"] == off
    total = overview["candidate_count"]
    for status in STATUSES:
        found = _count(get, f"/candidates/?status={status}")
        assert overview["candidates"][status] == found
    assert dashboard["total"] == total
    assert dashboard["active"] == total - overview["candidates"]["deactivated"]
    assert dashboard["verified"] == _count(get, "/candidates/?verified=true")
    rate = (Decimal(100 * dashboard["verified"]) / total).quantize(ONE_DECIMAL, ROUND_HALF_UP)
    assert dashboard["verification_rate"] == float(rate)
    for role in ROLES:
        assert dashboard["by_role"][role]["count"] == _count(get, f"/candidates/?role={role}")
    week = datetime.fromisoformat(overview["generated_at"]) - timedelta(days=7)
    recent = _count(get, f"/candidates/?created_after={week:%Y-%m-%dT%H:%M:%S}")
    assert dashboard["recent_registrations"] == recent


def _questions(get: Get) -> None:
    pool = get("/questions/")["question_pool_data"]
    assert pool == get("/exams/")["question_pool_data"]
    dashboard = get("/dashboard/staff/")["questions"]
    assert dashboard["total"] == pool["total_questions"] == _count(get, "/questions/")
    for difficulty in ("easy", "moderate", "hard"):
        count = dashboard["by_difficulty"][difficulty]["count"]
        assert count == pool[f"{difficulty}_questions_count"]
        assert count == _count(get, f"/questions/?difficulty={difficulty}")


def _exams(get: Get, exams: list[Json], results: dict[int, list[Json]]) -> None:
    dashboard = get("/dashboard/staff/")
    assert dashboard["exams"]["total"] == len(exams) == _count(get, "/exams/")
    assert dashboard["exams"]["active"] == _count(get, "/exams/?active=true")
    for exam in exams:
        detail = get(f"/exams/{exam['id']}/")
        asked = len(get(f"/exams/{exam['id']}/questions/"))
        assert exam["question_count"] == detail["question_count"] == asked
        assert detail["questions"]["pagination"]["count"] == asked
        assert detail["questions"]["question_pool_data"]["total_questions"] == asked
        assert (exam["status"], exam["concluded_at"]) == (detail["status"], detail["concluded_at"])
        assert detail["average_score"] == _mean([row["score"] for row in results[exam["id"]]])
    upcoming = {exam["id"]: exam["question_count"] for exam in dashboard["upcoming_exams"]}
    scheduled = {
        exam["id"]: exam["question_count"] for exam in _each(get, "/exams/?status=upcoming")
    }
    assert upcoming.items() <= scheduled.items()
    assert len(upcoming) == min(len(scheduled), 10)


def _season(get: Get, results: dict[int, list[Json]]) -> None:
    scores = [row["score"] for rows in results.values() for row in rows]
    shown = get("/dashboard/staff/")["scores"]
    assert shown["average_score"] == _mean(scores)
    assert shown["highest_score"] == max(scores, default=0.0)


def _boards(get: Get, results: dict[int, list[Json]]) -> None:
    for line in get("/leaderboard/")["available_leaderboards"]:
        path = f"/leaderboard/?stage={line['stage']}&round={line['round']}"
        board = get(f"{path}&limit=100")
        rows = [*board["top_three"], *board["remaining_candidates"]]
        for number in range(2, board["pagination"]["total_pages"] + 1):
            rows += get(f"{path}&limit=100&page={number}")["remaining_candidates"]
        details, scores = board["exam_details"], [row["score"] for row in rows]
        assert details["id"] == line["exam_id"]
        assert details["total_candidates"] == line["total_candidates"] == len(rows)
        assert details["average_score"] == line["average_score"] == _mean(scores)
        exam = get(f"/exams/{details['id']}/")
        assert details["total_questions"] == exam["question_count"]
        assert scores == [row["score"] for row in results[details["id"]]]
        by_id = {row["candidate_id"]: row["score"] for row in results[details["id"]]}
        for row in rows:
            candidate = row["candidate"]
            assert row["rank"] == 1 + sum(score > row["score"] for score in scores)
            assert by_id[candidate["user_id"]] == row["score"]
            place = f"/leaderboard/{line['stage']}/{line['round']}/candidate/{candidate['id']}/"
            shown = get(place)
            assert shown["exam_details"] == details
            performance = shown["candidate_performance"]
            assert (performance["rank"], performance["score"]) == (row["rank"], row["score"])
            if performance["submissions"]:
                right = [answer["is_correct"] for answer in performance["submissions"]]
                assert len(right) == details["total_questions"]
                assert row["score"] == _mean([100.0 * each for each in right])


def _candidates(get: Get, candidates: list[Json], results: dict[int, list[Json]]) -> None:
    sums: dict[str, dict[str, Decimal]] = {role: {} for role in ROLES}
    rankings: dict[str, Json] = {}
    handed_in = 0
    for listed in candidates:
        user_id = listed["user"]["id"]
        detail = get(f"/candidates/{user_id}/")
        performance = detail["records"]["performance"]
        stats, taken = performance["stats"], performance["exams_taken"]
        account = get(f"/account-management/{user_id}/")["profile"]["scores"]
        history = get(f"/candidates/{user_id}/exam-history/")
        records = get(f"/candidates/{user_id}/scores/")

        by_exam = {each["exam_id"]: each["score"] for each in taken}
        assert by_exam == {
            exam_id: row["score"]
            for exam_id, rows in results.items()
            for row in rows
            if row["candidate_id"] == user_id
        }
        assert by_exam == {each["exam"]["id"]: each["score"] for each in records}
        assert by_exam == {each["exam_id"]: each["score"] for each in account["scores"]}
        shown = [(each["exam_title"], each["score"]) for each in taken]
        assert shown == [(each["exam"], each["score"]) for each in history]
        for each in records:
            exam = get(f"/exams/{each['exam']['id']}/")
            assert each["exam"]["question_count"] == exam["question_count"]

        values = [each["score"] for each in taken]
        assert stats["total_exams_taken"] == len(values)
        assert stats["average_score"] == account["average_score"] == _mean(values)
        assert stats["total_score"] == account["total_score"]
        assert Decimal(str(stats["total_score"])) == sum(Decimal(str(value)) for value in values)
        assert stats["highest_score"] == max(values, default=0.0)
        assert stats["lowest_score"] == min(values, default=0.0)
        latest = stats["latest_score"]
        assert (latest and latest["score"]) == (values[0] if values else None)
        handed_in += sum(bool(each["submission"]) for each in taken)

        in_stage = [
            Decimal(str(each["score"])) for each in taken if each["exam_stage"] == detail["role"]
        ]
        if detail["is_active"] and in_stage:
            sums[detail["role"]][user_id] = sum(in_stage, Decimal())
        rankings[user_id] = {**stats["leaderboard_ranking"], "role": detail["role"]}

    for user_id, ranking in rankings.items():
        others = sums[ranking["role"]]
        assert ranking["total_candidates"] == len(others)
        own = others.get(user_id)
        rank = None if own is None else 1 + sum(other > own for other in others.values())
        assert ranking["current_rank"] == rank
    assert get("/dashboard/staff/")["scores"]["total_submissions"] == handed_in
