"""Print the results of the demo."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from tools.demo.boards import Board
from tools.demo.corrections import Correction
from tools.demo.dashboards import Dashboard, Dashboards

RANKS_SHOWN = 10


def show_board(console: Console, board: Board) -> None:
    details = board.details
    table = Table(
        title=f"{details['title']}: {details['total_questions']} questions, "
        f"average {details['average_score']:.2f}",
        title_justify="left",
        caption=_more(len(board.rows)),
        caption_justify="left",
    )
    table.add_column("Rank", justify="right")
    table.add_column("Candidate")
    table.add_column("School")
    table.add_column("Score", justify="right")
    for row in board.rows[:RANKS_SHOWN]:
        table.add_row(str(row.rank), row.full_name, row.school, f"{row.score:.2f}")
    console.print(table)


def _more(rows: int) -> str | None:
    return f"and {rows - RANKS_SHOWN} more" if rows > RANKS_SHOWN else None


def show_correction(console: Console, correction: Correction) -> None:
    suspected, effect = correction.suspected, correction.effect
    right = suspected["options"][correction.problem.correct]
    wrong = suspected["options"][correction.key]
    facts = {
        "Question": correction.problem.text,
        "Answer key": f"{correction.key}, chosen by {suspected['facility']:.0%} of the candidates",
        "Discrimination": f"{wrong['discrimination']} for {correction.key}, "
        f"{right['discrimination']} for {correction.problem.correct}",
        "Alarms": ", ".join(suspected["alarms"]),
        "Preview": f"{effect['up']} scores up, {effect['down']} down, "
        f"{effect['ranks_changed']} ranks change",
        "Average": f"{effect['average_before']:.2f} before, {effect['average_after']:.2f} after",
        "Advance": f"{len(effect['in'])} more candidates, {len(effect['out'])} fewer",
        "Appeal": f"accepted: {correction.answer}",
    }
    _show_facts(console, "A wrong answer key, and its regrade", facts)


def show_advancement(console: Console, shown: Mapping[str, Any]) -> None:
    facts = {
        "Cut-off": f"{shown['cut_off']:.2f}",
        "Advance": f"{shown['advancing']} of {shown['ranked']}",
        "Tied at the cut-off": shown["tied_at_the_cut"],
    }
    _show_facts(console, "Advancement to the league", facts)


def show_dashboards(console: Console, dashboards: Dashboards) -> None:
    _show_facts(console, "The best candidate's dashboard", _of_candidate(dashboards.candidate))
    _show_facts(console, "The dashboard of staff", _of_staff(dashboards.staff))
    _show_facts(console, "Accounts", _of_overview(dashboards.overview))


def _show_facts(console: Console, title: str, facts: Mapping[str, object]) -> None:
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column()
    table.add_column()
    for name, value in facts.items():
        table.add_row(name, str(value))
    console.print(table)


def _of_candidate(dashboard: Dashboard) -> Mapping[str, object]:
    info, stats = dashboard["candidate_info"], dashboard["exam_stats"]
    ranking = dashboard["leaderboard_ranking"]
    return {
        "Name": f"{info['name']}, {info['school']}",
        "Role": info["role"],
        "Exams taken": stats["total_exams_taken"],
        "Average score": f"{stats['average_score']:.2f}",
        "Highest, lowest": f"{stats['highest_score']:.2f}, {stats['lowest_score']:.2f}",
        "Rank in the stage": f"{ranking['current_rank']} of {ranking['total_candidates']}",
        "Latest scores": "\n".join(
            f"{score['exam_title']}: {score['score']:.2f}" for score in dashboard["recent_scores"]
        ),
        "Exams that are over": "\n".join(
            f"{exam['title']}: {exam['enrollment'].replace('_', ' ')}"
            for exam in dashboard["concluded_exams"][:RANKS_SHOWN]
        ),
    }


def _of_staff(dashboard: Dashboard) -> Mapping[str, object]:
    candidates, scores = dashboard["candidates"], dashboard["scores"]
    return {
        "Candidates": f"{candidates['total']}, {candidates['verification_rate']} % verified",
        "By role": _counts(candidates["by_role"]),
        "Exams": f"{dashboard['exams']['total']}, {len(dashboard['upcoming_exams'])} to come",
        "Questions": dashboard["questions"]["total"],
        "By difficulty": _counts(dashboard["questions"]["by_difficulty"]),
        "Submissions": scores["total_submissions"],
        "Average, highest score": f"{scores['average_score']:.2f}, {scores['highest_score']:.2f}",
    }


def _of_overview(overview: Dashboard) -> Mapping[str, object]:
    statuses = ("active", "inactive", "pending", "deactivated")
    by_kind = {
        kind.capitalize(): ", ".join(f"{overview[kind][name]} {name}" for name in statuses)
        for kind in ("candidates", "staff")
    }
    return {
        **by_kind,
        "All": f"{overview['total_users']}, {overview['active_users']} not deactivated",
    }


def _counts(counts: Mapping[str, Mapping[str, int]]) -> str:
    return ", ".join(f"{each['count']} {name}" for name, each in counts.items())
