"""The list of all views of the pages. Together, the tests must call `every_view` for each of them.

`VIEWS` has the route of each view. If you add a page, add its views here, and add a test that calls
`every_view` with their names.
"""

import ast
import re
from pathlib import Path

PORTAL = {
    "portal-start-start": "/",
    "portal-start-home": "/home",
    "portal-start-new": "/home",
    "portal-account-register": "/register",
    "portal-account-verify": "/verify",
    "portal-account-sign-in": "/sign-in",
    "portal-account-password": "/password",
    "portal-account-restore": "/restore",
    "portal-account-account": "/account",
    "portal-documents-send": "/documents",
    "portal-documents-wait": "/documents",
    "portal-exam-before": "/exams/:id",
    "portal-exam-ready": "/exams/:id",
    "portal-exam-running": "/exams/:id",
    "portal-exam-news": "/exams/:id",
    "portal-exam-overview": "/exams/:id",
    "portal-exam-ended": "/exams/:id",
    "portal-exams-list": "/exams",
    "portal-practice": "/practice",
    "portal-device": "/device",
    "portal-results-list": "/results",
    "portal-results-one": "/results/:exam",
    "portal-boards-list": "/boards",
    "portal-boards-one": "/boards/:stage/:round",
    "portal-appeals-list": "/appeals",
    "portal-appeals-new": "/appeals/new",
    "portal-inbox-inbox": "/inbox",
}
CONSOLE = {
    "console-account-sign-in": "/sign-in",
    "console-account-code": "/sign-in",
    "console-account-password": "/password",
    "console-account-restore": "/restore",
    "console-account-account": "/account",
    "console-home-home": "/",
    "console-home-volunteer": "/",
    "console-home-notifications": "/notifications",
    "console-people-list": "/candidates",
    "console-people-candidate": "/candidates/:id",
    "console-documents-list": "/documents",
    "console-documents-approved": "/documents",
    "console-documents-changes": "/documents",
    "console-documents-rejected": "/documents",
    "console-documents-review": "/documents/:id",
    "console-staff-list": "/staff",
    "console-staff-invite": "/staff/invite",
    "console-staff-member": "/staff/:id",
    "console-staff-leaving": "/leaving",
    "console-schools-list": "/schools",
    "console-schools-school": "/schools/:id",
    "console-schools-board": "/boards/:stage/:round/schools",
    "console-slips-choose": "/slips",
    "console-slips-issued": "/slips",
    "console-school-school": "/school",
    "console-school-enter": "/school/new",
    "console-school-slips": "/school/slips",
    "console-school-issued": "/school/slips",
    "console-school-exams": "/school/exams",
    "console-school-exam": "/school/exams/:id",
    "console-questions-bank": "/questions",
    "console-questions-new": "/questions/new",
    "console-questions-editor": "/questions/:id",
    "console-questions-used": "/questions/:id",
    "console-exams-list": "/exams",
    "console-exams-new": "/exams/new",
    "console-exams-basics": "/exams/:id",
    "console-exams-people": "/exams/:id",
    "console-exams-checks": "/exams/:id",
    "console-exams-results": "/exams/:id",
    "console-exams-paper": "/exams/:id/paper",
    "console-exams-preview": "/exams/:id/preview",
    "console-day-days": "/day",
    "console-day-silent": "/exams/:id/day",
    "console-day-candidates": "/exams/:id/day",
    "console-day-questions": "/exams/:id/day",
    "console-day-announcements": "/exams/:id/day",
    "console-day-time": "/exams/:id/day",
    "console-day-give": "/exams/:id/day/time",
    "console-day-asked": "/day/questions",
    "console-results-scores": "/exams/:id/results",
    "console-results-analysis": "/exams/:id/results",
    "console-results-printed": "/exams/:id/printed",
    "console-results-answers": "/exams/:id/results/:candidate",
    "console-results-regrades": "/exams/:id/regrades",
    "console-results-choose": "/exams/:id/regrades/new",
    "console-results-new": "/exams/:id/regrades/new",
    "console-results-regrade": "/exams/:id/regrades/:rid",
    "console-boards-list": "/boards",
    "console-boards-publish": "/boards/publish",
    "console-boards-board": "/boards/:stage/:round",
    "console-advancement-list": "/advancement",
    "console-advancement-new": "/advancement/new",
    "console-advancement-plan": "/advancement/:id",
    "console-advancement-applied": "/advancement/:id",
    "console-advancement-change": "/advancement/:id/change",
    "console-appeals-list": "/appeals",
    "console-appeals-one": "/appeals/:id",
    "console-broadcasts-list": "/broadcasts",
    "console-broadcasts-new": "/broadcasts/new",
    "console-broadcasts-one": "/broadcasts/:id",
    "console-imports-list": "/imports",
    "console-imports-new": "/imports/new/:kind",
    "console-imports-one": "/imports/:id",
    "console-seasons-list": "/seasons",
    "console-seasons-blocked": "/seasons",
    "console-seasons-one": "/seasons/:id",
    "console-house-service": "/house/service",
    "console-house-audit": "/house/audit",
    "console-house-flags": "/house/flags",
    "console-house-keys": "/house/keys",
    "console-house-jobs": "/house/jobs",
    "console-house-mails": "/house/mails",
    # This page belongs to the example plugin.
    "console-additions-one": "/certificates/:id",
}
PREFIXES = {"portal": "/", "console": "/console/"}
VIEWS = {"portal": PORTAL, "console": CONSOLE}


def is_at(view: str, path: str) -> bool:
    """Whether this path is an address of the view's page. Raises KeyError for an unknown view."""
    front_end = view.partition("-")[0]
    route = PREFIXES[front_end] + VIEWS[front_end][view].removeprefix("/")
    pattern = re.sub(r":\w+", "[^/]+", route)
    return re.fullmatch(pattern, path) is not None


def looked_at(folder: Path) -> str:
    """A regular expression that matches the names of all views for which tests call
    `every_view`.
    """
    calls = (
        node.args[1]
        for file in sorted(folder.glob("test_*.py"))
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "every_view"
    )
    return "|".join(map(_pattern, calls))


def _pattern(name: ast.expr) -> str:
    """The pattern of a name. Each part of an f-string that is computed matches anything."""
    if isinstance(name, ast.JoinedStr):
        return "".join(_pattern(part) for part in name.values)
    return re.escape(str(name.value)) if isinstance(name, ast.Constant) else r"[\w-]+"
