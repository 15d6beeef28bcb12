"""The metrics for Prometheus, and which callers get them."""

import re
from datetime import timedelta

import pytest
from prometheus_client.parser import text_string_to_metric_families

from competition.core.auth.access import KeyScope
from competition.core.jobs.models import Job
from competition.core.users import api_keys
from competition.core.work import begin
from competition.testing import exam_day
from competition.testing.exam_day import make_exam
from tests.support.repository import REPOSITORY

TOKEN = "for the scraper alone"


@pytest.fixture
def service(app_with):
    return app_with({"competition.metrics.token": TOKEN})


def scrape(service, token=TOKEN, **options):
    service.anonymous.key = None
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return service.anonymous.get("/metrics/", headers=headers, **options)


def sample(service, name, **labels):
    """The sum of the samples that have the labels."""
    families = text_string_to_metric_families(scrape(service, status=200).text)
    return sum(
        each.value
        for family in families
        for each in family.samples
        if each.name == name and labels.items() <= each.labels.items()
    )


def test_without_a_configured_token_the_metrics_are_not_found(app):
    scrape(app, token=None, status=404, code="not_found")
    scrape(app, token="", status=404, code="not_found")
    app.staff("superadmin").get("/metrics/", status=404, code="not_found")


def test_a_missing_or_wrong_token_is_rejected(service):
    scrape(service, token=None, status=401, code="not_authenticated")
    scrape(service, token="another", status=401, code="authentication_failed")
    scrape(service, token="fòr", status=401)
    reply = scrape(service, status=200)
    assert reply.content_type == "text/plain"
    assert reply.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("scopes", "status", "code"),
    [
        ([KeyScope.METRICS], 200, None),
        ([KeyScope.CLIENT, KeyScope.WEBHOOK], 403, "permission_denied"),
        # Every client application contains a key without scopes.
        ([], 403, "permission_denied"),
    ],
)
def test_an_api_key_with_the_metrics_scope_replaces_the_token(service, scopes, status, code):
    with begin(service.runtime) as work:
        service.anonymous.key = api_keys.create(work, "prometheus", scopes=scopes)
    service.anonymous.get("/metrics/", status=status, code=code)
    wrong = {"Authorization": "Bearer another"}
    service.anonymous.get("/metrics/", headers=wrong, status=401, code="authentication_failed")


def test_without_a_configured_token_no_api_key_opens_the_metrics(app):
    with begin(app.runtime) as work:
        app.anonymous.key = api_keys.create(work, "prometheus", scopes=[KeyScope.METRICS])
    app.anonymous.get("/metrics/", status=404, code="not_found")


def test_requests_are_counted_by_method_route_and_status(service):
    for _ in range(2):
        scrape(service, token=None, status=401)
    labels = {"method": "GET", "route": "/metrics/", "status": "401"}
    assert sample(service, "competition_request_seconds_count", **labels) == 2


# WebTest warns about methods that clients should not send.
@pytest.mark.filterwarnings("ignore:Unknown REQUEST_METHOD")
def test_unknown_paths_and_methods_get_no_labels_of_their_own(service):
    service.anonymous.get("/made/up/", status=404)
    service.anonymous.request("BREW", "/exams/", status="any")
    text = scrape(service).text
    assert "made/up" not in text
    assert "BREW" not in text
    assert sample(service, "competition_request_seconds_count", method="other") == 1


def test_waiting_and_failed_jobs_are_counted(service):
    def job(state, minutes, **more):
        now = service.clock.now
        return Job(
            name="none",
            args={},
            state=state,
            run_after=now.replace(minute=minutes),
            created_at=now,
            request_id="-",
            **more,
        )

    service.clock.advance(minutes=10)
    with begin(service.runtime) as work:
        work.db.add_all([job("pending", 4), job("pending", 7), job("pending", 30)])
        work.db.add_all([job("failed", 1), job("done", 1)])
        # The first worker is dead, and the second one is alive.
        ends = (work.now - timedelta(seconds=1), work.now + timedelta(seconds=1))
        work.db.add_all(job("running", 1, lease_until=each) for each in ends)
    assert sample(service, "competition_jobs_waiting") == 4
    assert sample(service, "competition_jobs_oldest_seconds") == 6 * 60
    assert sample(service, "competition_jobs_failed") == 1
    assert sample(service, "competition_mails_failed") == 0


def test_sitting_silent_and_submitted_candidates_are_counted(service):
    exam_id = make_exam(service, service.staff("admin"), "AB")
    exam_day.submit(
        sitting(service, exam_id), exam_id, exam_day.answers(service, exam_id, "B"), status=201
    )
    sitting(service, exam_id)
    draft = {"sequence": 1, **exam_day.answers(service, exam_id, "A")}
    sitting(service, exam_id).put(f"/exams/{exam_id}/draft/", draft, status=200)

    def numbers():
        names = ("sitting", "silent", "submitted", "handed_in")
        found = [sample(service, f"competition_invigilation_{each}") for each in names]
        return [*found, sample(service, "competition_drafts_overdue")]

    assert numbers() == [2, 0, 1, 0, 0]
    service.clock.advance(minutes=10)
    assert numbers() == [0, 2, 1, 0, 0]
    service.clock.advance(minutes=56)
    assert numbers() == [0, 2, 1, 0, 1]
    service.run_task("drafts.hand_in")
    assert numbers() == [0, 1, 1, 1, 0]


def sitting(service, exam_id):
    person = service.candidate()
    exam_day.take(person, exam_id, status=200)
    return person


def test_alert_rules_and_dashboard_panels_use_existing_metrics(service):
    service.anonymous.get("/health/")
    service.run_task("core.housekeeping")
    shown = scrape(service).text
    # Only a socket process shows these two. A metric with labels appears only after something was
    # counted.
    shown += "\ncompetition_sockets\ncompetition_socket_users"
    shown = shown.replace("# HELP ", "")
    for file in ("prometheus/alerts.yaml", "grafana/competition.json"):
        text = (REPOSITORY / "deploy" / file).read_text()
        named = set(re.findall(r"\bcompetition_\w+", text))
        assert len(named) > 5
        assert {each for each in named if f"\n{each}" not in shown} == set()
