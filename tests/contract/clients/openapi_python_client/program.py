"""A client developer's program that uses the output of openapi-python-client.

The test type-checks it with mypy before running it.
"""

import sys

from league.api.accounts import log_in
from league.api.dashboards import show_candidate_dashboard
from league.api.questions import list_questions
from league.api.sittings import submit_answers, take_exam
from league.client import AuthenticatedClient
from league.models import (
    AnswerSheet,
    CandidateDashboard,
    Credentials,
    ErrorBody,
    ExamPaper,
    GivenAnswer,
    GivenAnswerSelectedOption,
    Login,
    QuestionList,
)

address, key, moderator, candidate, password = sys.argv[1:]


def login_of(email: str) -> Login:
    with AuthenticatedClient(
        base_url=address, token=key, auth_header_name="X-Api-Key", prefix=""
    ) as client:
        login = log_in.sync(client=client, body=Credentials(email=email, password=password))
    assert isinstance(login, Login), login
    return login


def client_of(login: Login) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=address, headers={"X-Api-Key": key}, token=login.access)


staff = login_of(moderator)
with client_of(staff) as client:
    found = list_questions.sync(client=client, search="question 1", limit=5)
    assert isinstance(found, QuestionList), found

ada = login_of(candidate)
with client_of(ada) as client:
    dashboard = show_candidate_dashboard.sync(client=client)
    assert isinstance(dashboard, CandidateDashboard), dashboard
    [exam] = dashboard.available_exams
    paper = take_exam.sync(exam.id, client=client)
    assert isinstance(paper, ExamPaper), paper
    option = GivenAnswerSelectedOption.A
    sheet = AnswerSheet(
        answers=[GivenAnswer(question=each.id, selected_option=option) for each in paper.questions]
    )
    submit_answers.sync(exam.id, client=client, body=sheet)
    again = submit_answers.sync(exam.id, client=client, body=sheet)
    assert isinstance(again, ErrorBody), again

print(
    staff.profile.role, found.pagination.count, ada.profile.school, len(sheet.answers), again.code
)
